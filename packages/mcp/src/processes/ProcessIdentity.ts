import { Context, Effect, Layer } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { Host, signal } from "./Host.ts";

/** A process that lives: its id may be another's later, with another start. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

const readText = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(path, "utf8")),
    () => "",
  );

/** The fields of `/proc/<pid>/stat` behind the name, which may hold anything: state is the first. */
const statOf = Effect.fnUntraced(function* (pid: number | string) {
  const text = yield* readText(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "X", , group = "", , ...rest] = fields;
  return { alive: !/^[ZX]/.test(state), group: Number(group), start: rest[15] ?? "" };
});

/** Tells processes from others that have the same id. On Windows no start is known, so none matches. */
export class ProcessIdentity extends Context.Service<
  ProcessIdentity,
  {
    /** The system that process ids are of: this boot of this host, this namespace. */
    readonly system: string;
    /** When the process began, in the system's own words; null if it does not live, or is unknown. */
    startOf(pid: number): Effect.Effect<string | null>;
    isAlive(identity: Identity): Effect.Effect<boolean>;
    /** Whether a process of the group has this assignment in its environment; Linux alone knows. */
    groupHas(pid: number, assignment: string): Effect.Effect<boolean>;
  }
>()("@quartermaster/mcp/processes/ProcessIdentity") {
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
          const { alive, start } = yield* statOf(pid);
          return alive && start !== "" ? start : null;
        }
        if (platform === "win32" || !signal(pid, 0)) return null;
        const ps = ChildProcess.make("ps", ["-o", "lstart=", "-p", `${pid}`], {
          env: { PATH: environment["PATH"], LC_ALL: "C" },
        });
        const text = yield* Effect.orElseSucceed(spawner.string(ps), () => "");
        return text.trim() === "" ? null : text.trim();
      });

      const isAlive = ({ pid, start }: Identity) =>
        Effect.map(startOf(pid), (found) => found === start);

      const groupHas = Effect.fn("ProcessIdentity.groupHas")(function* (
        pid: number,
        assignment: string,
      ) {
        if (!linux) return false;
        const names = yield* Effect.orElseSucceed(
          Effect.tryPromise(() => readdir("/proc")),
          () => [],
        );
        for (const name of names) {
          if (!/^\d+$/.test(name) || (yield* statOf(name)).group !== pid) continue;
          const assignments = (yield* readText(`/proc/${name}/environ`)).split("\0");
          if (assignments.includes(assignment)) return true;
        }
        return false;
      });

      return ProcessIdentity.of({ system, startOf, isAlive, groupHas });
    }),
  );
}
