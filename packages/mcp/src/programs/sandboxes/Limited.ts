import { readFile } from "node:fs/promises";
import type { ProcessSpawner } from "@quartermaster/core";
import { Effect } from "effect";
import { Programs } from "../packages/Programs.ts";
import type { Confined } from "./Sandboxes.ts";

/** A command line that the limits wrap. */
type Line = Pick<Confined, "command" | "args">;

/** The hard limits of this process, which it cannot raise, by name in /proc/self/limits. */
const hardLimits = Effect.map(
  Effect.orElseSucceed(
    Effect.tryPromise(() => readFile("/proc/self/limits", "utf8")),
    () => "",
  ),
  (text) =>
    new Map(
      text.split("\n").map((line) => {
        const [name = "", , hard] = line.split(/ {2,}/);
        return [name, Number(hard)] as const;
      }),
    ),
);

/**
 * The OOM score adjustment of programs. The kernel stops higher scores first; the largest is 1,000.
 */
export const wantedScore = 500;

const ownScore = Effect.orElseSucceed(
  Effect.tryPromise(async () => Number(await readFile("/proc/self/oom_score_adj", "utf8"))),
  () => 0,
);

/**
 * Process limits, set by `prlimit`, which then executes the program. Without `prlimit`, as outside
 * Linux, nothing is limited.
 *
 * - Memory is limited as data (RLIMIT_DATA) for each process. Address space (RLIMIT_AS) cannot be
 *   limited: V8 reserves gigabytes of it that it never uses.
 * - The number of processes (RLIMIT_NPROC) counts per user and user namespace. Without a namespace
 *   it would count everything that the service's user runs, so it is set only within one. The
 *   kernel does not apply it to root.
 * - When memory is short, `choom` makes the kernel stop the program before the service.
 */
export const make = Effect.gen(function* () {
  const programs = yield* Programs;
  const prlimit = yield* programs.find("prlimit");
  const choom = yield* programs.find("choom");
  const hard = yield* hardLimits;
  // A score below the process's own needs privileges.
  const score = Math.max(wantedScore, yield* ownScore);
  const goesFirst = choom === null ? [] : [choom, "-n", `${score}`, "--"];

  return (line: Line, limits: ProcessSpawner.Limits, hasNamespace: boolean): Line => {
    if (prlimit === null) return line;
    const [command = prlimit, ...before] = [...goesFirst, prlimit];
    const option = (option: string, name: string, wanted: number) => {
      const most = hard.get(name);
      const value = most !== undefined && most < wanted ? most : wanted;
      return `--${option}=${value}:${value}`;
    };
    return {
      command,
      args: [
        ...before,
        "--core=0:0",
        option("data", "Max data size", limits.memoryBytes),
        option("nofile", "Max open files", limits.openFiles),
        option("fsize", "Max file size", limits.fileBytes),
        ...(hasNamespace ? [option("nproc", "Max processes", limits.processes)] : []),
        "--",
        line.command,
        ...line.args,
      ],
    };
  };
});

export type Limited = Effect.Success<typeof make>;
