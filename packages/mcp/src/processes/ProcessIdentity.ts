import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { Context, Effect, Layer } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { Host, signal } from "./Host.ts";

/** A process. Its id may be reused later, by a process with another start. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

const readText = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(path, "utf8")),
    () => "",
  );

/** The fields of `/proc/<pid>/stat` after the name, which may contain anything. The first is the state. */
const statOf = Effect.fnUntraced(function* (pid: number | string) {
  const text = yield* readText(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "X", , group = "", , ...rest] = fields;
  return { alive: !/^[ZX]/.test(state), group: Number(group), start: rest[15] ?? "" };
});

/** Tells processes with the same id apart. On Windows no start is known, so that none matches. */
export class ProcessIdentity extends Context.Service<
  ProcessIdentity,
  {
    /** The scope of process ids: this boot of this host, and this namespace. */
    readonly system: string;
    /** When the process started, as the system writes it; null if it is not alive or unknown. */
    startOf(pid: number): Effect.Effect<string | null>;
    isAlive(identity: Identity): Effect.Effect<boolean>;
    /** Whether a process of the group has this assignment in its environment. Linux only. */
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
        Effect.map(startOf(pid), (current) => current === start);

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
