import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAgent } from "../data/agents.ts";
import { isGone } from "../data/issues/issue.ts";
import { useRecents } from "../data/recent.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { Keys } from "../parts/Keys.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenState } from "../parts/ScreenState.tsx";
import { useSteps } from "../parts/steps.ts";
import { Calls } from "./Calls.tsx";
import { CurrentRuns } from "./CurrentRuns.tsx";
import { Properties } from "./Properties.tsx";
import { Queue } from "./Queue.tsx";
import { Runs } from "./Runs.tsx";
import { StateDot } from "./StateDot.tsx";
import { stateOf } from "./states.ts";
import { Tools } from "./Tools.tsx";
import { usePause } from "./usePause.ts";
import styles from "./AgentPage.module.css";

const route = getRouteApi("/agents/$agentId");
const section = "Agent";

/** One agent: its current work, its queue, its past runs and its tools. */
export const AgentPage = () => {
  const { agentId } = route.useParams();
  const navigate = useNavigate();
  const { data: agent, error } = useAgent(agentId);
  const now = useNow();
  const pause = usePause();
  const { forget, opened } = useRecents();
  const name = agent?.name;
  useEffect(() => {
    if (isGone(error)) forget({ kind: "agent", id: agentId });
    else if (name !== undefined) opened({ kind: "agent", id: agentId, text: name });
  }, [agentId, error, forget, name, opened]);
  const onPause = pause === null || agent === undefined ? null : () => pause(agent);

  useSteps("[data-item]:has(a)", "issue");
  useCommands([
    {
      id: "back",
      title: "Back to agents",
      section,
      keys: "escape",
      hidden: true,
      run: () => void navigate({ to: "/agents" }),
    },
    {
      id: "work",
      title: "Show the agent's issues",
      section,
      icon: "board",
      keys: "w",
      run: () => void navigate({ to: "/work", search: { assignee: [agentId] } }),
    },
    ...(onPause === null
      ? []
      : [
          {
            id: "pause",
            title: agent?.paused === true ? "Resume the agent" : "Pause the agent",
            section,
            icon: agent?.paused === true ? ("play" as const) : ("pause" as const),
            keys: "shift+p",
            run: onPause,
          },
        ]),
  ]);

  return (
    <>
      <ScreenHead
        title={agent?.name ?? agentId}
        tooltip={agentId}
        path={<Link to="/agents">Agents</Link>}
        isOneLine
        actions={
          agent === undefined || onPause === null ? null : (
            <Button onClick={onPause}>
              <Icon name={agent.paused ? "play" : "pause"} size={14} />
              {agent.paused ? "Resume" : "Pause"}
              <Keys keys="shift+p" />
            </Button>
          )
        }
      >
        {agent === undefined ? null : <StateDot state={stateOf(agent, now)} />}
      </ScreenHead>
      <ScreenState error={error} isPending={agent === undefined && error === null} />
      {agent === undefined ? null : (
        <div className={styles["columns"]}>
          <div className={styles["main"]}>
            {agent.paused ? (
              <p className={styles["paused"]}>
                <Icon name="pause" size={14} />
                Paused: it gets no issues and cannot call tools. Its live runs stop at their next
                turn.
              </p>
            ) : null}
            <CurrentRuns agent={agent} />
            <Queue agent={agent} />
            <Runs agentId={agentId} />
            <Calls agentId={agentId} />
          </div>
          <aside className={styles["aside"]} aria-label="Properties">
            <Properties agent={agent} />
            <Tools agent={agent} />
          </aside>
        </div>
      )}
    </>
  );
};
