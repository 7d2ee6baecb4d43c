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

/** Whether the agent passes the filter. Working and paused agents are alive or silent as well. */
export const matches = (agent: Agent, state: AgentState | undefined, now: number): boolean => {
  if (state === "alive") return isAlive(agent, now);
  if (state === "silent") return !isAlive(agent, now);
  return state === undefined || stateOf(agent, now) === state;
};
