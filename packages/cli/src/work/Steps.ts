import type { Finish } from "@quartermaster/client";
import { Effect, Option, Schedule, Schema } from "effect";
import * as Api from "../Api.ts";
import { CommandError, usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import { variable } from "../Environment.ts";
import * as Input from "../Input.ts";
import * as IssueText from "../issue/IssueText.ts";
import * as Login from "../login/Login.ts";
import * as Mcp from "../Mcp.ts";
import * as Output from "../Output.ts";
import * as RunnerKey from "./RunnerKey.ts";

/** Steps of a run, for scripts that hold the run themselves. */

interface Flags extends Connection.ResultFlags {
  readonly agent: Option.Option<string>;
}

const Nothing = Schema.Struct({
  run: Schema.Null,
  reason: Schema.String,
  retryAfterSeconds: Schema.optionalKey(Schema.Finite),
});

const Picked = Schema.Struct({
  run: Schema.Struct({
    runId: Schema.String,
    attempt: Schema.Finite,
    leaseExpiresAt: Schema.String,
  }),
  issue: Schema.Struct({ key: Schema.String, title: Schema.String }),
});

const decode = Schema.decodeUnknownEffect(Schema.Union([Picked, Nothing]));

const reasons: Readonly<Record<string, string>> = {
  nothing: "There is no issue to work on.",
  notBefore: "Every issue is deferred to a later time.",
  awaitingAnswer: "Every issue waits for the answer to a question.",
  agentPaused: "The agent is paused.",
  projectPaused: "The project is paused.",
};

/** Retries a call whose response was lost: the server returns the same run to the same worker. */
const persistently = <A, R>(call: Effect.Effect<A, CommandError, R>) =>
  Effect.retry(call, {
    times: 2,
    schedule: Schedule.spaced("1 second"),
    while: ({ kind, retryAfterSeconds }) => kind === "unreachable" && retryAfterSeconds !== null,
  });

/** `quartermaster work next`. */
export const next = Effect.fnUntraced(function* (
  flags: Flags & {
    readonly project: Option.Option<string>;
    readonly lease: string;
    readonly wait: string;
  },
) {
  const leaseSeconds = yield* Duration.option("lease", flags.lease, 60, 86_400);
  const waitSeconds = yield* Duration.option("wait", flags.wait, 0, 55);
  // A claim acts for no run.
  const access = { ...(yield* Connection.open(flags)), runId: null };
  const worker = yield* RunnerKey.make(access, Option.getOrNull(flags.agent), []);
  const call = Mcp.ask(
    worker.access,
    "work_next",
    { leaseSeconds, waitSeconds, projectId: Option.getOrUndefined(flags.project) },
    { worker: yield* Mcp.worker, timeoutMillis: (waitSeconds + 30) * 1_000 },
  );
  if (waitSeconds > 0) {
    yield* Output.waiting(`up to ${waitSeconds}s for an issue of ${worker.agentId}`);
  }
  const answer = yield* persistently(call);
  const picked = yield* Effect.mapError(decode(answer), () => Mcp.notMcp(access.url));
  if (picked.run === null) {
    if (flags.json) yield* Output.one(true, answer, []);
    return yield* new CommandError({
      kind: "notFound",
      message: `${reasons[picked.reason] ?? "No issue can be picked up."} (${picked.reason})`,
      problem: null,
      retryAfterSeconds: picked.retryAfterSeconds ?? null,
    });
  }
  const { issue, run } = picked;
  yield* Output.list(
    flags.json,
    answer,
    ["RUN", "ISSUE", "ATTEMPT", "LEASE EXPIRES", "TITLE"],
    [[run.runId, issue.key, run.attempt, Output.time(run.leaseExpiresAt), issue.title]],
  );
}, Effect.scoped);

/** The run and its agent: from options, or from the variables that the runner sets for its command. */
const runOf = Effect.fnUntraced(function* (flags: Flags & { readonly run: Option.Option<string> }) {
  const runId = Option.getOrNull(flags.run) ?? (yield* variable("QM_RUN_ID"));
  if (runId === null) return yield* usage("Name the run with --run, or set QM_RUN_ID.");
  // The path names the run, so the calls send no header.
  const access = { ...(yield* Connection.open(flags)), runId: null };
  const agentId = yield* Login.agentOf(access, flags.agent);
  return { access, run: { agentId, runId } };
});

/** `quartermaster work turn`. */
export const turn = Effect.fnUntraced(function* (
  flags: Flags & { readonly run: Option.Option<string> },
) {
  const { access, run } = yield* runOf(flags);
  const answer = yield* Api.call(access, (client, options) => client.agents.turn(run, options));
  yield* Output.one(flags.json, answer, (look) => [
    answer.reason === null ? answer.action : `${answer.action} ${answer.reason}`,
    ...IssueText.comments(look, answer.comments),
    ...IssueText.changes(look, answer.changes),
  ]);
});

/** `quartermaster work finish`. */
export const finish = Effect.fnUntraced(function* (
  flags: Flags & {
    readonly run: Option.Option<string>;
    readonly outcome: Finish["outcome"];
    readonly comment: Option.Option<string>;
    readonly retry: boolean;
    readonly retryAfter: Option.Option<string>;
  },
) {
  const { outcome, retry, retryAfter } = flags;
  if (retry && outcome !== "failed") return yield* usage("--retry needs --outcome failed.");
  if (Option.isSome(retryAfter) && outcome !== "released") {
    return yield* usage("--retry-after needs --outcome released.");
  }
  const retryAfterSeconds = Option.isNone(retryAfter)
    ? undefined
    : yield* Duration.option("retry-after", retryAfter.value, 0, 604_800);
  const { access, run } = yield* runOf(flags);
  const comment = Option.isNone(flags.comment) ? undefined : yield* Input.text(flags.comment.value);
  const issue = yield* Api.call(access, (client, options) =>
    client.agents.finish(
      { ...run, outcome, comment, retry: retry ? true : undefined, retryAfterSeconds },
      options,
    ),
  );
  yield* Output.one(flags.json, issue, (look) => [IssueText.line(look, issue)]);
});
