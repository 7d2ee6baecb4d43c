import type { InboxItem, Run } from "@quartermaster/client";
import { Effect } from "effect";
import { isSilent, nowMillis } from "../agent/Agents.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Look from "../Look.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";

/** The maximum number of listed inbox items. */
const shown = 200;

const labels: Readonly<Record<InboxItem["kind"], string>> = {
  question: "question",
  review: "review",
  mentioned: "mention",
  tooManyAttempts: "failed",
  failed: "failed",
  effectUnknown: "unknown",
  blockedChain: "stuck",
  agentSilent: "silent",
  runnerHalted: "halted",
  serverError: "error",
  toolsChanged: "tools",
  webhookFailing: "webhook",
};

const line = (look: Look.Look, label: string, id: string, rest: string): string =>
  Look.cut(
    `${Look.state(look, label)}${" ".repeat(Math.max(0, 9 - label.length))} ${Output.cell(`${id}  ${rest}`)}`,
    look.columns,
  );

const itemLine = (look: Look.Look, item: InboxItem, now: number): string => {
  const { agentId, detail, issueKey, kind, questionId, serverId, since, title, webhookId } = item;
  // On a terminal a question has the key of its issue: `ask answer` takes it.
  const issue = look.isTerminal ? (issueKey ?? questionId) : (questionId ?? issueKey);
  const subject = issue ?? serverId ?? webhookId ?? agentId ?? "";
  return line(
    look,
    labels[kind],
    subject,
    `for ${Look.span(now - Date.parse(since))}  ${title}: ${detail}`,
  );
};

const runLine = (
  look: Look.Look,
  { agentId, attempt, issueId, issueKey, startedAt }: Run,
  now: number,
): string =>
  line(
    look,
    "running",
    issueKey ?? issueId,
    `for ${Look.span(now - Date.parse(startedAt))}  ${agentId}, attempt ${attempt}`,
  );

/** `quartermaster status`: one view for the person on call. */
export const run = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: ReadonlyArray<string>;
    readonly allProjects: boolean;
  },
) {
  const access = yield* Connection.open(flags);
  const now = yield* nowMillis;
  const named = yield* DefaultProject.several(access, flags);
  const projects = named.length === 0 ? {} : { projectId: named };
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
  const silent = agents.filter((agent) => isSilent(agent, now));
  const hasMore = found.length > shown;
  const head = `Agents: ${agents.length}, silent: ${silent.length}. Issues running: ${runs.length}. Waiting for a person: ${waiting.length}${hasMore ? " and more" : ""}.`;
  yield* Output.one(flags.json, { agents, runs, waiting }, (look) => [
    Look.strong(look, head),
    ...waiting.map((item) => itemLine(look, item, now)),
    ...(hasMore ? [`Only the first ${shown} are listed.`] : []),
    ...runs.map((run) => runLine(look, run, now)),
  ]);
});
