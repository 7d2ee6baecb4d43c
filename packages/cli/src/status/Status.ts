import type { InboxItem, Run } from "@quartermaster/client";
import { Effect } from "effect";
import { age, nowMillis } from "../agent/Agents.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";

/** Milliseconds without a sign of life after which an agent is silent, as in readiness. */
const silentMillis = 10 * 60_000;

/** The maximum number of listed inbox items. */
const shown = 200;

const labels: Readonly<Record<InboxItem["kind"], string>> = {
  question: "question",
  review: "review",
  tooManyAttempts: "failed",
  failed: "failed",
  effectUnknown: "unknown",
  blockedChain: "stuck",
  agentSilent: "silent",
  runnerHalted: "halted",
  serverError: "error",
  toolsChanged: "tools",
};

const line = (label: string, id: string, rest: string): string =>
  `${label.padEnd(9)} ${id}  ${rest}`;

const itemLine = (item: InboxItem, now: number): string => {
  const { agentId, detail, issueId, kind, questionId, serverId, since, title } = item;
  const subject = questionId ?? issueId ?? serverId ?? agentId ?? "";
  return line(labels[kind], subject, `for ${age(since, now)}  ${title}: ${detail}`);
};

const runLine = ({ agentId, attempt, issueId, startedAt }: Run, now: number): string =>
  line("running", issueId, `for ${age(startedAt, now)}  ${agentId}, attempt ${attempt}`);

/** `quartermaster status`: one view for the person on call. */
export const run = Effect.fnUntraced(function* (
  flags: Connection.Flags & { readonly json: boolean; readonly project: ReadonlyArray<string> },
) {
  const access = yield* Connection.open(flags);
  const now = yield* nowMillis;
  const projects = flags.project.length === 0 ? {} : { projectId: flags.project };
  const [agents, found] = yield* Effect.all(
    [
      Lists.take(access, Number.POSITIVE_INFINITY, (client, options) =>
        client.agents.list({ limit: 500 }, options),
      ),
      Lists.take(access, shown + 1, (client, options) =>
        client.inbox.list({ limit: shown + 1, ...projects }, options),
      ),
    ],
    { concurrency: 2 },
  );
  const waiting = found.slice(0, shown);
  const busy = agents.filter(({ activeRuns }) => activeRuns > 0);
  const runs = yield* Effect.forEach(
    busy,
    ({ id }) =>
      Lists.take(access, 100, (client, options) =>
        client.agents.runs({ agentId: id, status: "active", limit: 100 }, options),
      ),
    { concurrency: 4 },
  ).pipe(Effect.map((lists) => lists.flat()));
  const silent = agents.filter(
    ({ lastHeartbeatAt }) =>
      lastHeartbeatAt === null || now - Date.parse(lastHeartbeatAt) > silentMillis,
  );
  const hasMore = found.length > shown;
  const lines = [
    `Agents: ${agents.length}, silent: ${silent.length}. Issues running: ${runs.length}. Waiting for a person: ${waiting.length}${hasMore ? " and more" : ""}.`,
    ...waiting.map((item) => itemLine(item, now)),
    ...(hasMore ? [`Only the first ${shown} are listed.`] : []),
    ...runs.map((run) => runLine(run, now)),
  ].map(Output.cell);
  yield* Output.one(flags.json, { agents, runs, waiting }, lines);
});
