import type { Agent } from "../data/agents.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import styles from "./Aside.module.css";

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
    <dt>Registered</dt>
    <dd>
      <RelativeTime iso={agent.createdAt} prefix="Registered" />
    </dd>
  </dl>
);
