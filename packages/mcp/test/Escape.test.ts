import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { McpConnector, ProcessSpawner, Sandbox } from "@quartermaster/core";
import { Effect, Exit, Layer, Redacted, Scope } from "effect";
import { Connector, type Sandboxes } from "../src/index.ts";
import * as World from "./support/World.ts";

const script = fileURLToPath(new URL("support/escape.mjs", import.meta.url));
const gigabytes = 1024 ** 3;

/** The processes with this argument. */
const runningWith = (argument: string) =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(argument);
    } catch {
      return false;
    }
  });

/** A port of the host that accepts connections. */
const port = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((socket) => socket.end());
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)));
  }),
  (server) => Effect.sync(() => server.close()),
).pipe(
  Effect.map((server) => {
    const address = server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  }),
);

interface Scene {
  readonly dataDir: string;
  /** A file of the host that no entry declares. */
  readonly hostFile: string;
  readonly port: number;
  /** Makes an attempt: `ok` with what it got, or the code of the error. */
  readonly attempt: (name: string, args?: Record<string, unknown>) => Effect.Effect<string>;
  /** Stops the server. */
  readonly stop: Effect.Effect<void>;
}

/** Starts the server that tries to escape, in a layer. Does nothing if the host does not have the layer. */
const inside = (
  layer: Sandboxes.Name,
  declared: Partial<Sandbox.Sandbox>,
  body: (scene: Scene) => Effect.Effect<void, unknown>,
) =>
  Effect.gen(function* () {
    const dataDir = yield* World.folder;
    const host = yield* World.folder;
    const hostFile = join(host, "private");
    const declaredFile = join(host, "declared");
    const other = join(dataDir, "servers", "other", "shared");
    mkdirSync(other, { recursive: true });
    for (const path of [
      hostFile,
      declaredFile,
      ...["owner-key", "secret-key", "quartermaster.db"].map((name) => join(dataDir, name)),
      join(other, "private"),
    ]) {
      writeFileSync(path, "canary");
    }
    const open = Effect.gen(function* () {
      const connector = yield* McpConnector.McpConnector;
      const scope = yield* Effect.acquireRelease(Scope.make(), (scope) =>
        Scope.close(scope, Exit.void),
      );
      const connection = yield* Scope.provide(
        connector.connect(
          {
            transport: "stdio",
            command: process.execPath,
            args: [Redacted.make(script)],
            env: {},
            folder: join(dataDir, "servers", "escape", "shared"),
            files: [],
            runtime: "none",
            isLocal: true,
            isOwn: false,
            sandbox: { ...Sandbox.defaults, read: [declaredFile], ...declared },
          },
          { timeoutMillis: 20_000 },
        ),
        scope,
      );
      const attempt: Scene["attempt"] = (name, args = {}) =>
        connection.callTool(name, args, { timeoutMillis: 20_000 }).pipe(
          Effect.map((result) => String(result.content[0]?.["text"])),
          Effect.orDie,
        );
      assert.strictEqual(yield* attempt("read", { path: declaredFile }), "ok canary");
      const stop = Scope.close(scope, Exit.void);
      yield* body({ dataDir, hostFile, port: yield* port, attempt, stop });
    });
    yield* Effect.provide(open, Layer.provideMerge(Connector.layer, World.spawner(dataDir, layer)));
  }).pipe(Effect.scoped);

const secretsOf = ({ dataDir, hostFile }: Scene) => [
  ...["owner-key", "secret-key", "quartermaster.db", "servers/other/shared/private"].map((name) =>
    join(dataDir, name),
  ),
  hostFile,
];

/** The limits that each process has, in every layer. */
const assertLimits = ({ attempt }: Scene) =>
  Effect.gen(function* () {
    assert.strictEqual(
      yield* attempt("memory", { bytes: 5 * gigabytes }),
      "ERR_MEMORY_ALLOCATION_FAILED",
    );
    assert.strictEqual(yield* attempt("files", { count: 5_000 }), "EMFILE");
    assert.strictEqual(yield* attempt("file", { bytes: 2 * gigabytes }), "EFBIG");
  });

/** Leaves processes, and asserts that stopping the server stops them. */
const assertNoneLeft = ({ attempt, stop }: Scene, seconds: string) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* attempt("leave", { seconds }), "ok");
    yield* Effect.promise(async () => {
      // Nothing notifies of a process that was started in another session.
      while (runningWith(seconds).length < 2)
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
    yield* stop;
    assert.deepStrictEqual(runningWith(seconds), []);
  });

const hasLimits = existsSync("/usr/bin/prlimit");
/** The test of a layer that the host does not have is skipped. */
const reports = await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(World.folder, (dataDir) =>
      Effect.flatMap(ProcessSpawner.ProcessSpawner, ({ sandboxes }) => sandboxes).pipe(
        Effect.provide(World.spawner(dataDir)),
      ),
    ),
  ),
);
const lacks = (layer: Sandboxes.Name) => reports[layer]?.detected !== true;

const linux = { concurrent: true, skip: process.platform !== "linux" || !hasLimits };

describe("a server that tries to escape", linux, () => {
  it.live("[sandbox.direct] direct limits it, and stops what it leaves", () =>
    inside("direct", { childProcesses: true }, (scene) =>
      Effect.gen(function* () {
        yield* assertLimits(scene);
        yield* assertNoneLeft(scene, "3600.25");
      }),
    ),
  );

  it.live("[sandbox.node] under Node's permission model it reads nothing that is not its own", () =>
    inside("node", {}, (scene) =>
      Effect.gen(function* () {
        const { attempt } = scene;
        for (const path of [...secretsOf(scene), "/etc/passwd", "/proc/self/environ"]) {
          assert.strictEqual(yield* attempt("read", { path }), "ERR_ACCESS_DENIED", path);
          assert.strictEqual(yield* attempt("write", { path }), "ERR_ACCESS_DENIED", path);
          assert.strictEqual(yield* attempt("run", { path }), "ERR_ACCESS_DENIED", path);
        }
        assert.strictEqual(yield* attempt("parent"), "ERR_ACCESS_DENIED");
        assert.strictEqual(yield* attempt("leave", { seconds: "3600.26" }), "ERR_ACCESS_DENIED");
        yield* assertLimits(scene);
      }),
    ),
  );

  it.live.skipIf(lacks("bubblewrap"))(
    "[sandbox.bubblewrap] under bubblewrap it reaches no file, process or socket of the host",
    () =>
      inside("bubblewrap", { network: false, childProcesses: true }, (scene) =>
        Effect.gen(function* () {
          const { attempt, port } = scene;
          for (const path of secretsOf(scene)) {
            assert.strictEqual(yield* attempt("read", { path }), "ENOENT", path);
            assert.strictEqual(yield* attempt("run", { path }), "ok", path);
            yield* attempt("write", { path });
            assert.strictEqual(readFileSync(path, "utf8"), "canary");
          }
          for (const path of ["/escaped", "/usr/escaped", "/etc/escaped", "/dev/escaped"]) {
            assert.strictEqual(yield* attempt("write", { path }), "EROFS", path);
          }
          assert.notInclude(yield* attempt("parent"), "VITEST");
          assert.notInclude(yield* attempt("read", { path: "/etc/passwd" }), "root");
          assert.strictEqual(yield* attempt("socket", { port }), "ECONNREFUSED");
          assert.match(yield* attempt("read", { path: "/proc/self/status" }), /^CapEff:\t0+$/m);
          assert.match(
            yield* attempt("read", { path: "/proc/self/limits" }),
            /^Max processes +512 +512/m,
          );
          yield* assertLimits(scene);
          // The kernel does not limit root's processes.
          if (process.getuid?.() !== 0) {
            assert.notStrictEqual(yield* attempt("processes", { count: 800 }), "ok 800");
          }
          yield* assertNoneLeft(scene, "3600.27");
        }),
      ),
  );

  it.live.skipIf(lacks("bubblewrap"))(
    "[sandbox.bubblewrap.network] under bubblewrap a server that declares the network has it",
    () =>
      inside("bubblewrap", {}, ({ attempt, port }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* attempt("socket", { port }), "ok connected");
        }),
      ),
  );
});
