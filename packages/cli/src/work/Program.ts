import { resolve } from "node:path";
import { Effect, Fiber } from "effect";
import type * as CommandOutput from "./CommandOutput.ts";
import type { Host, Work } from "./hosts/Host.ts";
import type * as Hosts from "./hosts/Hosts.ts";
import * as Sessions from "./hosts/Sessions.ts";
import * as ProcessGroup from "./ProcessGroup.ts";

type Run = Work & { readonly agentId: string; readonly issueId: string };

/**
 * The program of a run under `--with`: the host continues the session of the issue's previous attempt. If the host
 * refuses, it starts again with a new session, in the same run.
 */
const startHost = Effect.fnUntraced(function* (
  name: Hosts.Name,
  host: Host,
  output: CommandOutput.CommandOutput,
  run: Run,
  program: ProcessGroup.Program,
) {
  const folder = resolve(program.folder ?? ".");
  const sessions = yield* Sessions.make([run.agentId, run.issueId, name, folder]);
  const fork = Effect.runForkWith(yield* Effect.context());
  let written: Effect.Effect<void> = Effect.void;
  /** Completes when the session is stored. The runner may exit when its last run has ended. */
  const stored = Effect.suspend(() => written);
  const start = (session: string | null) =>
    ProcessGroup.start({
      ...program,
      command: host.program,
      args: host.args(run, session, program.args),
      environment: { ...host.environment(run), ...program.environment },
    }).pipe(
      Effect.tap(({ pid }) =>
        Effect.sync(() =>
          output.onSession((next) => {
            if (pid !== undefined) written = Fiber.join(fork(sessions.write(next, pid)));
          }),
        ),
      ),
    );

  const previous = yield* sessions.read;
  let group = yield* start(previous);
  const ended = Effect.gen(function* () {
    const end = yield* group.ended;
    const isRefused =
      previous !== null && end.kind === "exited" && end.code !== 0 && output.isRefused();
    if (!isRefused) return end;
    output.forget();
    group = yield* Effect.uninterruptible(start(null));
    return yield* group.ended;
  }).pipe(Effect.tap(stored));
  return {
    pid: group.pid,
    ended,
    stop: (graceMillis, hurry) =>
      Effect.andThen(
        Effect.suspend(() => group.stop(graceMillis, hurry)),
        stored,
      ),
  } satisfies ProcessGroup.ProcessGroup;
});

/** Starts the command of a run, or the host that `--with` names. */
export const start = (
  name: Hosts.Name | null,
  output: CommandOutput.CommandOutput,
  run: Run,
  program: ProcessGroup.Program,
) =>
  name === null || output.host === null
    ? ProcessGroup.start(program)
    : startHost(name, output.host, output, run, program);
