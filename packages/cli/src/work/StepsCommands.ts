import { Command, Flag } from "effect/cli";
import { connection, described, example, lazily, text } from "../Options.ts";

/** `quartermaster work next`, `turn` and `finish`. Their code is in `Steps.ts`. */

const steps = () => import("./Steps.ts");

const agent = text("agent", "The agent. Default: QM_AGENT_ID, then the agent of the key");

const run = text("run", "The id of the run, run_.... Default: QM_RUN_ID");

const next = Command.make(
  "next",
  {
    ...connection,
    agent: text("agent", "The agent that picks the issue up; required with an Admin's key"),
    project: text("project", "Only an issue of this project"),
    lease: Flag.String("lease").pipe(
      Flag.withDescription("How long the issue stays held without a turn, 1m to 24h. Default: 15m"),
      Flag.withDefault("15m"),
    ),
    wait: Flag.String("wait").pipe(
      Flag.withDescription("How long to wait for an issue, up to 55s. Default: 0s"),
      Flag.withDefault("0s"),
    ),
  },
  lazily(() => steps().then(({ next }) => next)),
).pipe(
  described(
    "Pick an issue up, and print its run",
    "For scripts that hold a run themselves: call `work turn` at least once per lease, and `work finish` at the end. If there is no issue, the exit code is 3, and stderr has the reason.",
  ),
  example("work next --wait 55s --json", "Wait for an issue, and print it with its comments"),
);

const turn = Command.make(
  "turn",
  { ...connection, agent, run },
  lazily(() => steps().then(({ turn }) => turn)),
).pipe(
  described(
    "Renew a run, and print whether to continue",
    "Prints `continue`, or `stop` and the reason, and then the comments since the last turn. After `stop`, leave the issue as it is.",
  ),
  example("work turn --run run_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Renew a run"),
);

const finish = Command.make(
  "finish",
  {
    ...connection,
    agent,
    run,
    outcome: Flag.Literals("outcome", ["resolved", "review", "released", "failed"]).pipe(
      Flag.withDescription("How to hand the issue in"),
    ),
    comment: text("comment", "A comment on the issue; - reads it from stdin"),
    retry: Flag.Boolean("retry").pipe(
      Flag.withDescription("With failed: the service tries the issue again instead of pausing it"),
      Flag.withDefault(false),
    ),
    retryAfter: text(
      "retry-after",
      "With released: the least time until the issue starts again, such as 10m",
    ),
  },
  lazily(() => steps().then(({ finish }) => finish)),
).pipe(
  described("Hand in the issue of a run"),
  example(
    'work finish --outcome review --comment "The roof is tight."',
    "Hand in for review, by QM_RUN_ID",
  ),
);

export const commands = [next, turn, finish] as const;
