import type { Methods } from "./contract/Methods.ts";
import type { Finish } from "./contract/Schemas.ts";
import * as Loop from "./internal/Loop.ts";
import { isProblem } from "./Problem.ts";
import { type RemoteTask, Stopped, type TaskOptions } from "./Task.ts";

/** An agent whose work this program does. */
export interface RemoteAgent {
  readonly id: string;
  /**
   * Returns the issues that the agent picks up. Heartbeats renew the leases of all held issues.
   *
   * - A task is held until `finish`, until `turn` or `finish` rejects with `Stopped`, or until its
   *   lease expires. The next task follows while fewer than `capacity` are held: finish each.
   * - While the server is unreachable, heartbeats are retried every second.
   * - The loop ends when the signal aborts. Tasks that are still held then, or when the caller
   *   leaves the loop, are released.
   */
  tasks(options?: TaskOptions): AsyncGenerator<RemoteTask, void, void>;
  /**
   * Performs each issue that the agent picks up, until the signal aborts. Rejects if the server
   * refuses the heartbeats.
   *
   * - The value that `perform` returns is handed in. If it returns nothing, it has handed the issue
   *   in itself; otherwise the lease expires.
   * - If `perform` throws, or the server refuses the value, the issue is handed in as `failed` with
   *   the message as a comment.
   * - If `perform` throws a `Stopped`, or throws after a stop, the issue stays unchanged. If it
   *   throws after the signal aborted, the issue is released.
   */
  work(perform: (task: RemoteTask) => Promise<Finish | void>, options?: TaskOptions): Promise<void>;
}

const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const start = text.slice(0, 2_000).toWellFormed();
  return start.trim() === "" ? "The work failed." : start;
};

const outcomeOf = async (
  task: RemoteTask,
  options: TaskOptions,
  perform: (task: RemoteTask) => Promise<Finish | void>,
): Promise<Finish | void> => {
  try {
    return await perform(task);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return options.signal?.aborted === true
      ? { outcome: "released" }
      : { outcome: "failed", comment: reasonOf(error) };
  }
};

/** Performs one issue and hands it in. */
const performed = async (
  task: RemoteTask,
  options: TaskOptions,
  perform: (task: RemoteTask) => Promise<Finish | void>,
): Promise<void> => {
  try {
    const outcome = await outcomeOf(task, options, perform);
    if (outcome === undefined) return;
    await task.finish(outcome).catch((error: unknown) => {
      if (!isProblem(error, "invalid-request") && !isProblem(error, "usage-key")) throw error;
      return task.finish({ outcome: "failed", comment: reasonOf(error) });
    });
  } catch {
    // Acknowledges a stop that `perform` reported. If that fails, the lease expires and the server
    // decides.
    if (task.signal.aborted) await task.turn().catch(() => undefined);
  }
};

export const agentOf = (methods: Methods, agentId: string): RemoteAgent => ({
  id: agentId,
  async *tasks(options = {}) {
    const loop = Loop.make(methods, agentId, options);
    try {
      for (let task; ([task] = await loop.claim(1)), task !== undefined;) yield task;
    } finally {
      await loop.close();
    }
  },
  async work(perform, options = {}) {
    const { capacity = 1 } = options;
    const loop = Loop.make(methods, agentId, options);
    const running = new Set<Promise<void>>();
    try {
      for (;;) {
        const tasks = await loop.claim(capacity - running.size);
        if (tasks.length === 0) break;
        for (const task of tasks) {
          const run = performed(task, options, perform).finally(() => {
            running.delete(run);
            loop.drop(task.runId);
          });
          running.add(run);
        }
        if (running.size >= capacity) await Promise.race(running);
      }
    } finally {
      await Promise.all(running);
      await loop.close();
    }
  },
});
