import {
  type Finish,
  type HeartbeatAnswer,
  isProblem,
  type RemoteTask,
  Stopped,
} from "@quartermaster/client";
import {
  Clock,
  Console,
  Deferred,
  Effect,
  type FileSystem,
  type Path,
  Redacted,
  Result,
  type Scope,
} from "effect";
import * as Api from "../Api.ts";
import * as Output from "../Output.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import * as CommandLine from "./CommandLine.ts";
import * as CommandOutput from "./CommandOutput.ts";
import * as Hosts from "./hosts/Hosts.ts";
import * as Limits from "./Limits.ts";
import * as Outcome from "./Outcome.ts";
import * as Program from "./Program.ts";
import * as Prompt from "./Prompt.ts";
import * as RunFolder from "./RunFolder.ts";
import type { Worker } from "./RunnerKey.ts";
import type * as Worktrees from "./Worktrees.ts";

/**
 * The states of one run:
 *
 * working ─ the command exits ───────────────────────► handed in by its exit code
 *    ├───── `--timeout` ──────► stopping the command ─► handed in as failed, with retry
 *    ├───── the runner closes, or the lease expires ──► handed in as released
 *    ├───── the runner halts (`Breaker`) ─────────────► handed in as released, with its attempts
 *    └───── server stops it ──► stopping the command ─► acknowledged with a turn
 *              └─ the command handed the run in itself: it finishes undisturbed
 *
 * Invariant: while the lease is valid nothing else works on the issue, and when it expires the
 * command is dead. The command is therefore stopped before the end of a lease that could not be
 * renewed.
 */

export interface Options {
  /** The host of `--with`; null if `command` runs. */
  readonly host: Hosts.Name | null;
  readonly command: string;
  readonly args: ReadonlyArray<string>;
  readonly folder: string | undefined;
  /** Null if all commands work in `folder`. */
  readonly worktrees: Worktrees.Worktrees | null;
  readonly leaseSeconds: number;
  readonly timeoutSeconds: number;
  readonly onSuccess: "review" | "resolved";
  readonly output: Outcome.Output["format"];
  /** Whether the output of commands goes only to the logs of their runs. */
  readonly quiet: boolean;
}

/**
 * `worked`: the command did its work. `failed`: it did not; `limit` is the cause that its output
 * reports. `stopped`: the run was released or stopped. `lost`: the result could not be handed in.
 */
export interface Ended {
  readonly kind: "worked" | "failed" | "stopped" | "lost";
  readonly limit: Limits.Limit | null;
}

const result = (kind: Ended["kind"], limit: Limits.Limit | null = null): Ended => ({
  kind,
  limit,
});

/**
 * `closing`: the runner shuts down. `halting`: it stops its commands, because no command can succeed now. `hurry`: it
 * stops immediately, without a grace period.
 */
export interface Shutdown {
  readonly closing: Deferred.Deferred<void>;
  readonly halting: Deferred.Deferred<void>;
  readonly hurry: Deferred.Deferred<void>;
}

/** Milliseconds from SIGTERM to SIGKILL. */
const graceMillis = 10_000;

/** Milliseconds before the end of a lease at which the command is stopped. */
export const leaseMargin = (leaseSeconds: number): number =>
  Math.min(graceMillis, leaseSeconds * 250);

type Event =
  | { readonly kind: "ended"; readonly end: Outcome.End }
  | { readonly kind: "stopped"; readonly reason: string }
  | { readonly kind: "lease" | "closing" | "halting" | "timeout" };

/**
 * The command's environment. It leaves out the runner's settings, which may contain an Admin's key
 * or a master key.
 */
const environmentFor = Effect.fnUntraced(function* (
  agentId: string,
  { key, url }: Api.Access,
  started: HeartbeatAnswer["started"][number],
) {
  const inherited = Object.entries(yield* NodeProcess.Environment).flatMap(([name, value]) =>
    value === undefined || name.startsWith("QM_") ? [] : [[name, value]],
  );
  return {
    ...Object.fromEntries(inherited),
    QM_URL: url,
    QM_KEY: Redacted.value(key),
    QM_AGENT_ID: agentId,
    QM_ISSUE_ID: started.issue.id,
    QM_RUN_ID: started.runId,
  };
});

/** Resolves when the lease counts as lost. Renewals postpone it. */
const leaseLost = (task: RemoteTask, options: Options) =>
  Effect.gen(function* () {
    for (;;) {
      const left = task.leaseRemaining - leaseMargin(options.leaseSeconds);
      if (left <= 0) return;
      yield* Effect.sleep(left);
    }
  });

/** Whether the command handed the run in itself. Then it may finish undisturbed. */
const handedIn = (worker: Worker, runId: string) =>
  Api.call(worker.access, (client, options) =>
    client.agents.runs({ agentId: worker.agentId, limit: 500 }, options).page(),
  ).pipe(
    Effect.map(({ items }) => items.some((run) => run.id === runId && run.outcome !== null)),
    Effect.orElseSucceed(() => false),
  );

/** Resolves with the reason when the server stops the run. */
const stopOf = ({ signal }: RemoteTask) =>
  Effect.callback<Event>((resume) => {
    const check = () => {
      const { reason } = signal;
      if (reason instanceof Stopped)
        resume(Effect.succeed({ kind: "stopped", reason: reason.reason }));
    };
    if (signal.aborted) check();
    else signal.addEventListener("abort", check, { once: true });
  });

const kinds = {
  resolved: "worked",
  review: "worked",
  released: "stopped",
  failed: "failed",
} as const satisfies Record<Finish["outcome"], Ended["kind"]>;

/**
 * Hands a run in. The client retries until the lease expires, and detects a finish whose response
 * was lost.
 */
const handIn = Effect.fnUntraced(function* (
  task: RemoteTask,
  finish: Finish,
  url: string,
  say: (text: string) => Effect.Effect<void>,
) {
  const handedIn = yield* Effect.result(
    Effect.tryPromise({
      try: () =>
        task.finish(finish).catch((error: unknown) => {
          // Usage that the server does not accept must not keep the work from it.
          const isUsage = isProblem(error, "usage-key") || isProblem(error, "invalid-request");
          if (finish.usage == null || !isUsage) throw error;
          return task.finish({ ...finish, usage: null });
        }),
      catch: (error) => error,
    }),
  );
  if (handedIn._tag === "Success") {
    const { handedInAs = finish.outcome, status } = handedIn.success;
    yield* say(`${handedInAs}: ${status}`);
    return kinds[finish.outcome];
  }
  if (handedIn.failure instanceof Stopped) {
    yield* say("was already handed in or stopped");
    return "stopped";
  }
  yield* say(`cannot be handed in: ${Api.failure(url)(handedIn.failure).message}`);
  return "lost";
});

/** Comments with the output of a stopped command. A failure is ignored: the issue may be deleted. */
const comment = (task: RemoteTask, content: string) =>
  Effect.tryPromise(() => task.comment(content)).pipe(
    Effect.timeoutOption("5 seconds"),
    Effect.ignore,
  );

/** Runs the command for an issue that a heartbeat started, and hands the issue in. */
export const execute = Effect.fnUntraced(function* (
  worker: Worker,
  options: Options,
  task: RemoteTask,
  shutdown: Shutdown,
): Effect.fn.Return<Ended, never, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const { issue, runId, started } = task;
  const say = (text: string) => Console.error(`${issue.key} ${Output.cell(text)}`);
  yield* say(`started (${runId}, attempt ${started.attempt}): ${issue.title}`);
  // The key that the command gets and that its output must not show. The runner may have a newer
  // key by then.
  const access = worker.access;
  const run = { agentId: worker.agentId, runId, issueId: issue.id };
  const host = options.host === null ? null : Hosts.forRun(options.host, options.args);
  const printed = yield* CommandOutput.make(access, run, options.quiet, host);
  const output = () => ({ ...printed.text, format: options.output });
  const end = Effect.fnUntraced(function* (end: Outcome.End) {
    yield* printed.end;
    const { stderr, stdout } = output();
    const outcome = Outcome.of(end, output(), options.onSuccess);
    yield* printed.usage.send(50);
    const finish = { ...outcome, ...printed.usage.rest() };
    const kind = yield* handIn(task, finish, access.url, say);
    const now = yield* Clock.currentTimeMillis;
    return result(kind, kind === "failed" ? Limits.limitIn(`${stdout}\n${stderr}`, now) : null);
  });

  const files = yield* Effect.result(RunFolder.make(started, access.url));
  if (files._tag === "Failure") {
    const reason = `its files cannot be written (${files.failure.reason._tag})`;
    return yield* end({ kind: "missing", reason });
  }
  const folder =
    options.worktrees === null
      ? Result.succeed(options.folder)
      : yield* Effect.result(options.worktrees.folderFor(issue.id));
  if (folder._tag === "Failure") {
    return yield* end({ kind: "missing", reason: folder.failure.message });
  }
  const prompt = Prompt.text(started);
  const group = yield* Program.start(
    options.host,
    printed,
    { ...run, url: access.url, mcpConfig: files.success.mcpConfig },
    {
      command: options.command,
      args: CommandLine.withPrompt(options.args, prompt),
      folder: folder.success,
      environment: {
        ...(yield* environmentFor(worker.agentId, access, started)),
        QM_ISSUE_FILE: files.success.issueFile,
        QM_MCP_CONFIG: files.success.mcpConfig,
      },
      stdin: prompt,
      onStdout: printed.onStdout,
      onStderr: printed.onStderr,
    },
  );

  const ended: Effect.Effect<Event> = Effect.map(group.ended, (end) => ({ kind: "ended", end }));
  const closing: Effect.Effect<Event> = Effect.as(Deferred.await(shutdown.closing), {
    kind: "closing",
  });
  const halting: Effect.Effect<Event> = Effect.as(Deferred.await(shutdown.halting), {
    kind: "halting",
  });
  const timeout: Effect.Effect<Event> = Effect.as(Effect.sleep(options.timeoutSeconds * 1_000), {
    kind: "timeout",
  });
  const event = yield* Effect.raceAllFirst([
    ended,
    closing,
    halting,
    timeout,
    stopOf(task),
    Effect.as(leaseLost(task, options), { kind: "lease" } satisfies Event),
  ]);
  const hurry = Deferred.await(shutdown.hurry);
  const grace = event.kind === "lease" ? leaseMargin(options.leaseSeconds) : graceMillis;

  if (event.kind === "stopped") {
    if (yield* handedIn(worker, runId)) {
      yield* say("the command handed the issue in itself");
      const after = yield* Effect.raceAllFirst([ended, closing, timeout]);
      if (after.kind !== "ended") yield* group.stop(grace, hurry);
      yield* printed.end;
      yield* printed.usage.send(0);
      return result("worked");
    }
    yield* say(`stopping: ${event.reason}`);
    yield* group.stop(grace, hurry);
    yield* printed.end;
    const content = Outcome.ofStop(event.reason, output());
    if (content !== null) yield* comment(task, content);
    // Acknowledges the stop. The call rejects because the run stopped.
    yield* Effect.ignore(Effect.tryPromise(() => task.turn(printed.usage.rest())));
    return result("stopped");
  }
  if (event.kind !== "ended") yield* group.stop(grace, hurry);
  return yield* end(endOf(event));
});

const endOf = (event: Exclude<Event, { kind: "stopped" }>): Outcome.End => {
  if (event.kind === "ended") return event.end;
  if (event.kind === "halting") return { kind: "halted" };
  return event.kind === "timeout" ? { kind: "timedOut" } : { kind: "interrupted" };
};
