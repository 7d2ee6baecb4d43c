import type { LogEntry, Run, RunTimelineEntry, ToolCall } from "@quartermaster/client";
import { Console, Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { CommandError } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Look from "../Look.ts";
import * as Names from "../Names.ts";
import * as Open from "../open/Open.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";
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
  flags: Connection.ResultFlags &
    DefaultProject.Flags & {
      readonly limit: number;
      readonly agent: Option.Option<string>;
      readonly issue: Option.Option<string>;
    },
) {
  const access = yield* Connection.open(flags);
  const projectId = Option.isSome(flags.issue) ? null : yield* DefaultProject.of(access, flags);
  const runs = yield* Lists.take(access, flags.limit, (client, options) =>
    client.runs.list(
      {
        limit: Lists.pageSize(flags.limit),
        agentId: Option.getOrUndefined(flags.agent),
        projectId: projectId ?? undefined,
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
      Output.time(run.startedAt),
      Output.state(stateOf(run)),
      run.agentId,
      run.issueKey ?? run.issueId,
      run.note ?? "",
    ]),
  );
});

interface OfRun extends Connection.ResultFlags {
  readonly run: string;
}

/** The id of the run: the given one, or of the newest run of an issue. */
const idOf = Effect.fnUntraced(function* (access: Api.Access, run: string) {
  if (run.startsWith("run_")) return run;
  const [newest] = yield* Lists.take(access, 1, (client, options) =>
    client.runs.list({ issueId: run, limit: 1 }, options),
  );
  if (newest !== undefined) return newest.id;
  return yield* new CommandError({
    kind: "notFound",
    message: Output.cell(`${run} has no run.`),
    problem: null,
    retryAfterSeconds: null,
  });
});

/** The fields of an entry that follow its kind. */
const textOf = (
  { actor, at: _, kind: __, ...fields }: RunTimelineEntry,
  nameOf: Names.NameOf,
): string => [...(actor === undefined ? [] : [nameOf(actor)]), ...Object.values(fields)].join("  ");

const hasFailed = ({ outcome }: ToolCall): boolean =>
  outcome !== null && outcome !== "ok" && outcome !== "replayed";

/** Prints a run, its timeline, and its failed calls with the reason, which Viewers do not read. */
export const show = Effect.fnUntraced(function* (flags: OfRun) {
  const access = yield* Connection.open(flags);
  const runId = yield* idOf(access, flags.run);
  const { failedCalls, run, timeline } = yield* Api.call(access, async (client, options) => {
    const run = await client.runs.get({ runId }, options);
    const query = { agentId: run.agentId, runId: run.id, limit: 500 };
    const timeline = (await client.runs.timeline(query, options).page()).items;
    const calls =
      run.calls.failed === 0 ? [] : (await client.tools.callsOfRun(query, options).page()).items;
    return { run, timeline, failedCalls: calls.filter(hasFailed).toReversed() };
  });
  const named = yield* Names.of(
    access,
    flags,
    timeline.flatMap(({ actor }) => actor ?? []),
  );
  yield* Output.one(flags.json, { run, timeline, failedCalls }, (look) => [
    `${run.id}  ${Output.cell(run.agentId)}  ${run.issueKey ?? run.issueId}  attempt ${run.attempt}  ${Look.state(look, stateOf(run))}  ${run.logBytes} bytes of log`,
    ...usageOf(run),
    ...timeline.map((entry) =>
      Output.cell(
        `${Look.time(look, entry.at)}  ${entry.kind}  ${textOf(entry, look.isTerminal ? named : ({ id }) => id)}`,
      ),
    ),
    ...failedCalls.map(({ error, id, outcome, server, startedAt, tool }) => {
      const call = `${id}  ${server ?? "-"}/${tool}  ${outcome}  ${error ?? ""}`;
      return `${Look.time(look, startedAt)}  ${Look.state(look, "failed")}  ${Output.cell(call)}`;
    }),
  ]);
});

/** `quartermaster run open RUN`. */
export const open = Effect.fnUntraced(function* (flags: OfRun) {
  const access = yield* Connection.open(flags);
  yield* Open.show(flags.json, `${access.url}/runs/${yield* idOf(access, flags.run)}`);
});

const print = (json: boolean, entry: LogEntry) =>
  Console.log(json ? JSON.stringify(entry) : Output.multiline(entry.text.replace(/\r?\n$/, "")));

export const log = Effect.fnUntraced(function* (flags: OfRun & { readonly follow: boolean }) {
  const access = yield* Connection.open(flags);
  const runId = yield* idOf(access, flags.run);
  const { agentId, status } = yield* Api.call(access, (client, options) =>
    client.runs.get({ runId }, options),
  );
  if (flags.follow && status !== "ended") yield* Output.waiting(`for the log of ${agentId}`);
  let after = 0;
  for (;;) {
    const query = { agentId, runId, after, limit: 5_000 };
    const page = yield* Api.call(access, (client, options) =>
      client.runs.readLog({ ...query, ...(flags.follow ? { waitSeconds: 20 } : {}) }, options),
    );
    yield* Effect.forEach(page.entries, (entry) => print(flags.json, entry), { discard: true });
    after = page.next;
    if (page.entries.length === 0 && (!flags.follow || page.ended)) return;
  }
});
