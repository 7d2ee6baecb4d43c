import { assert, describe } from "@effect/vitest";
import { Catalog, type CatalogEntry, Sandbox } from "@quartermaster/core";
import { Fixtures, ScriptedSpawner, TestCore } from "@quartermaster/testing";
import { Effect } from "effect";
import { assertTag, check, checkIn, world } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";

const scripted = ScriptedSpawner.ScriptedSpawner;

const manifest: CatalogEntry.StdioManifest = {
  package: "files",
  version: "3.0",
  integrity: null,
  lockedAt: null,
  command: "files",
  args: [],
  env: {},
  isolation: "shared",
  state: false,
  sandbox: {
    ...Sandbox.defaults,
    network: false,
    read: ["/usr/share/dict", "${CERTIFICATE}"],
    write: ["${ROOT}/in", "${ROOT}/out"],
  },
};

const variable = (name: string) => ({
  name,
  description: "",
  required: false,
  secret: false,
  default: null,
});

const layer = TestCore.layerMcpWith({
  storage: TestStorage.storage,
  catalog: TestCore.catalog([
    Fixtures.entry({
      id: "sandboxed",
      runtime: "python",
      manifest,
      envVars: [variable("ROOT"), variable("CERTIFICATE")],
    }),
    Fixtures.entry({
      id: "above",
      runtime: "python",
      manifest: { ...manifest, sandbox: { ...Sandbox.defaults, read: ["/"] } },
      envVars: [],
    }),
  ]),
});

describe("the sandbox of an installed server", () => {
  check(
    "[mcp.sandbox] an installed server shows its sandbox, and a remote server shows none",
    Effect.gen(function* () {
      const script = yield* scripted;
      script.choose = ({ isLocal }) => (isLocal ? "direct" : "bubblewrap");
      const { sandbox } = yield* world.notes();
      assert.strictEqual(sandbox, "bubblewrap");
      assert.strictEqual((yield* world.install("test-tool")).sandbox, "direct");
      const wiki = yield* world.install("test-wiki", { WIKI_TOKEN: "token" });
      assert.isNull(wiki.sandbox);
    }),
  );

  check(
    "[mcp.verify.sandbox-missing] a verify without its sandbox is refused and starts nothing",
    Effect.gen(function* () {
      const script = yield* scripted;
      script.setting = "docker";
      script.choose = () => null;
      const { id, sandbox } = yield* world.install("test-tool");
      assert.isNull(sandbox);
      const server = yield* world.scripted("tool");
      yield* assertTag(world.verify(id), "SandboxMissing");
      assert.lengthOf(server.targets, 0);
      assert.strictEqual(yield* world.statusOf(id), "disabled");
      script.choose = () => "docker";
      assert.strictEqual((yield* world.verify(id)).status, "ok");
    }),
  );

  checkIn(
    layer,
    "[mcp.sandbox.paths] declared paths have the values of variables, and a path without a value is left out",
    Effect.gen(function* () {
      const server = yield* world.scripted("files");
      const { id } = yield* world.install("sandboxed", { ROOT: "/srv/files" });
      assert.strictEqual((yield* world.verify(id)).status, "ok");
      const [target] = server.targets;
      assert.deepInclude(target, {
        runtime: "python",
        isLocal: false,
        sandbox: {
          ...Sandbox.defaults,
          network: false,
          read: ["/usr/share/dict"],
          write: ["/srv/files/in", "/srv/files/out"],
        },
      });
    }),
  );

  checkIn(
    layer,
    "[mcp.sandbox.forbidden] a declared path that is not absolute, or above the data directory, fails the verify",
    Effect.gen(function* () {
      const relative = yield* world.install("sandboxed", { ROOT: "files" });
      const above = yield* world.install("above");
      for (const { id } of [relative, above]) {
        const { details, status } = yield* world.verify(id);
        assert.strictEqual(status, "error");
        assert.include(details, "outside the data directory");
      }
    }),
  );
});

describe("what built-in entries declare", () => {
  check(
    "[mcp.sandbox.declared] every built-in program says what it needs",
    Effect.gen(function* () {
      const { all } = yield* Catalog.Catalog;
      for (const { id, manifest } of all.slice(0, 36)) {
        if ("command" in manifest) assert.isNotNull(manifest.sandbox, id);
      }
    }),
  );
});
