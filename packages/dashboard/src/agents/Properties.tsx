import type { Agent } from "../data/agents.ts";
import { useAgentUsage } from "../data/usage.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { costOf, tokensOf } from "../parts/usageWords.ts";
import styles from "./Aside.module.css";

/** The tokens and the cost of the agent's runs. */
const Usage = ({ agentId }: { readonly agentId: string }) => {
  const { data: usage } = useAgentUsage(agentId);
  if (usage == null || usage.requests === 0) return null;
  const cost = costOf(usage);
  return (
    <>
      <dt>Tokens</dt>
      <dd>{tokensOf(usage)}</dd>
      {cost === null ? null : (
        <>
          <dt>Cost</dt>
          <dd>{cost}</dd>
        </>
      )}
    </>
  );
};

const modes = { direct: "Direct", search: "Search" } as const;

export const Properties = ({ agent }: { readonly agent: Agent }) => (
  <dl className={styles["properties"]}>
    <dt>Id</dt>
    <dd className={styles["id"]}>{agent.id}</dd>
    <dt>Last heartbeat</dt>
    <dd>
      {agent.lastHeartbeatAt === null ? (
        "Never"
      ) : (
        <RelativeTime iso={agent.lastHeartbeatAt} prefix="Last heartbeat" />
      )}
    </dd>
    <dt>Live runs</dt>
    <dd>{agent.activeRuns}</dd>
    <dt>Tool mode</dt>
    <dd
      title={
        agent.toolMode === "direct"
          ? "MCP clients see every granted tool"
          : "MCP clients see tools that search for, describe and call the granted tools"
      }
    >
      {modes[agent.toolMode]}
    </dd>
    <Usage agentId={agent.id} />
    <dt>Registered</dt>
    <dd>
      <RelativeTime iso={agent.createdAt} prefix="Registered" />
    </dd>
  </dl>
);
