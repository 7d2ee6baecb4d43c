import { type Answer, nothing } from "./Answer.ts";
import * as M from "./Model.ts";

/** The contract's rules for pauses of agents and of the project. */

/** Orders the agent's live runs to stop, or all live runs if `agent` is null. */
const stopAll = (model: M.Model, agent: number | null): void => {
  const reason = agent === null ? "projectPaused" : "agentPaused";
  for (const run of model.runs.values()) {
    if (run.state === "active" && M.isLive(model, run) && run.agent === (agent ?? run.agent))
      Object.assign(run, { state: "stopping", reason });
  }
};

/** Pauses or resumes an agent, or the project if `agent` is null. */
export const suspend = (
  model: M.Model,
  { agent, paused }: { readonly agent: number | null; readonly paused: boolean },
): Answer => {
  M.register(model, agent);
  const before = agent === null ? model.projectPaused : model.pausedAgents.has(agent);
  if (before === paused) return nothing;
  if (paused) stopAll(model, agent);
  if (agent === null) model.projectPaused = paused;
  else if (paused) model.pausedAgents.add(agent);
  else model.pausedAgents.delete(agent);
  return nothing;
};
