import { type Agent, useChangeAgent } from "../data/agents.ts";
import { useMay } from "../data/live/session.ts";
import { useToasts } from "../parts/toast.ts";

/** Pauses or resumes an agent, and says what that does; null for a user who may not. */
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
                `${agent.name} is paused`,
                agent.activeRuns > 0
                  ? "Its live runs stop at their next turn. It claims no issue and calls no tool of a server."
                  : "It claims no issue and calls no tool of a server.",
              )
            : toast(`${agent.name} is resumed`, "Its next heartbeat claims issues again."),
      },
    );
  };
};
