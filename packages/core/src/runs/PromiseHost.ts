import { Effect, type ManagedRuntime, Stream } from "effect";
import type { Attachment } from "../issues/Attachment.ts";
import type * as Attachments from "../issues/Attachments.ts";
import type { Comment } from "../issues/Comment.ts";
import type { ChangedIssue, Issue } from "../issues/Issue.ts";
import type { Question, QuestionCreate } from "../issues/Question.ts";
import type { Progress, ToolResult } from "../mcp/McpConnector.ts";
import type { AgentToolList } from "../mcp/ToolCall.ts";
import type * as Page from "../Page.ts";
import * as AgentHost from "./AgentHost.ts";
import type { Finish, HeartbeatAnswer, TurnAnswer } from "./Heartbeat.ts";
import * as Work from "./internal/Work.ts";

/** A file to attach. */
export interface Upload {
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes, or a stream of bytes: a `ReadableStream` and Node's `Readable` are async iterables. */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The file for `Attachments.upload`. */
export const uploadOf = ({ bytes, ...file }: Upload): Attachments.Upload<unknown, never> => ({
  ...file,
  bytes:
    bytes instanceof Uint8Array
      ? Stream.succeed(bytes)
      : Stream.fromAsyncIterable(bytes, (error) => error),
});

/** An issue that an agent picked up, for code that uses only promises. A failure is a rejection. */
export interface PromiseTask {
  readonly runId: string;
  readonly issue: Issue;
  /** Ends a turn. Rejects with `Stopped`, which also has `comments`, when the agent has to stop. */
  turn(): Promise<TurnAnswer>;
  /** Hands the issue in. Rejects with `Stopped` if the run no longer holds it. */
  finish(input: typeof Finish.Encoded): Promise<ChangedIssue>;
  /** Comments on the issue in the name of the agent. Rejects with `Stopped` if the issue was deleted. */
  comment(content: string): Promise<Comment>;
  /** Returns a page of the comments on the issue, oldest first by default. */
  comments(request?: Page.PageRequest): Promise<Page.Page<Comment>>;
  /** Attaches a file to the issue in the name of the agent. */
  attach(file: Upload): Promise<Attachment>;
  /**
   * Asks a person a question about the issue. While a blocking question (the default) is open, no
   * heartbeat picks the issue up: hand it in as `released`, and the next run gets the answer.
   */
  ask(question: typeof QuestionCreate.Encoded): Promise<Question>;
  /**
   * Shows people what the agent does now, 1 to 2,000 characters. This is a turn: it renews the lease
   * and returns new comments, and rejects with `Stopped` when the agent has to stop.
   */
  note(text: string): Promise<TurnAnswer>;
  /** Writes lines to the log of the run, at most 256 KiB. Calls are stored in their order. */
  log(text: string): Promise<void>;
  /** Returns the tools that the agent may use now. */
  tools(): Promise<AgentToolList>;
  /** Calls a tool once. Aborting the signal cancels the call. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: {
      readonly signal?: AbortSignal | undefined;
      readonly onProgress?: ((progress: Progress) => void) | undefined;
    },
  ): Promise<ToolResult>;
}

/** One agent of the host, for code that uses only promises. */
export interface PromiseAgent {
  readonly id: string;
  /** Sends a heartbeat: renews leases, and picks issues up. */
  heartbeat(input?: Parameters<AgentHost.HostedAgent["heartbeat"]>[0]): Promise<HeartbeatAnswer>;
  /** The task of a run that a heartbeat started. */
  task(started: HeartbeatAnswer["started"][number]): PromiseTask;
  /**
   * Returns the issues that the agent picks up, one at a time: the agent picks the next one up when
   * the loop asks for it, and sends heartbeats while it works. Transient failures of storage are
   * retried every second. The loop stops when the signal aborts. A task that is not handed in is
   * released when the loop stops, and held until its lease expires when the loop continues.
   */
  tasks(
    options?: Omit<AgentHost.WorkOptions, "capacity"> & {
      readonly signal?: AbortSignal | undefined;
    },
  ): AsyncGenerator<PromiseTask, void, void>;
}

/**
 * `AgentHost` as promises, over a runtime that provides it.
 *
 * @example
 * ```ts
 * import { Issues, Principal, PromiseHost } from "@quartermaster/core";
 * import { TestCore } from "@quartermaster/testing";
 * import { Effect, ManagedRuntime } from "effect";
 *
 * export const example = async () => {
 *   const runtime = ManagedRuntime.make(TestCore.layerMcp);
 *   const agent = await PromiseHost.make(runtime).agent("ops");
 *   const create = Issues.Issues.use((issues) =>
 *     issues.create("shop", { title: "Rotate the keys", assignedAgentId: "ops" }),
 *   ).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")));
 *   await runtime.runPromise(create);
 *   const statuses: Array<string> = [];
 *   for await (const task of agent.tasks()) {
 *     await task.turn();
 *     const issue = await task.finish({ outcome: "resolved" });
 *     statuses.push(issue.status);
 *     break;
 *   }
 *   await runtime.dispose();
 *   return statuses; // ["Resolved"]
 * };
 * ```
 */
export const make = <R, E>(
  runtime: ManagedRuntime.ManagedRuntime<R | AgentHost.AgentHost, E>,
): { agent(agentId: string): Promise<PromiseAgent> } => {
  const promiseTask = (task: AgentHost.Task): PromiseTask => ({
    runId: task.runId,
    issue: task.issue,
    turn: () => runtime.runPromise(task.turn),
    finish: (input) => runtime.runPromise(task.finish(input)),
    comment: (content) => runtime.runPromise(task.comment(content)),
    comments: (request) => runtime.runPromise(task.comments(request)),
    attach: (file) => runtime.runPromise(task.attach(uploadOf(file))),
    ask: (question) => runtime.runPromise(task.ask(question)),
    note: (text) => runtime.runPromise(task.note(text)),
    log: (text) => runtime.runPromise(task.log(text)),
    tools: () => runtime.runPromise(task.tools),
    call: (name, args, { signal, onProgress } = {}) =>
      runtime.runPromise(
        task.call(
          name,
          args,
          onProgress && { onProgress: (progress) => Effect.sync(() => onProgress(progress)) },
        ),
        { signal },
      ),
  });

  return {
    agent: async (agentId) => {
      const { agent } = await runtime.runPromise(AgentHost.AgentHost);
      const hosted = agent(agentId);

      async function* tasks(
        options: Parameters<PromiseAgent["tasks"]>[0] = {},
      ): AsyncGenerator<PromiseTask, void, void> {
        const { signal } = options;
        const { leaseSeconds, heartbeatSeconds } = await runtime.runPromise(Work.rhythm(options));
        const pause = Effect.sleep(`${heartbeatSeconds} seconds`);
        const isOver = () => signal?.aborted === true;
        while (!isOver()) {
          let started: HeartbeatAnswer["started"][number] | undefined;
          // A pick-up counts even if the signal aborts during the heartbeat: the issue must be
          // released.
          const beat = hosted.heartbeat({ capacity: 1, leaseSeconds }).pipe(
            Effect.map((answer) => ([started] = answer.started)),
            Effect.uninterruptible,
            Work.retryTransient(),
          );
          await runtime.runPromise(beat, { signal }).catch((error: unknown) => {
            if (!isOver()) throw error;
          });
          if (started === undefined) {
            await runtime.runPromise(pause, { signal }).catch(() => undefined);
            continue;
          }
          const alive = hosted
            .heartbeat({ capacity: 0, leaseSeconds, runs: [started.runId] })
            .pipe(Effect.ignore, Effect.delay(`${heartbeatSeconds} seconds`), Effect.forever);
          const task = hosted.task(started);
          const heartbeats = runtime.runFork(alive);
          let isLeft = true;
          try {
            if (!isOver()) yield promiseTask(task);
            isLeft = isOver();
          } finally {
            heartbeats.interruptUnsafe();
            // Fails if the task was already handed in, which is harmless.
            if (isLeft) {
              await runtime.runPromise(Effect.ignore(Work.handIn(task, { outcome: "released" })));
            }
          }
        }
      }

      return {
        id: agentId,
        heartbeat: (input) => runtime.runPromise(hosted.heartbeat(input)),
        task: (started) => promiseTask(hosted.task(started)),
        tasks,
      };
    },
  };
};
