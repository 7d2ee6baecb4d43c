import { Id, Run, RunLog, RunTimeline, Timestamp } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const path = "/api/agents/:agentId/runs/:runId/log";
const run = {
  agentId: Id.HostId.annotateKey({ description: "The agent's id, chosen by the host." }),
  runId: Id.ServiceId.annotateKey({ description: "The run's id." }),
};

/** A body of 256 KiB of texts whose characters are all escaped. */
const logBytes = 2 * 1024 * 1024;

const whole = (minimum: number, maximum: number) =>
  Schema.Int.check(
    Schema.isBetween(
      { minimum, maximum },
      { expected: `a whole number from ${minimum} to ${maximum}` },
    ),
  );

const writeLog = HttpApiEndpoint.post("writeLog", path, {
  params: run,
  payload: RunLog.LogEntries.annotate({
    examples: [{ from: 0, entries: [{ stream: "stdout", text: "42 tests passed\n" }] }],
  }),
  success: RunLog.LogAppended,
  error: [Problem.NotFound, Problem.RunEnded, Problem.LogGap, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Write to the log of a run",
    description:
      "Stores entries in the order of the writer's own numbers. Stored entries are not stored again, so that a request without a response can be repeated. Entries that leave a gap, and repeated entries with other texts, are 409 with the number to continue from. Secrets in texts become `[secret]`. An agent's key writes only to the log of a run that it started, or that the header `Quartermaster-Run` names.",
    access: { ...editor, only: "agent" },
    idempotencyKey: "refused",
    jsonBytes: logBytes,
  }),
);

const readLog = HttpApiEndpoint.get("readLog", path, {
  params: run,
  query: {
    after: Schema.optionalKey(whole(0, Number.MAX_SAFE_INTEGER)).annotateKey({
      description: "Only entries with higher numbers. Default: 0.",
      contentSchema: { type: "integer", minimum: 0, default: 0 },
    }),
    tail: Schema.optionalKey(whole(1, 5_000)).annotateKey({
      description: "Only the newest entries of the run, this many. Default: all.",
      contentSchema: { type: "integer", minimum: 1, maximum: 5_000 },
    }),
    limit: Schema.optionalKey(whole(1, 5_000)).annotateKey({
      description:
        "Entries per response, 1 to 5,000. Fewer if their texts have more than 2 MiB. Default: 1,000.",
      contentSchema: { type: "integer", minimum: 1, maximum: 5_000, default: 1_000 },
    }),
    stream: Schema.optionalKey(RunLog.LogStream).annotateKey({
      description: "Only entries of this stream.",
    }),
    writer: Schema.optionalKey(Schema.String).annotateKey({
      description: "Only entries of this writer.",
    }),
    waitSeconds: Schema.optionalKey(whole(0, 55)).annotateKey({
      description:
        "Seconds to wait for an entry if there is none, 0 to 55. The wait ends when the run ends. Default: 0.",
      contentSchema: { type: "integer", minimum: 0, maximum: 55, default: 0 },
    }),
  },
  success: [RunLog.LogPage, Schema.String.pipe(HttpApiSchema.asText())],
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Read the log of a run",
    description:
      "Returns entries, oldest first; `next` is `after` of the next request. With `Accept: text/plain` it streams all entries that the log has as text, without `limit` and `waitSeconds`.",
    access: viewer,
  }),
);

const list = HttpApiEndpoint.get("list", "/api/runs", {
  query: {
    ...paging,
    agentId: Schema.optionalKey(Id.HostId).annotateKey({
      description: "Only runs of this agent.",
    }),
    projectId: Schema.optionalKey(Id.ProjectId).annotateKey({
      description: "Only runs of issues of this project.",
    }),
    issueId: Schema.optionalKey(Id.ServiceId).annotateKey({
      description: "Only runs of this issue.",
    }),
    status: Schema.optionalKey(Run.RunStatus).annotateKey({
      description: "Only runs with this status. A run whose lease expired counts as `ended`.",
    }),
    outcome: Schema.optionalKey(Run.RunOutcome).annotateKey({
      description: "Only runs that were handed in with this outcome.",
    }),
    from: Schema.optionalKey(Timestamp.TimestampInput).pipe(
      Schema.annotateEncoded({ description: "Only runs that started at this time or later." }),
    ),
    to: Schema.optionalKey(Timestamp.TimestampInput).pipe(
      Schema.annotateEncoded({ description: "Only runs that started before this time." }),
    ),
    endedFrom: Schema.optionalKey(Timestamp.TimestampInput).pipe(
      Schema.annotateEncoded({ description: "Only runs that ended at this time or later." }),
    ),
  },
  success: Schema.Array(Run.Run),
}).annotateMerge(
  about({
    summary: "List runs",
    description:
      "Returns the runs in projects that the caller may see, newest first by default; paged.",
    access: viewer,
  }),
);

const get = HttpApiEndpoint.get("get", "/api/runs/:runId", {
  params: { runId: run.runId },
  success: Run.Run,
  error: Problem.NotFound,
}).annotateMerge(about({ summary: "Get a run", description: "Returns the run.", access: viewer }));

const timeline = HttpApiEndpoint.get("timeline", "/api/agents/:agentId/runs/:runId/timeline", {
  params: run,
  query: paging,
  success: Schema.Array(RunTimeline.RunTimelineEntry),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Read the timeline of a run",
    description: "Returns what happened in the run, oldest first by default; paged.",
    access: viewer,
  }),
);

/** Runs: their timelines and their output. */
export class RunsApi extends HttpApiGroup.make("runs")
  .add(list, get, timeline, writeLog, readLog)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Runs", description: "The records of what agents did." }),
  ) {}
