import { type AgentState, agentStates } from "./states.ts";

/** The search parameters of the screen's URL. */
export interface AgentsSearch {
  readonly state?: AgentState | undefined;
}

export const agentsSearch = (search: Record<string, unknown>): AgentsSearch => ({
  state: agentStates.find((state) => state === search["state"]),
});
