import { type AgentState, agentStates } from "./states.ts";

/** What the URL of the screen says. */
export interface AgentsSearch {
  readonly state?: AgentState | undefined;
}

export const agentsSearch = (search: Record<string, unknown>): AgentsSearch => ({
  state: agentStates.find((state) => state === search["state"]),
});
