import type { Agent } from "@quartermaster/client";
import { DateTime, Effect } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";

/** The time since a timestamp, as `5m`; `never` for null. */
export const age = (timestamp: string | null, now: number): string => {
  if (timestamp === null) return "never";
  const seconds = Math.max(0, Math.round((now - Date.parse(timestamp)) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
};

const stateOf = ({ paused }: Agent) => (paused ? "paused" : "active");

export const nowMillis = Effect.map(DateTime.now, DateTime.toEpochMillis);

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const now = yield* nowMillis;
  const agents = yield* Lists.take(access, flags.limit, (client, options) =>
    client.agents.list({ limit: Lists.pageSize(flags.limit) }, options),
  );
  yield* Output.list(
    flags.json,
    agents,
    ["ID", "RUNS", "LAST SEEN", "STATE", "NAME"],
    agents.map((agent) => [
      agent.id,
      agent.activeRuns,
      age(agent.lastHeartbeatAt, now),
      stateOf(agent),
      agent.name,
    ]),
  );
});

export const show = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly agent: string },
) {
  const access = yield* Connection.open(flags);
  const now = yield* nowMillis;
  const { agent, runs } = yield* Api.call(access, async (client, options) => ({
    agent: await client.agents.get({ agentId: flags.agent }, options),
    runs: (await client.agents.runs({ agentId: flags.agent, limit: 20 }, options).page()).items,
  }));
  yield* Output.one(flags.json, { agent, runs }, [
    Output.cell(
      `${agent.id}  ${agent.name}  ${stateOf(agent)}  last seen ${age(agent.lastHeartbeatAt, now)}  ${agent.activeRuns} running`,
    ),
    ...runs.map((run) =>
      Output.cell(
        `${run.startedAt}  ${run.issueId}  attempt ${run.attempt}  ${run.outcome ?? run.stopReason ?? run.status}`,
      ),
    ),
  ]);
});

/** Reads the agent first: a PUT would register a misspelled agent. */
const setPaused = (paused: boolean) =>
  Effect.fnUntraced(function* (flags: Connection.ResultFlags & { readonly agent: string }) {
    const access = yield* Connection.open(flags);
    const { agent: agentId } = flags;
    const agent = yield* Api.call(access, async (client, options) => {
      await client.agents.get({ agentId }, options);
      return client.agents.put({ agentId, paused }, options);
    });
    yield* Output.one(flags.json, agent, [Output.cell(`${agent.id} ${stateOf(agent)}`)]);
  });

export const pause = setPaused(true);

export const resume = setPaused(false);
