import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { getPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { Context, Effect, Layer, Stream } from "effect";
import { Orphans, Processes } from "../src/index.ts";
import * as Fixture from "./support/Fixture.ts";
import * as World from "./support/World.ts";

const recordsOf = (dataDir: string) => readdirSync(join(dataDir, "processes"));

/** Starts another service with this data directory. */
const start = (dataDir: string) => Layer.build(Processes.Processes.layer({ dataDir }));

/** A service in a separate process, which is killed when the scope closes. */
const service = (dataDir: string, behaviour: string, argument = "") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const script = fileURLToPath(new URL("support/Owner.ts", import.meta.url));
      const args = ["--conditions=quartermaster-source", script, dataDir, behaviour, argument];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      return child;
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  );

const kill = (child: ChildProcess) =>
  Effect.promise(async () => {
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  });

/** A process that no service started, which is killed when the scope closes. */
const innocent = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    await once(child, "spawn");
    return child.pid!;
  }),
  (pid) => Effect.sync(() => void (Fixture.isAlive(pid) && process.kill(pid, "SIGKILL"))),
);

const record = (dataDir: string, content: unknown) => {
  mkdirSync(join(dataDir, "processes"), { recursive: true });
  writeFileSync(join(dataDir, "processes", "one.json"), JSON.stringify(content));
};

const options = { concurrent: true, skip: process.platform !== "linux" };

describe("processes of a crashed service", options, () => {
  it.live(
    "[processes.abandoned] the next service stops a group that a crashed one left, even if it ignores SIGTERM",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const child = yield* service(dataDir, "stubborn-family");
        yield* Fixture.until(dataDir, () => Fixture.pids(dataDir, "grandchild").length === 1);
        yield* kill(child);
        const pids = [...Fixture.pids(dataDir), ...Fixture.pids(dataDir, "grandchild")];
        assert.lengthOf(pids, 2);
        for (const pid of pids) assert.isTrue(Fixture.isAlive(pid));
        yield* start(dataDir);
        for (const pid of pids) {
          assert.isTrue(yield* Fixture.exited(pid));
        }
        assert.lengthOf(recordsOf(dataDir), 0);
      }).pipe(Effect.scoped),
  );

  it.live(
    "[processes.abandoned.leaderless] the next service stops a group whose leader has exited",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const child = yield* service(dataDir, "family-leader-dies", "1500");
        yield* Fixture.until(dataDir, () => Fixture.pids(dataDir, "grandchild").length === 1);
        yield* kill(child);
        const [leader] = Fixture.pids(dataDir);
        const [grandchild] = Fixture.pids(dataDir, "grandchild");
        assert.isTrue(yield* Fixture.exited(leader!));
        assert.isTrue(Fixture.isAlive(grandchild!));
        yield* start(dataDir);
        assert.isTrue(yield* Fixture.exited(grandchild!));
      }).pipe(Effect.scoped),
    60_000,
  );

  it.live(
    "[processes.left] the next service stops processes that left their group, session and parent",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const child = yield* service(dataDir, "leaves");
        yield* Fixture.until(dataDir, () => Fixture.pids(dataDir, "grandchild").length === 2);
        yield* kill(child);
        const pids = Fixture.pids(dataDir, "grandchild");
        for (const pid of pids) assert.isTrue(Fixture.isAlive(pid));
        yield* start(dataDir);
        for (const pid of pids) assert.isFalse(Fixture.isAlive(pid));
        assert.lengthOf(recordsOf(dataDir), 0);
      }).pipe(Effect.scoped),
  );

  it.live("[processes.living] a group is left alone while its service runs", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        yield* Fixture.connect(dataDir);
        yield* Effect.scoped(start(dataDir));
        assert.isTrue(Fixture.isAlive(Fixture.pids(dataDir)[0]!));
        assert.lengthOf(recordsOf(dataDir), 1);
      }),
    ),
  );

  it.live("[processes.reused] a process with a reused id is left alone", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        yield* Fixture.connect(dataDir);
        const [name = ""] = recordsOf(dataDir);
        const written = JSON.parse(readFileSync(join(dataDir, "processes", name), "utf8"));
        const pid = yield* innocent;
        const owner = { ...written.owner, start: "0" };
        record(dataDir, { ...written, owner, marker: "gone", leader: { ...written.leader, pid } });
        yield* Effect.scoped(start(dataDir));
        assert.isTrue(Fixture.isAlive(pid));
        assert.deepStrictEqual(recordsOf(dataDir), [name]);
      }),
    ),
  );

  it.live(
    "[processes.abandoned.early] a program is recorded before it starts, and found without its leader",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const context = yield* start(dataDir);
        const { stdout } = yield* Context.get(context, Processes.Processes).start({
          command: "/bin/sh",
          args: ["-c", 'cat "$1"/*.json', "sh", join(dataDir, "processes")],
          env: { PATH: "/usr/bin:/bin" },
          cwd: dataDir,
        });
        const atStart = JSON.parse(yield* Stream.mkString(Stream.decodeText(stdout)));
        const marker = randomUUID();
        const script = "trap '' TERM; echo ready; while :; do sleep 0.2; done";
        const left = spawn("/bin/sh", ["-c", script], {
          detached: true,
          stdio: ["ignore", "pipe", "ignore"],
          env: { PATH: "/usr/bin:/bin", MCP_SERVER_PROCESS: marker },
        });
        const exit = once(left, "exit");
        yield* Effect.addFinalizer(() => Effect.sync(() => left.kill("SIGKILL")));
        // From then on it ignores SIGTERM.
        yield* Effect.promise(() => once(left.stdout, "data"));
        // The service was killed before it knew the program's process id.
        const other = join(dataDir, "other");
        const owner = { ...atStart.owner, pid: 4_194_303 };
        record(other, { ...atStart, owner, leader: null, marker });
        assert.deepStrictEqual(yield* Orphans.list(other), [left.pid ?? 0]);
        yield* start(other);
        assert.deepStrictEqual(yield* Effect.promise(() => exit), [null, "SIGKILL"]);
        assert.lengthOf(recordsOf(other), 0);
      }).pipe(Effect.scoped),
  );

  it.live("[processes.foreign] a record of another host is left alone", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const owner = { pid: 1, start: "1" };
      record(dataDir, { system: "elsewhere 1 2", owner, leader: owner, marker: "gone" });
      yield* start(dataDir);
      assert.lengthOf(recordsOf(dataDir), 1);
    }).pipe(Effect.scoped),
  );
});

describe("a started program", options, () => {
  it.live("[processes.priority] yields to the service, and so does all of its session", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const context = yield* start(dataDir);
      const { pid } = yield* Context.get(context, Processes.Processes).start({
        command: "/bin/sleep",
        args: ["60"],
        env: {},
        cwd: dataDir,
      });
      const group = `/proc/${pid}/autogroup`;
      const told = () =>
        getPriority(pid) === 5 &&
        (!existsSync(group) || readFileSync(group, "utf8").trim().endsWith(" nice 5"));
      // No file in the folder changes when the kernel refuses the first attempt, and a later one succeeds.
      while (!told()) yield* Effect.sleep("25 millis");
    }).pipe(Effect.scoped),
  );
});
