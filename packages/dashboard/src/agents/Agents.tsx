import { getRouteApi, Link } from "@tanstack/react-router";
import { type Agent, useAgents, useAgentWork } from "../data/agents.ts";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { itemInFocus, useSteps } from "../parts/steps.ts";
import { VirtualList } from "../parts/VirtualList.tsx";
import { AgentRow } from "./AgentRow.tsx";
import { agentStates, matches, stateNames, stateOf } from "./states.ts";
import { usePause } from "./usePause.ts";
import styles from "./Agents.module.css";

const route = getRouteApi("/agents");
const section = "Agents";
const links = "[data-agent]";
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
              const agent = agents.find(({ id }) => id === itemInFocus(links)?.dataset["agent"]);
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
      {error === null && work.error === null ? null : (
        <div className={styles["note"]}>
          <ErrorNote error={error ?? work.error} />
        </div>
      )}
      {isPending ? (
        <div className={styles["note"]}>
          <Skeleton height={24} />
          <Skeleton height={24} />
          <Skeleton height={24} />
        </div>
      ) : agents.length > 0 ? (
        <>
          <div className={styles["heads"]} aria-hidden="true">
            <span>Agent</span>
            <span>Now</span>
            <span>Last runs</span>
            <span>Queue</span>
            <span>Heartbeat</span>
          </div>
          <VirtualList
            className={styles["list"]}
            items={agents}
            keyOf={keyOf}
            row={row}
            height={44}
            label="Agents"
          />
        </>
      ) : error !== null ? null : (all ?? []).length > 0 ? (
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
      )}
    </>
  );
};
