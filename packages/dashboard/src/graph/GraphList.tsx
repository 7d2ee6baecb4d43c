import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Dependency, Model } from "../data/issues/dependencies.ts";
import { VirtualList } from "../parts/VirtualList.tsx";
import { GraphRow } from "./GraphRow.tsx";
import styles from "./Graph.module.css";

const keyOf = ({ issue }: Dependency) => issue.id;

/** The graph as a list, issues that block most first. */
export const GraphList = ({ model }: { readonly model: Model }) => {
  const { byId, critical, items } = model;
  const row = useCallback((item: Dependency) => <GraphRow item={item} byId={byId} />, [byId]);
  return (
    <>
      {critical.length === 0 ? null : (
        <nav className={styles["chain"]} aria-label="Critical chain">
          <b>Critical chain</b>
          <ol>
            {critical.map(({ id, key, title }) => (
              <li key={id}>
                <Link to="/issues/$issueId" params={{ issueId: key }} dir="auto">
                  {title}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <VirtualList
        className={styles["list"]}
        label="Issues with dependencies"
        items={items}
        keyOf={keyOf}
        row={row}
        height={58}
      />
    </>
  );
};
