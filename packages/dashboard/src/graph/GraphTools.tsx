import { Panel, useReactFlow } from "@xyflow/react";
import { useEffect } from "react";
import type { Model } from "../data/issues/dependencies.ts";
import { useCommands } from "../parts/commands.ts";
import { IconButton } from "../parts/IconButton.tsx";
import { nearest } from "./nearest.ts";
import styles from "./Graph.module.css";

const section = "Graph";

/** The zoom buttons, and the arrow keys that move between issues. */
export const GraphTools = ({
  found,
  model,
}: {
  readonly model: Model;
  /** The found issues. The first one is in the middle. */
  readonly found: ReadonlySet<string>;
}) => {
  const flow = useReactFlow();
  const first = model.items.find(({ issue }) => found.has(issue.id))?.issue.id;
  useEffect(() => {
    const node = first === undefined ? undefined : flow.getNode(first);
    if (node === undefined) return;
    void flow.setCenter(
      node.position.x + (node.width ?? 0) / 2,
      node.position.y + (node.height ?? 0) / 2,
      { zoom: 1 },
    );
  }, [first, flow]);
  const go = (x: number, y: number) => () => {
    const link = nearest(x, y, model);
    if (link === undefined) return;
    link.focus({ preventScroll: true });
    const node = flow.getNode(link.dataset["id"] ?? "");
    if (node === undefined) return;
    void flow.setCenter(
      node.position.x + (node.width ?? 0) / 2,
      node.position.y + (node.height ?? 0) / 2,
      { zoom: Math.max(flow.getZoom(), 0.6) },
    );
  };
  const zoomIn = () => void flow.zoomIn();
  const zoomOut = () => void flow.zoomOut();
  const fit = () => void flow.fitView({ padding: 0.08, maxZoom: 1 });
  useCommands([
    { id: "in", title: "Zoom in", section, keys: "+", run: zoomIn },
    { id: "out", title: "Zoom out", section, keys: "-", run: zoomOut },
    { id: "fit", title: "Show the whole graph", section, keys: "0", run: fit },
    { id: "right", title: "Go to a dependent issue", section, keys: "arrowright", run: go(1, 0) },
    { id: "left", title: "Go to a blocker", section, keys: "arrowleft", run: go(-1, 0) },
    { id: "down", title: "Down", section, keys: "arrowdown", hidden: true, run: go(0, 1) },
    { id: "up", title: "Up", section, keys: "arrowup", hidden: true, run: go(0, -1) },
  ]);
  return (
    <>
      <Panel position="bottom-right" className={styles["tools"] ?? ""}>
        <IconButton icon="plus" label="Zoom in" keys="+" onClick={zoomIn} />
        <IconButton icon="minus" label="Zoom out" keys="-" onClick={zoomOut} />
        <IconButton icon="fit" label="Show all" keys="0" onClick={fit} />
      </Panel>
      <Panel position="bottom-left" className={styles["legend"] ?? ""}>
        <span>Larger issues have more issues that depend on them.</span>
        <span className={styles["legendChain"]}>Critical chain</span>
      </Panel>
    </>
  );
};
