import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { Context, Effect, Layer } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { Host, signal } from "./Host.ts";
import * as ProcessTable from "./ProcessTable.ts";

const readText = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(path, "utf8")),
    () => "",
  );

/**
 * Distinguishes processes that reuse an id. On Windows the start is unknown, so no process matches.
 */
export class ProcessIdentity extends Context.Service<
  ProcessIdentity,
  {
    /** The scope of process ids: the boot of this host and the PID namespace. */
    readonly system: string;
    /**
     * The start of a process, in the system's format; null if it is not alive or the start is
     * unknown.
     */
    startOf(pid: number): Effect.Effect<string | null>;
    isAlive(identity: ProcessTable.Identity): Effect.Effect<boolean>;
    /**
     * The descendants of the leader, and processes that started at `since` or later with this
     * assignment in their environment. Linux only: empty on other systems.
     */
    membersOf(
      assignment: string,
      leader: ProcessTable.Identity | null,
      since: string,
    ): Effect.Effect<ReadonlyArray<ProcessTable.Stat>>;
    /** The descendants of the leader; null if the system does not list them. */
    descendantsOf(
      leader: ProcessTable.Identity,
    ): Effect.Effect<ReadonlyArray<ProcessTable.Stat> | null>;
  }
>()("@quartermaster/mcp/programs/processes/ProcessIdentity") {
  static readonly layer = Layer.effect(
    ProcessIdentity,
    Effect.gen(function* () {
      const { platform, environment } = yield* Host;
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner;
      const linux = platform === "linux";

      const boot = linux
        ? yield* Effect.all([
            readText("/proc/sys/kernel/random/boot_id"),
            Effect.orElseSucceed(
              Effect.tryPromise(() => readlink("/proc/self/ns/pid")),
              () => "",
            ),
          ])
        : [];
      const system = [hostname(), ...boot].map((part) => part.trim()).join(" ");

      const startOf = Effect.fn("ProcessIdentity.startOf")(function* (pid: number) {
        if (linux) {
          const { isAlive, start } = ProcessTable.statOf(pid);
          return isAlive ? start : null;
        }
        if (platform === "win32" || !signal(pid, 0)) return null;
        const ps = ChildProcess.make("ps", ["-o", "lstart=", "-p", `${pid}`], {
          env: { PATH: environment["PATH"], LC_ALL: "C" },
        });
        const text = yield* Effect.orElseSucceed(spawner.string(ps), () => "");
        return text.trim() === "" ? null : text.trim();
      });

      const isAlive = ({ pid, start }: ProcessTable.Identity) =>
        Effect.map(startOf(pid), (current) => current === start);

      const membersOf = (assignment: string, leader: ProcessTable.Identity | null, since: string) =>
        Effect.sync(() => (linux ? ProcessTable.membersOf(assignment, leader, since) : []));

      const descendantsOf = (leader: ProcessTable.Identity) =>
        Effect.sync(() => (linux ? ProcessTable.descendantsOf(leader) : null));

      return ProcessIdentity.of({ system, startOf, isAlive, membersOf, descendantsOf });
    }),
  );
}
