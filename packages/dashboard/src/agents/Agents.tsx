import { getRouteApi, Link } from "@tanstack/react-router";
import { type Agent, useAgents, useAgentWork } from "../data/agents.ts";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenList } from "../parts/ScreenList.tsx";
import { itemInFocus, useSteps } from "../parts/steps.ts";
import { AgentRow } from "./AgentRow.tsx";
import { agentStates, matches, stateNames, stateOf } from "./states.ts";
import { usePause } from "./usePause.ts";
import styles from "./Agents.module.css";

const route = getRouteApi("/agents");
const section = "Agents";
const links = "[data-item]";
const keyOf = ({ id }: Agent) => id;

/** The list of agents, with the current work and the queue of each. */
export const Agents = () => {
  const { state } = route.useSearch();
  const { data: all, error, isPending } = useAgents({ watch: true });
  const work = useAgentWork();
  const now = useNow();
  const pause = usePause();
  const agents = (all ?? [])
    .filter((agent) => matches(agent, state, now))
    .toSorted(
      (a, b) =>
        agentStates.indexOf(stateOf(a, now)) - agentStates.indexOf(stateOf(b, now)) ||
        a.name.localeCompare(b.name),
    );
  const count = (of: (typeof agentStates)[number]) =>
    (all ?? []).filter((agent) => matches(agent, of, now)).length;
  const queueOf = (id: string) => {
    if (work.data === undefined) return null;
    const { isMore, queued } = work.data;
    return `${queued.get(id) ?? 0}${isMore ? "+" : ""}`;
  };

  useSteps(links, "agent");
  useCommands(
    pause === null
      ? []
      : [
          {
            id: "pause",
            title: "Pause or resume the agent",
            section,
            keys: "shift+p",
            hidden: true,
            run: () => {
              const agent = agents.find(({ id }) => id === itemInFocus(links)?.dataset["item"]);
              if (agent !== undefined) pause(agent);
            },
          },
        ],
  );

  const row = (agent: Agent) => (
    <AgentRow
      agent={agent}
      issues={work.data?.running.get(agent.id) ?? []}
      left={work.data?.left.get(agent.id)?.[0]}
      queue={queueOf(agent.id)}
      onPause={pause === null ? null : () => pause(agent)}
    />
  );
  return (
    <>
      <ScreenHead title="Agents">
        <nav className={styles["filters"]} aria-label="Agents by state">
          <Link
            to="/agents"
            search={{}}
            className={styles["filter"] ?? ""}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            All <span>{all?.length ?? ""}</span>
          </Link>
          {agentStates.map((one) => (
            <Link key={one} to="/agents" search={{ state: one }} className={styles["filter"] ?? ""}>
              {stateNames[one]} <span>{all === undefined ? "" : count(one)}</span>
            </Link>
          ))}
        </nav>
      </ScreenHead>
      <ScreenList
        className={styles["list"]}
        label="Agents"
        heads={["Agent", "Now", "Last runs", "Queue", "Heartbeat"]}
        items={agents}
        keyOf={keyOf}
        height={44}
        row={row}
        isPending={isPending}
        error={error ?? work.error}
        empty={
          (all ?? []).length > 0 ? (
            <EmptyState
              icon="agents"
              title={`No agent is ${stateNames[state ?? "alive"].toLowerCase()} right now`}
              text="Choose another state to see other agents."
            />
          ) : (
            <EmptyState
              icon="agents"
              title="No agents yet"
              text="An agent appears here after its first heartbeat, or when you assign an issue to it. The runner turns any program into an agent."
              command="quartermaster work --agent atlas -- claude -p {prompt}"
            />
          )
        }
      />
    </>
  );
};
