import { setTimeout as sleep } from "node:timers/promises";
import * as Processes from "./Processes.ts";
import type { Random } from "./Random.ts";
import * as Records from "./Records.ts";
import type { start } from "./Runners.ts";

/** Random kill -9 of a runner, of a command with all its processes, or of both at the same time. */

/** Milliseconds between two kills, on average. */
const pause = 1_000;

export type Kills = Readonly<Record<"runner" | "command" | "both", number>>;

export const rage = async (
  runners: ReturnType<typeof start>,
  random: Random,
  millis: number,
): Promise<Kills> => {
  const kills = { runner: 0, command: 0, both: 0 };
  const until = performance.now() + millis;
  while (performance.now() < until) {
    await sleep(pause / 2 + random.below(pause));
    const kind = random.pick(["runner", "runner", "command", "both"] as const) ?? "runner";
    if (kind === "runner") {
      const pid = random.pick(runners.alive());
      if (pid !== undefined && runners.kill(pid)) kills.runner += 1;
      continue;
    }
    const working = Records.read(Processes.records).filter(
      (command) => command.endLine === null && Processes.isRunning(command),
    );
    const command = random.pick(working);
    if (command === undefined) continue;
    const isRunnerKilled = kind === "both" && runners.kill(command.runnerPid);
    if (Processes.killCommand(command)) kills[isRunnerKilled ? "both" : "command"] += 1;
    else if (isRunnerKilled) kills.runner += 1;
  }
  return kills;
};
