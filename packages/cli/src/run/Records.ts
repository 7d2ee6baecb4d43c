import type { LogEntry, Run, RunTimelineEntry, ToolCall } from "@quartermaster/client";
import { Console, Effect, Option } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import { costOf } from "../usage/Usage.ts";

/** The usage of a run on one line; none without usage. */
const usageOf = ({ usage }: Run): ReadonlyArray<string> =>
  usage === null
    ? []
    : [
        Output.cell(
          `usage  ${usage.requests} requests  ${usage.inputTokens} input (${usage.cacheReadTokens} cached)  ${usage.outputTokens} output  ${costOf(usage)}  ${usage.models.join(", ")}`,
        ),
      ];

const stateOf = ({ outcome, status, stopReason }: Run): string =>
  status === "ended" ? (outcome ?? stopReason ?? status) : status;

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly limit: number;
    readonly agent: Option.Option<string>;
    readonly project: Option.Option<string>;
    readonly issue: Option.Option<string>;
  },
) {
  const access = yield* Connection.open(flags);
  const runs = yield* Lists.take(access, flags.limit, (client, options) =>
    client.runs.list(
      {
        limit: Lists.pageSize(flags.limit),
        agentId: Option.getOrUndefined(flags.agent),
        projectId: Option.getOrUndefined(flags.project),
        issueId: Option.getOrUndefined(flags.issue),
      },
      options,
    ),
  );
  yield* Output.list(
    flags.json,
    runs,
    ["ID", "STARTED", "STATE", "AGENT", "ISSUE", "NOTE"],
    runs.map((run) => [
      run.id,
      run.startedAt,
      stateOf(run),
      run.agentId,
      run.issueId,
      run.note ?? "",
    ]),
  );
});

/** The fields of an entry that follow its kind. */
const textOf = ({ actor, at: _, kind: __, ...fields }: RunTimelineEntry): string =>
  [...(actor === undefined ? [] : [actor.id]), ...Object.values(fields)].join("  ");

const hasFailed = ({ outcome }: ToolCall): boolean =>
  outcome !== null && outcome !== "ok" && outcome !== "replayed";

/** Prints a run, its timeline, and its failed calls with the reason, which Viewers do not read. */
export const show = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly run: string },
) {
  const access = yield* Connection.open(flags);
  const { failedCalls, run, timeline } = yield* Api.call(access, async (client, options) => {
    const run = await client.runs.get({ runId: flags.run }, options);
    const query = { agentId: run.agentId, runId: run.id, limit: 500 };
    const timeline = (await client.runs.timeline(query, options).page()).items;
    const calls =
      run.calls.failed === 0 ? [] : (await client.tools.callsOfRun(query, options).page()).items;
    return { run, timeline, failedCalls: calls.filter(hasFailed).toReversed() };
  });
  yield* Output.one(flags.json, { run, timeline, failedCalls }, [
    Output.cell(
      `${run.id}  ${run.agentId}  ${run.issueId}  attempt ${run.attempt}  ${stateOf(run)}  ${run.logBytes} bytes of log`,
    ),
    ...usageOf(run),
    ...timeline.map((entry) => Output.cell(`${entry.at}  ${entry.kind}  ${textOf(entry)}`)),
    ...failedCalls.map(({ error, id, outcome, server, startedAt, tool }) =>
      Output.cell(
        [startedAt, "failed", id, `${server ?? "-"}/${tool}`, outcome, error ?? ""].join("  "),
      ),
    ),
  ]);
});

const print = (json: boolean, entry: LogEntry) =>
  Console.log(json ? JSON.stringify(entry) : Output.multiline(entry.text.replace(/\r?\n$/, "")));

export const log = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly run: string; readonly follow: boolean },
) {
  const access = yield* Connection.open(flags);
  const { agentId } = yield* Api.call(access, (client, options) =>
    client.runs.get({ runId: flags.run }, options),
  );
  let after = 0;
  for (;;) {
    const query = { agentId, runId: flags.run, after, limit: 5_000 };
    const page = yield* Api.call(access, (client, options) =>
      client.runs.readLog({ ...query, ...(flags.follow ? { waitSeconds: 20 } : {}) }, options),
    );
    yield* Effect.forEach(page.entries, (entry) => print(flags.json, entry), { discard: true });
    after = page.next;
    if (page.entries.length === 0 && (!flags.follow || page.ended)) return;
  }
});
