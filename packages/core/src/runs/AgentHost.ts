import { Cause, Context, Deferred, Effect, Exit, Layer, Schedule, Schema } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import { StopReason } from "../agents/Run.ts";
import type { RunEnded } from "../agents/RunErrors.ts";
import type { NotFound, StorageError } from "../CommonErrors.ts";
import { InvalidRequest } from "../CommonErrors.ts";
import { Comment } from "../issues/Comment.ts";
import { Comments } from "../issues/Comments.ts";
import type { Issue } from "../issues/Issue.ts";
import { type CallOptions, ToolGateway } from "../mcp/gateway/ToolGateway.ts";
import type { ToolResult } from "../mcp/McpConnector.ts";
import type { ToolUnavailable } from "../mcp/McpErrors.ts";
import type { AgentToolList } from "../mcp/ToolCall.ts";
import type * as Page from "../Page.ts";
import type { Finish, Heartbeat, HeartbeatAnswer, TurnAnswer } from "./Heartbeat.ts";
import { Runs } from "./Runs.ts";

type Denied = Forbidden | NotFound | StorageError;

/** The run was told to stop at a turn boundary, or holds its issue no longer: leave the issue as it is. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", {
  reason: StopReason,
  /** What others said since the last turn; none from a run that had ended before. */
  comments: Schema.Array(Comment).pipe(Schema.withConstructorDefault(Effect.succeed([]))),
}) {
  override get message() {
    return `Leave the issue as it is: ${this.reason}.`;
  }
}

/** An issue that was picked up, and what its agent can do while it has it. */
export interface Task {
  readonly runId: string;
  /** The issue as it was picked up. */
  readonly issue: Issue;
  /**
   * The boundary between two turns: renews the lease and answers the comments that others made
   * meanwhile. Fails with `Stopped` when the agent has to stop.
   */
  readonly turn: Effect.Effect<TurnAnswer, Denied | Stopped>;
  /** Hands the issue in. Fails with `Stopped` if the run holds it no longer. */
  finish(input: typeof Finish.Encoded): Effect.Effect<Issue, Denied | InvalidRequest | Stopped>;
  /**
   * The comments on the issue, oldest first unless told otherwise: also those from before it was
   * picked up, which no turn answers.
   */
  comments(request?: Page.PageRequest): Effect.Effect<Page.Page<Comment>, Denied | InvalidRequest>;
  /** The tools that the agent may use now. */
  readonly tools: Effect.Effect<AgentToolList, Denied>;
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Effect.Effect<ToolResult, Denied | InvalidRequest | ToolUnavailable>;
}

/** How an agent works. */
export interface WorkOptions {
  /** Issues at once, 1 to 50; 1 unless told. */
  readonly capacity?: number | undefined;
  /** 300 unless told. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Seconds between heartbeats; 10 unless told, or a third of a lease that is shorter than 30. Less
   * than the lease, and better well below.
   */
  readonly heartbeatSeconds?: number | undefined;
}

/** One agent of the host's. */
export interface HostedAgent {
  readonly id: string;
  heartbeat(
    input?: typeof Heartbeat.Encoded,
  ): Effect.Effect<HeartbeatAnswer, Denied | InvalidRequest>;
  /** The task of a run that the agent was given. */
  task(started: HeartbeatAnswer["started"][number]): Task;
  /**
   * Works for ever: sends heartbeats, and does each issue that is picked up. What `work` answers
   * is how the issue is handed in; if it fails or dies, or answers what cannot be handed in, the
   * issue is handed in as failed, with the reason as a comment; if it is `Stopped`, the issue is
   * left as it is; if it is interrupted, the issue is released. Storage that fails for a moment is
   * asked again. Who is done asks for the next issue at once, unless it was released.
   */
  work<E, R>(
    work: (task: Task) => Effect.Effect<typeof Finish.Encoded, E | Stopped, R>,
    options?: WorkOptions,
  ): Effect.Effect<never, Denied | InvalidRequest, R>;
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, 2_000).toWellFormed() || "The work failed.";
};

/** How work that ended so is to be handed in. */
const outcomeOf = (
  exit: Exit.Exit<typeof Finish.Encoded, unknown>,
): Effect.Effect<typeof Finish.Encoded, Stopped> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value);
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ outcome: "released" });
  const error = Cause.squash(exit.cause);
  return error instanceof Stopped
    ? Effect.fail(error)
    : Effect.succeed({ outcome: "failed", comment: reasonOf(error) });
};

const isTransient = (error: { readonly _tag: string; readonly isRetryable?: boolean }) =>
  error._tag === "StorageError" && error.isRetryable === true;

/** The seconds between heartbeats, and of the lease that they renew. */
export const rhythm = ({
  leaseSeconds = 300,
  heartbeatSeconds = Math.min(10, leaseSeconds / 3),
}: WorkOptions) =>
  heartbeatSeconds > 0 && heartbeatSeconds < leaseSeconds
    ? Effect.succeed({ leaseSeconds, heartbeatSeconds })
    : InvalidRequest.at(
        "heartbeatSeconds",
        `must be more than 0 and less than leaseSeconds, which is ${leaseSeconds}`,
      );

/** Asks storage that fails for a moment again, every second; `times` in all, unless for ever. */
export const askAgain =
  (times?: number) =>
  <A, E extends { readonly _tag: string; readonly isRetryable?: boolean }, R>(
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R> =>
    Effect.retry(effect, { while: isTransient, schedule: Schedule.spaced("1 second"), times });

/** `task.finish`, where nobody is left to do it again if storage fails for a moment. */
export const handIn = (task: Task, input: typeof Finish.Encoded): ReturnType<Task["finish"]> =>
  askAgain(3)(task.finish(input));

/** The host's face: what a runtime of agents needs, agent by agent. */
export class AgentHost extends Context.Service<
  AgentHost,
  { agent(agentId: string): HostedAgent }
>()("@quartermaster/core/runs/AgentHost") {
  static readonly layerNoDeps = Layer.effect(
    AgentHost,
    Effect.gen(function* () {
      const runs = yield* Runs;
      const gateway = yield* ToolGateway;
      const comments = yield* Comments;

      const agent = (agentId: string): HostedAgent => {
        const as = Effect.provideService(Principal.CurrentPrincipal, Principal.agent(agentId));
        const stopped = (error: RunEnded) => new Stopped({ reason: error.reason });

        const heartbeat = (input?: typeof Heartbeat.Encoded) => as(runs.heartbeat(agentId, input));

        const task = ({ runId, issue }: HeartbeatAnswer["started"][number]): Task => ({
          runId,
          issue,
          turn: as(runs.turn(agentId, runId)).pipe(
            Effect.catchTag("RunEnded", stopped),
            Effect.flatMap((answer) =>
              answer.action === "stop"
                ? Effect.fail(
                    new Stopped({ reason: answer.reason ?? "unknown", comments: answer.comments }),
                  )
                : Effect.succeed(answer),
            ),
          ),
          finish: (input) =>
            Effect.catchTag(as(runs.finish(agentId, runId, input)), "RunEnded", stopped),
          comments: (request) => as(comments.list(issue.id, request)),
          tools: as(gateway.list(agentId)),
          call: (name, args = {}, options) =>
            as(gateway.call(agentId, { name, arguments: args }, options)),
        });

        /** Does one issue, from its pick-up to its end. Answers whether to ask for the next at once. */
        const perform = <E, R>(
          one: Task,
          work: (task: Task) => Effect.Effect<typeof Finish.Encoded, E | Stopped, R>,
        ): Effect.Effect<boolean, never, R> =>
          Effect.suspend(() => work(one)).pipe(
            Effect.interruptible,
            Effect.exit,
            Effect.flatMap(outcomeOf),
            Effect.flatMap((input) =>
              handIn(one, input).pipe(
                Effect.catchTag("InvalidRequest", (error) =>
                  handIn(one, { outcome: "failed", comment: reasonOf(error) }),
                ),
                Effect.as(input.outcome !== "released"),
              ),
            ),
            Effect.catchTag("Stopped", ({ reason }) =>
              Effect.logDebug("A run was stopped").pipe(
                Effect.annotateLogs({ agentId, runId: one.runId, reason }),
                Effect.as(true),
              ),
            ),
            Effect.catchCause((cause) =>
              Effect.logError("A run could not be handed in", cause).pipe(
                Effect.annotateLogs({ agentId, runId: one.runId }),
                Effect.as(false),
              ),
            ),
            Effect.uninterruptible,
          );

        const work = <E, R>(
          perTask: (task: Task) => Effect.Effect<typeof Finish.Encoded, E | Stopped, R>,
          options: WorkOptions = {},
        ): Effect.Effect<never, Denied | InvalidRequest, R> => {
          const { capacity = 1 } = options;
          return Effect.scoped(
            Effect.gen(function* () {
              const { leaseSeconds, heartbeatSeconds } = yield* rhythm(options);
              const pause = Effect.sleep(`${heartbeatSeconds} seconds`);
              const scope = yield* Effect.scope;
              const live = new Set<string>();
              let bell = Deferred.makeUnsafe<void>();

              const begin = (one: Task) => {
                live.add(one.runId);
                return perform(one, perTask).pipe(
                  Effect.tap((again) =>
                    Effect.sync(() => {
                      live.delete(one.runId);
                      if (again) Deferred.doneUnsafe(bell, Exit.void);
                    }),
                  ),
                  Effect.uninterruptible,
                  Effect.forkIn(scope, { startImmediately: true }),
                );
              };

              // Whatever was picked up is begun, so that an interruption finds it and releases it.
              const beat = Effect.suspend(() =>
                heartbeat({
                  capacity: Math.max(0, capacity - live.size),
                  leaseSeconds,
                  runs: [...live],
                }),
              ).pipe(
                Effect.flatMap(({ started }) =>
                  Effect.forEach(started, (one) => begin(task(one)), { discard: true }),
                ),
                Effect.uninterruptible,
                askAgain(),
              );

              while (true) {
                const rung = (bell = Deferred.makeUnsafe<void>());
                yield* beat;
                yield* Effect.raceFirst(pause, Deferred.await(rung));
              }
            }),
          );
        };

        return { id: agentId, heartbeat, task, work };
      };

      return AgentHost.of({ agent });
    }),
  );
}
