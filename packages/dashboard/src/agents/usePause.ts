import { type Agent, useChangeAgent } from "../data/agents.ts";
import { useMay } from "../data/live/session.ts";
import { useToasts } from "../parts/toast.ts";

/** Returns a function that pauses or resumes an agent and confirms it in a toast; null if the user may not. */
export const usePause = (): ((agent: Agent) => void) | null => {
  const { toast } = useToasts();
  const { mutate } = useChangeAgent();
  const may = useMay("Admin");
  if (!may) return null;
  return (agent) => {
    const paused = !agent.paused;
    mutate(
      { agent, paused },
      {
        onSuccess: () =>
          paused
            ? toast(
                `${agent.name} paused`,
                agent.activeRuns > 0
                  ? "Its live runs stop at their next turn. Until you resume it, it gets no issues and cannot call tools."
                  : "Until you resume it, it gets no issues and cannot call tools.",
              )
            : toast(`${agent.name} resumed`, "It gets issues again with its next heartbeat."),
      },
    );
  };
};
