import type { Agent } from "@quartermaster/client";
import { DateTime, Effect } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Look from "../Look.ts";
import * as Output from "../Output.ts";

/** Milliseconds without a heartbeat after which an agent is silent, as in readiness. */
const silentMillis = 10 * 60_000;

export const isSilent = ({ lastHeartbeatAt }: Agent, now: number): boolean =>
  lastHeartbeatAt === null || now - Date.parse(lastHeartbeatAt) > silentMillis;

const stateOf = (agent: Agent, now: number) => {
  if (agent.paused) return "paused";
  if (isSilent(agent, now)) return "silent";
  return agent.activeRuns > 0 ? "working" : "idle";
};

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
      Output.time(agent.lastHeartbeatAt, "never"),
      Output.state(stateOf(agent, now)),
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
  yield* Output.one(flags.json, { agent, runs }, (look) => [
    [
      Look.strong(look, Output.cell(agent.id)),
      Output.cell(agent.name),
      Look.state(look, stateOf(agent, now)),
      `last seen ${agent.lastHeartbeatAt === null ? "never" : Look.time(look, agent.lastHeartbeatAt)}`,
      `${agent.activeRuns} running`,
    ].join("  "),
    ...runs.map((run) =>
      [
        Look.time(look, run.startedAt),
        run.issueKey ?? run.issueId,
        `attempt ${run.attempt}`,
        Look.state(look, run.outcome ?? run.stopReason ?? run.status),
      ].join("  "),
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
    const line = `${agent.id} ${agent.paused ? "paused" : "resumed"}`;
    yield* Output.one(flags.json, agent, [Output.cell(line)]);
  });

export const pause = setPaused(true);

export const resume = setPaused(false);
