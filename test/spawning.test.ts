import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { read } from "./pages.ts";
import { project, root, runNode } from "./programs.ts";
import { blocksIn } from "./readme.programs.ts";

const program = blocksIn(read("docs/operating/sandboxes.md")).find(
  ({ language }) => language === "ts",
);

/** A host that uses the page's spawner and verifies a server. */
const host = `
import { McpServers, Principal } from "@quartermaster/core";
import { Quartermaster } from "@quartermaster/embedded";
import { Effect } from "effect";
import { spawner } from "./spawner.ts";

const quartermaster = await Quartermaster.open({
  dataDir: "data",
  catalogFiles: ["catalog.json"],
  spawner,
});
const result = await quartermaster.runtime.runPromise(
  Effect.gen(function* () {
    const servers = yield* McpServers.McpServers;
    const { id, sandbox } = yield* servers.install({ catalogId: "fixture" });
    const { capabilities, details } = yield* servers.verify(id);
    return { sandbox, capabilities, details };
  }).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system)),
);
console.log(JSON.stringify(result));
await quartermaster.close();
`;

const entry = {
  id: "fixture",
  name: "Fixture",
  description: "A server of the host.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None.",
  manifest: {
    command: process.execPath,
    args: [join(root, "packages/mcp/test/support/fixture.mjs")],
  },
};

it(
  "[sandbox.own] the spawner of docs/operating/sandboxes.md type-checks and starts the programs of a host",
  { timeout: 120_000 },
  async () => {
    const cwd = await project([
      { file: "spawner.ts", text: program?.text ?? "" },
      { file: "host.ts", text: host },
    ]);
    await writeFile(join(cwd, "catalog.json"), JSON.stringify([entry]));
    const { stderr, stdout } = await runNode(join(cwd, "host.ts"), { cwd });
    const { capabilities, sandbox } = JSON.parse(stdout || assert.fail(stderr));
    assert.strictEqual(sandbox, "nice");
    assert.deepStrictEqual(capabilities, ["echo", "slow"]);
  },
);
