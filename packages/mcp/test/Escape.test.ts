import { randomUUID } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { createServer, type ListenOptions } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { McpConnector, ProcessSpawner, Sandbox } from "@quartermaster/core";
import { Effect, Exit, Layer, Redacted, Scope, Stream } from "effect";
import { Connector, type Sandboxes } from "../src/index.ts";
import * as World from "./support/World.ts";

const script = fileURLToPath(new URL("support/escape.mjs", import.meta.url));
const gigabytes = 1024 ** 3;
const scoreOf = (pid: number | "self") =>
  Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));

/** The leader process of the only program of a data directory. */
const leaderIn = (dataDir: string): number => {
  const [record = ""] = readdirSync(join(dataDir, "processes"));
  return JSON.parse(readFileSync(join(dataDir, "processes", record), "utf8")).leader.pid;
};

const descendantsOf = (pid: number): ReadonlyArray<number> =>
  (readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? []).flatMap(
    (child) => [Number(child), ...descendantsOf(Number(child))],
  );

/** The processes with this argument. */
const runningWith = (argument: string) =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(argument);
    } catch {
      return false;
    }
  });

/** A socket of the host that accepts connections. */
const listening = (options: ListenOptions) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((socket) => socket.end());
      server.listen(options, () => resume(Effect.succeed(server)));
    }),
    (server) => Effect.sync(() => server.close()),
  );

const port = listening({ port: 0, host: "127.0.0.1" }).pipe(
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
  /** A socket of the host with a path, and one without a file. */
  readonly socket: string;
  readonly abstract: string;
  /** Makes an attempt. Returns `ok` with its result, or the code of the error. */
  readonly attempt: (name: string, args?: Record<string, unknown>) => Effect.Effect<string>;
  /** Stops the server. */
  readonly stop: Effect.Effect<void>;
}

/** Joined at run time, since the arguments of this process may contain its source. */
const variable = ["value", randomUUID()].join("-");

/**
 * Checks that neither an argument visible to users of the host nor the launcher contains the
 * server's variable.
 */
const assertNotListed = (dataDir: string, layer: Sandboxes.Name) => {
  assert.deepStrictEqual(runningWith(variable), []);
  if (layer !== "bubblewrap") return;
  const environment = readFileSync(`/proc/${leaderIn(dataDir)}/environ`, "utf8");
  assert.match(environment, /^MCP_SERVER_PROCESS=[\w-]+\0$/);
};

/**
 * Starts the server that tries to escape, in a sandbox. Does nothing if the host does not have the
 * sandbox.
 */
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
            env: { CANARY: Redacted.make(variable) },
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
      assert.strictEqual(yield* attempt("variable", { name: "CANARY" }), `ok ${variable}`);
      assertNotListed(dataDir, layer);
      const socket = join(host, "socket");
      const abstract = `\0${host}`;
      yield* listening({ path: socket });
      yield* listening({ path: abstract });
      const stop = Scope.close(scope, Exit.void);
      yield* body({ dataDir, hostFile, port: yield* port, socket, abstract, attempt, stop });
    });
    yield* Effect.provide(open, Layer.provideMerge(Connector.layer, World.spawner(dataDir, layer)));
  }).pipe(Effect.scoped);

const secretsOf = ({ dataDir, hostFile }: Scene) => [
  ...["owner-key", "secret-key", "quartermaster.db", "servers/other/shared/private"].map((name) =>
    join(dataDir, name),
  ),
  hostFile,
];

/** The limits that each process has, in every sandbox. */
const assertLimits = ({ attempt, dataDir }: Scene) =>
  Effect.gen(function* () {
    const leader = leaderIn(dataDir);
    const scores = [leader, ...descendantsOf(leader)].map(scoreOf);
    assert.strictEqual(scores.at(-1), Math.max(500, scoreOf("self")));
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
      // No event reports a process that was started in another session.
      while (runningWith(seconds).length < 2)
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
    yield* stop;
    assert.deepStrictEqual(runningWith(seconds), []);
  });

/** Attempts in JavaScript that Node's permission model denies and `direct` allows. */
const waysOfNode = {
  database: "ERR_UNKNOWN_BUILTIN_MODULE",
  worker: "ERR_ACCESS_DENIED",
  wasi: "ERR_ACCESS_DENIED",
  inspector: "ERR_ACCESS_DENIED",
  binding: "ERR_ACCESS_DENIED",
  native: "ERR_DLOPEN_DISABLED",
  engine: "ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED",
  execve: "ERR_ACCESS_DENIED",
  variables: "ERR_ACCESS_DENIED",
  report: "ERR_ACCESS_DENIED",
  snapshot: "ERR_ACCESS_DENIED",
  options: "ERR_ACCESS_DENIED",
  traces: "ERR_ACCESS_DENIED",
  hooks: "ERR_ACCESS_DENIED",
  link: "ERR_ACCESS_DENIED",
  folder: "ERR_ACCESS_DENIED",
  watch: "ERR_ACCESS_DENIED",
  blob: "ERR_ACCESS_DENIED",
};

const hasLimits = existsSync("/usr/bin/prlimit");
/** The test of a sandbox that the host does not have is skipped. */
const reports = await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(World.folder, (dataDir) =>
      Effect.flatMap(ProcessSpawner.ProcessSpawner, ({ sandboxes }) => sandboxes).pipe(
        Effect.provide(World.spawner(dataDir)),
      ),
    ),
  ),
);
/**
 * Modules whose functions only write output or exist under another name, and the module that this
 * sandbox removes.
 */
const withoutFunctions = new Set(["console", "constants", "process", "node:sqlite"]);

const modulesScript = fileURLToPath(new URL("support/escapeModules.mjs", import.meta.url));

const programIn = (
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  overrides: Partial<ProcessSpawner.Program> = {},
): ProcessSpawner.Program => ({
  command: process.execPath,
  args: [Redacted.make(modulesScript)],
  env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, Redacted.make(value)])),
  folder: join(dataDir, "servers", "modules", "shared"),
  files: [],
  runtime: "none",
  isLocal: true,
  isOwn: false,
  sandbox: Sandbox.defaults,
  ...overrides,
});

/** Runs a program until it exits. */
const run = (dataDir: string, program: ProcessSpawner.Program, sandbox: Sandboxes.Name = "node") =>
  ProcessSpawner.ProcessSpawner.use(({ start }) =>
    Effect.flatMap(
      start(program, { input: Stream.empty, limits: ProcessSpawner.limits }),
      (child) =>
        Effect.all([child.exit, Stream.runDrain(child.stdout), Stream.runDrain(child.stderr)], {
          concurrency: "unbounded",
        }),
    ),
  ).pipe(Effect.provide(World.spawner(dataDir, sandbox)), Effect.scoped);

/** Calls every function of Node's modules with the path of a file, declared or not. */
const everyCall = (isDeclared: boolean) =>
  Effect.gen(function* () {
    const dataDir = yield* World.folder;
    const host = yield* World.folder;
    const file = join(host, "private");
    writeFileSync(file, "canary");
    let lines: ReadonlyArray<string> = [];
    const noted = (kind: string) =>
      lines.flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []));
    // If a call ends the process, the next process continues.
    for (let starts = 0; starts < 20 && lines.at(-1) !== "done"; starts++) {
      const args = [modulesScript, file, String(noted("call").length)];
      const program = programIn(
        dataDir,
        {},
        {
          args: args.map((arg) => Redacted.make(arg)),
          sandbox: { ...Sandbox.defaults, read: isDeclared ? [file] : [] },
        },
      );
      yield* run(dataDir, program);
      lines = readFileSync(join(program.folder, "calls"), "utf8").trim().split("\n");
    }
    assert.strictEqual(lines.at(-1), "done");
    if (!isDeclared) {
      assert.strictEqual(readFileSync(file, "utf8"), "canary");
      assert.deepStrictEqual(readdirSync(host), ["private"]);
    }
    return { calls: noted("call"), leaks: [...new Set(noted("leak"))] };
  }).pipe(Effect.scoped);

const lacks = (layer: Sandboxes.Name) => reports[layer]?.detected !== true;

const linux = { concurrent: true, skip: process.platform !== "linux" || !hasLimits };

describe("a server that tries to escape", linux, () => {
  it.live(
    "[sandbox.direct] under direct it has limits, and the processes that it leaves are stopped",
    () =>
      inside("direct", { childProcesses: true }, (scene) =>
        Effect.gen(function* () {
          const { abstract, attempt, port, socket } = scene;
          for (const path of secretsOf(scene)) {
            assert.strictEqual(yield* attempt("read", { path }), "ok canary", path);
            assert.strictEqual(yield* attempt("run", { path }), "ok canary", path);
          }
          assert.include(yield* attempt("parent"), "PATH=");
          assert.strictEqual(yield* attempt("worker", { path: scene.hostFile }), "ok canary");
          assert.strictEqual(yield* attempt("signal", { pid: process.pid }), "ok true");
          assert.strictEqual(yield* attempt("socket", { port }), "ok connected");
          assert.strictEqual(yield* attempt("unix", { path: socket }), "ok connected");
          assert.strictEqual(yield* attempt("unix", { path: abstract }), "ok connected");
          yield* assertLimits(scene);
          yield* assertNoneLeft(scene, "3600.25");
        }),
      ),
  );

  it.live("[sandbox.node] under Node's permission model it reads only its own files", () =>
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
        assert.strictEqual(yield* attempt("namespace"), "ERR_ACCESS_DENIED");
        for (const [name, code] of Object.entries(waysOfNode)) {
          assert.strictEqual(yield* attempt(name, { path: scene.hostFile }), code, name);
        }
        assert.strictEqual(readFileSync(scene.hostFile, "utf8"), "canary");
        // The sandbox does not prevent signals and sockets.
        assert.strictEqual(yield* attempt("signal", { pid: process.pid }), "ok true");
        assert.strictEqual(yield* attempt("socket", { port: scene.port }), "ok connected");
        assert.strictEqual(yield* attempt("unix", { path: scene.socket }), "ok connected");
        assert.strictEqual(yield* attempt("unix", { path: scene.abstract }), "ok connected");
        yield* assertLimits(scene);
      }),
    ),
  );

  it.live("[sandbox.node.modules] no function of a module of Node.js reads or writes a file", () =>
    Effect.gen(function* () {
      const { calls, leaks } = yield* everyCall(false);
      assert.deepStrictEqual(leaks, []);
      const modules = new Set(calls.map((name) => name.replace(/\..*$/, "")));
      assert.deepStrictEqual(
        builtinModules.filter((name) => !modules.has(name) && !withoutFunctions.has(name)),
        [],
      );
      assert.notInclude([...modules], "node:sqlite");
      // The search does find functions that read a declared file.
      assert.include((yield* everyCall(true)).leaks, "fs.readFileSync");
    }),
  );

  it.live("[sandbox.variables] a variable that could change Node's permissions is refused", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const program = programIn(dataDir, { NODE_OPTIONS: "--allow-fs-read=*" });
      const error = yield* Effect.flip(run(dataDir, program));
      assert.include(error.message, "the variable NODE_OPTIONS could change what Node.js permits");
    }).pipe(Effect.scoped),
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
          assert.strictEqual(yield* attempt("unix", { path: scene.socket }), "ENOENT");
          assert.strictEqual(yield* attempt("unix", { path: scene.abstract }), "ECONNREFUSED");
          assert.strictEqual(yield* attempt("signal", { pid: process.pid }), "ESRCH");
          assert.notInclude(yield* attempt("worker", { path: scene.hostFile }), "canary");
          yield* attempt("database", { path: scene.hostFile });
          assert.strictEqual(readFileSync(scene.hostFile, "utf8"), "canary");
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
          const family = descendantsOf(leaderIn(scene.dataDir));
          assert.isAbove(family.length, 1);
          yield* assertNoneLeft(scene, "3600.27");
          // Nothing waits for process 1 of the host, which may be slow or the service itself.
          assert.isEmpty(family.filter((pid) => existsSync(`/proc/${pid}`)));
        }),
      ),
  );

  it.live.skipIf(lacks("bubblewrap") || !lstatSync("/bin").isSymbolicLink())(
    "[sandbox.bubblewrap.links] a program starts below /bin, where that is a link",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const program = { ...programIn(dataDir), command: "/bin/true", args: [] };
        const [exit] = yield* run(dataDir, program, "bubblewrap");
        assert.deepStrictEqual(exit, { code: 0, signal: null });
      }).pipe(Effect.scoped),
  );

  it.live.skipIf(lacks("bubblewrap"))(
    "[sandbox.bubblewrap.network] under bubblewrap a server that declares the network has it",
    () =>
      inside("bubblewrap", {}, ({ abstract, attempt, port, socket }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* attempt("socket", { port }), "ok connected");
          assert.strictEqual(yield* attempt("unix", { path: abstract }), "ok connected");
          assert.strictEqual(yield* attempt("unix", { path: socket }), "ENOENT");
          // Only a program that declares other programs may create namespaces, as browsers do.
          assert.include(yield* attempt("namespace"), "unshare failed");
        }),
      ),
  );
});
