import { Context, Effect, Layer, Semaphore } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import { RunEnded } from "../agents/AgentErrors.ts";
import { CurrentRun } from "../agents/CurrentRun.ts";
import type { InvalidRequest, LimitExceeded, NotFound, StorageError } from "../CommonErrors.ts";
import { Attachments } from "../issues/Attachments.ts";
import { Comments } from "../issues/Comments.ts";
import { Questions } from "../issues/Questions.ts";
import { ToolGateway } from "../mcp/gateway/ToolGateway.ts";
import type { Finish, Heartbeat, HeartbeatAnswer, TurnAnswer } from "./Heartbeat.ts";
import * as Work from "./internal/Work.ts";
import { RunLogs } from "./RunLogs.ts";
import { Runs } from "./Runs.ts";
import { Stopped, type Task, type WorkOptions } from "./Task.ts";

export { Stopped, type Task, type WorkOptions } from "./Task.ts";

type AgentError = Forbidden | NotFound | StorageError;

/** One agent of the host. It acts in its own name, with the Editor role. */
export interface HostedAgent {
  readonly id: string;
  /**
   * Sends a heartbeat: renews the leases of `runs`, picks up at most `capacity` issues, and returns
   * the runs to stop. Registers the agent if it is unknown.
   */
  heartbeat(
    input?: typeof Heartbeat.Encoded,
  ): Effect.Effect<HeartbeatAnswer, AgentError | InvalidRequest | LimitExceeded>;
  /** The task of a run that a heartbeat started. */
  task(started: HeartbeatAnswer["started"][number]): Task;
  /**
   * Never returns: sends heartbeats and performs each issue that they pick up.
   *
   * - The result of `work` is handed in. If `work` fails or dies, or its result cannot be handed
   *   in, the issue is handed in as `failed`, with the reason as a comment.
   * - If `work` fails with `Stopped`, the issue does not change. If `work` is interrupted, the
   *   issue is released.
   * - After finishing an issue the agent polls immediately. After releasing one it waits for the
   *   next heartbeat.
   * - Transient failures of storage are retried every second.
   *
   * @example
   * ```ts
   * import { AgentHost, EventLog, Issues } from "@quartermaster/core";
   * import { Effect, Stream } from "effect";
   *
   * export const example = Effect.gen(function* () {
   *   const issues = yield* Issues.Issues;
   *   const host = yield* AgentHost.AgentHost;
   *   const log = yield* EventLog.EventLog;
   *   const finished = yield* log.subscribe({ filter: { kinds: ["issue.finished"] } });
   *   const { id } = yield* issues.create("shop", {
   *     title: "Rotate the keys",
   *     assignedAgentId: "ops",
   *   });
   *   const work = host.agent("ops").work(({ issue, turn }) =>
   *     Effect.as(turn, { outcome: "review", comment: `Done: ${issue.title}` } as const),
   *   );
   *   yield* Effect.raceFirst(work, Stream.runDrain(Stream.take(finished, 1)));
   *   return (yield* issues.get(id)).status; // "PendingReview"
   * });
   * ```
   */
  work<E, R>(
    work: (task: Task) => Effect.Effect<typeof Finish.Encoded, E | Stopped, R>,
    options?: WorkOptions,
  ): Effect.Effect<never, AgentError | InvalidRequest | LimitExceeded, R>;
}

/**
 * The service for a runtime of agents, one agent at a time.
 *
 * @example
 * ```ts
 * import { AgentHost, Issues } from "@quartermaster/core";
 * import { Effect } from "effect";
 *
 * export const example = Effect.gen(function* () {
 *   const issues = yield* Issues.Issues;
 *   const host = yield* AgentHost.AgentHost;
 *   yield* issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" });
 *   const agent = host.agent("ops");
 *   const { started } = yield* agent.heartbeat();
 *   const done = yield* Effect.forEach(started, (run) =>
 *     agent.task(run).finish({ outcome: "resolved", comment: "Keys are rotated." }),
 *   );
 *   return done.map((issue) => issue.status); // ["Resolved"]
 * });
 * ```
 */
export class AgentHost extends Context.Service<
  AgentHost,
  {
    /** Returns the agent with this id. Its first heartbeat registers it. */
    agent(agentId: string): HostedAgent;
  }
>()("@quartermaster/core/runs/AgentHost") {
  static readonly layerNoDeps = Layer.effect(
    AgentHost,
    Effect.gen(function* () {
      const runs = yield* Runs;
      const gateway = yield* ToolGateway;
      const comments = yield* Comments;
      const attachments = yield* Attachments;
      const questions = yield* Questions;
      const logs = yield* RunLogs;

      const agent = (agentId: string): HostedAgent => {
        const as = Effect.provideService(Principal.CurrentPrincipal, Principal.agent(agentId));

        const heartbeat = (input?: typeof Heartbeat.Encoded) => as(runs.heartbeat(agentId, input));

        const task = ({ runId, issue }: HeartbeatAnswer["started"][number]): Task => {
          const acting = <A, E>(effect: Effect.Effect<A, E, Principal.CurrentPrincipal>) =>
            as(Effect.provideService(effect, CurrentRun, { id: runId, agentId }));
          const turn = (input?: { readonly note: string }) =>
            acting(runs.turn(agentId, runId, input)).pipe(
              Effect.catchTag("RunEnded", stopped),
              // A turn without usage has no key of usage.
              Effect.catchTag("UsageKey", Effect.die),
              Effect.flatMap(continued),
            );
          // Entries have the writer's own numbers, so each waits for the one before.
          const oneLog = Semaphore.makeUnsafe(1);
          let from = 0;
          const log = Effect.fnUntraced(function* (text: string) {
            const entries = [{ stream: "host" as const, text }];
            const { next } = yield* logs.append(agentId, runId, { writer: "task", from, entries });
            from = next;
          });
          return {
            runId,
            issue,
            // A turn without a note is valid.
            turn: Effect.catchTag(turn(), "InvalidRequest", Effect.die),
            finish: (input) =>
              Effect.catchTag(acting(runs.finish(agentId, runId, input)), "RunEnded", stopped),
            comment: (content) =>
              Effect.catchTag(acting(comments.create(issue.id, { content })), "RunEnded", stopped),
            comments: (request) => acting(comments.list(issue.id, request)),
            attach: (file) =>
              Effect.catchIf(
                acting(attachments.upload(issue.id, file)),
                (error): error is RunEnded => error instanceof RunEnded,
                stopped,
              ),
            ask: (input) =>
              acting(questions.ask(issue.id, input)).pipe(
                Effect.catchTag("RunEnded", stopped),
                Effect.map(({ question }) => question),
              ),
            note: (note) => turn({ note }),
            log: (text) =>
              acting(log(text.endsWith("\n") ? text : `${text}\n`)).pipe(
                oneLog.withPermits(1),
                Effect.catchTag("RunEnded", stopped),
              ),
            tools: acting(gateway.list(agentId)),
            call: (name, args = {}, options) =>
              acting(gateway.call(agentId, { name, arguments: args }, options)),
          };
        };

        return {
          id: agentId,
          heartbeat,
          task,
          work: (work, options = {}) => Work.loop({ id: agentId, heartbeat, task }, work, options),
        };
      };

      return AgentHost.of({ agent });
    }),
  );
}

const stopped = ({ reason }: RunEnded) => new Stopped({ reason });

/** Fails with `Stopped` if the run has to stop. */
const continued = (answer: TurnAnswer): Effect.Effect<TurnAnswer, Stopped> =>
  answer.action === "continue"
    ? Effect.succeed(answer)
    : Effect.fail(new Stopped({ reason: answer.reason ?? "unknown", comments: answer.comments }));
