import type { Finish, HeartbeatAnswer } from "@quartermaster/client";
import { Clock, Console, Deferred, Effect, Redacted } from "effect";
import * as Api from "../Api.ts";
import * as Output from "../Output.ts";
import * as NodeProcess from "../process/NodeProcess.ts";
import * as CommandLine from "./CommandLine.ts";
import * as HandIn from "./HandIn.ts";
import * as Outcome from "./Outcome.ts";
import * as ProcessGroup from "./ProcessGroup.ts";
import * as Prompt from "./Prompt.ts";
import * as RunFolder from "./RunFolder.ts";
import type { Worker } from "./RunnerKey.ts";
import { Tail } from "./Tail.ts";

/**
 * One run, from its start to its end:
 *
 * working ─ the command exits ───────────────────────► handed in by its exit code
 *    ├───── `--timeout` ──────► stopping the command ─► handed in as failed, with retry
 *    ├───── the runner closes, or the lease runs out ─► handed in as released
 *    └───── told to stop ─────► stopping the command ─► the server learns it at a turn
 *              └─ the command handed the run in itself: it finishes undisturbed
 *
 * Invariant: while the lease stands nothing else works on the issue, and when it expires the command
 * is dead. So a command is stopped before the end of a lease that could not be renewed.
 */

export interface Options {
  readonly command: string;
  readonly args: ReadonlyArray<string>;
  readonly folder: string | undefined;
  readonly leaseSeconds: number;
  readonly timeoutSeconds: number;
  readonly onSuccess: "review" | "resolved";
  readonly output: Outcome.Output["format"];
}

/** A run that the runner executes. `deadline` is the end of its lease, in milliseconds of the epoch. */
export interface LiveRun {
  readonly runId: string;
  readonly told: Deferred.Deferred<string>;
  deadline: number;
}

/** Closing: the runner shuts down. Hurry: immediately, without a grace. */
export interface Shutdown {
  readonly closing: Deferred.Deferred<void>;
  readonly hurry: Deferred.Deferred<void>;
}

/** Milliseconds from SIGTERM to SIGKILL. */
const graceMillis = 10_000;

/** The time before the end of a lease in which the command is stopped. */
export const leaseMargin = (leaseSeconds: number): number =>
  Math.min(graceMillis, leaseSeconds * 250);

type Event =
  | { readonly kind: "ended"; readonly end: Outcome.End }
  | { readonly kind: "told"; readonly reason: string }
  | { readonly kind: "lease" | "closing" | "timeout" };

/** Variables of the runner, without its own settings: they may have an Admin's key, or a master key. */
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

/** Resolves when the lease has to count as lost. Renewals move its deadline. */
const leaseLost = (run: LiveRun, options: Options) =>
  Effect.gen(function* () {
    for (;;) {
      const now = yield* Clock.currentTimeMillis;
      const left = run.deadline - leaseMargin(options.leaseSeconds) - now;
      if (left <= 0) return;
      yield* Effect.sleep(left);
    }
  });

/** Whether the command handed the run in itself: then it may finish what it does. */
const handedIn = (worker: Worker, runId: string) =>
  Api.call(worker.access, (client, options) =>
    client.agents.runs({ agentId: worker.agentId, limit: 500 }, options).page(),
  ).pipe(
    Effect.map(({ items }) => items.some((run) => run.id === runId && run.outcome !== null)),
    Effect.orElseSucceed(() => false),
  );

const acknowledge = (worker: Worker, runId: string) =>
  Effect.ignore(
    Api.call(
      worker.access,
      (client, options) => client.agents.turn({ agentId: worker.agentId, runId }, options),
      { timeoutMillis: 5_000 },
    ),
  );

/** Adds what a command wrote before it had to stop. Its issue may be gone. */
const comment = (worker: Worker, issueId: string, content: string) =>
  Effect.ignore(
    Api.call(
      worker.access,
      (client, options) => client.comments.create({ issueId, content }, options),
      { timeoutMillis: 5_000 },
    ),
  );

/** Works on an issue that a heartbeat started, and hands it in. */
export const execute = Effect.fnUntraced(function* (
  worker: Worker,
  options: Options,
  started: HeartbeatAnswer["started"][number],
  run: LiveRun,
  shutdown: Shutdown,
) {
  const { issue, runId } = started;
  const say = (text: string) => Console.error(`${issue.id} ${Output.cell(text)}`);
  yield* say(`started (${runId}, attempt ${started.attempt}): ${issue.title}`);
  // What the command gets, and what its output must not show: the runner itself may go on with a newer key.
  const access = worker.access;
  const key = Redacted.value(access.key);
  const stdout = new Tail(key);
  const stderr = new Tail(key);
  const handIn = (finish: Finish) => HandIn.handIn(worker, run, finish, shutdown.closing, say);

  const output = () => ({ stdout: stdout.text, stderr: stderr.text, format: options.output });

  const files = yield* Effect.result(RunFolder.make(started, access.url));
  if (files._tag === "Failure") {
    const reason = `its files cannot be written (${files.failure.reason._tag})`;
    return yield* handIn(
      Outcome.of(
        { kind: "missing", reason },
        { stdout: "", stderr: "", format: options.output },
        options.onSuccess,
      ),
    );
  }
  const prompt = Prompt.text(started);
  const group = yield* ProcessGroup.start({
    command: options.command,
    args: CommandLine.withPrompt(options.args, prompt),
    folder: options.folder,
    environment: {
      ...(yield* environmentFor(worker.agentId, access, started)),
      QM_ISSUE_FILE: files.success.issueFile,
      QM_MCP_CONFIG: files.success.mcpConfig,
    },
    stdin: prompt,
    onStdout: (chunk) => {
      stdout.push(chunk);
      NodeProcess.show(chunk);
    },
    onStderr: (chunk) => {
      stderr.push(chunk);
      NodeProcess.show(chunk);
    },
  });

  const ended: Effect.Effect<Event> = Effect.map(group.ended, (end) => ({ kind: "ended", end }));
  const closing: Effect.Effect<Event> = Effect.as(Deferred.await(shutdown.closing), {
    kind: "closing",
  });
  const timeout: Effect.Effect<Event> = Effect.as(Effect.sleep(options.timeoutSeconds * 1_000), {
    kind: "timeout",
  });
  const event = yield* Effect.raceAllFirst([
    ended,
    closing,
    timeout,
    Effect.map(Deferred.await(run.told), (reason): Event => ({ kind: "told", reason })),
    Effect.as(leaseLost(run, options), { kind: "lease" } satisfies Event),
  ]);
  const hurry = Deferred.await(shutdown.hurry);
  const grace = event.kind === "lease" ? leaseMargin(options.leaseSeconds) : graceMillis;

  if (event.kind === "told") {
    if (yield* handedIn(worker, runId)) {
      yield* say("was handed in by the command");
      const after = yield* Effect.raceAllFirst([ended, closing, timeout]);
      if (after.kind !== "ended") yield* group.stop(grace, hurry);
      return;
    }
    yield* say(`stopping: ${event.reason}`);
    yield* group.stop(grace, hurry);
    const content = Outcome.ofStop(event.reason, output());
    if (content !== null) yield* comment(worker, issue.id, content);
    return yield* acknowledge(worker, runId);
  }
  if (event.kind !== "ended") yield* group.stop(grace, hurry);
  yield* handIn(Outcome.of(endOf(event), output(), options.onSuccess));
}, Effect.scoped);

const endOf = (event: Exclude<Event, { kind: "told" }>): Outcome.End => {
  if (event.kind === "ended") return event.end;
  return event.kind === "timeout" ? { kind: "timedOut" } : { kind: "interrupted" };
};
