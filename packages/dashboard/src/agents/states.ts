import type { Agent } from "../data/agents.ts";

/** The states of an agent. `alive` means a heartbeat in the last 10 minutes. */
export const agentStates = ["working", "alive", "silent", "paused"] as const;
export type AgentState = (typeof agentStates)[number];

export const stateNames: Readonly<Record<AgentState, string>> = {
  working: "Working",
  alive: "Alive",
  silent: "Silent",
  paused: "Paused",
};

const silentMillis = 10 * 60_000;

export const isAlive = ({ lastHeartbeatAt }: Agent, now: number): boolean =>
  lastHeartbeatAt !== null && now - Date.parse(lastHeartbeatAt) < silentMillis;

export const stateOf = (agent: Agent, now: number): AgentState => {
  if (agent.paused) return "paused";
  if (!isAlive(agent, now)) return "silent";
  return agent.activeRuns > 0 ? "working" : "alive";
};

/** Whether the agent passes the filter. `alive` includes working agents. */
export const matches = (agent: Agent, state: AgentState | undefined, now: number): boolean => {
  const actual = stateOf(agent, now);
  return state === undefined || actual === state || (state === "alive" && actual === "working");
};
