import { type Agent, useAgentTools, usePrices } from "../data/agents.ts";
import { useMay } from "../data/live/session.ts";
import { Section } from "./Section.tsx";
import styles from "./Aside.module.css";

const number = new Intl.NumberFormat();

/** The tools that the agent may call, by server, with the tokens that their definitions cost its model. */
export const Tools = ({ agent }: { readonly agent: Agent }) => {
  const isEditor = useMay("Editor");
  const { data, error, isPending } = useAgentTools(agent.id);
  const prices = usePrices(data?.tools).data;
  if (!isEditor) return null;
  const servers = Map.groupBy(data?.tools ?? [], ({ server }) => server);
  return (
    <Section
      title="Tools"
      count={
        data === undefined || data.tools.length === 0 ? null : (
          <>
            {data.tools.length}
            <span
              className={styles["price"]}
              title="Estimated cost of all tool definitions for the agent's model"
            >
              {number.format(data.tokens)} tokens
            </span>
          </>
        )
      }
      error={error}
      isPending={isPending}
      empty={
        servers.size > 0
          ? null
          : "No tools yet. When an Admin grants this agent access to an MCP server, its tools appear here."
      }
    >
      {[...servers].map(([server, tools]) => (
        <div key={server} className={styles["server"]}>
          <h3>{server}</h3>
          <ul>
            {tools.map(({ description, name, tool }) => {
              const tokens = prices?.get(`${server} ${tool}`);
              return (
                <li key={name} className={styles["tool"]} title={description ?? undefined}>
                  <code>{tool}</code>
                  {tokens === undefined ? null : <span>{number.format(tokens)}</span>}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </Section>
  );
};
