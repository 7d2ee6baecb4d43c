import "@xyflow/react/dist/base.css";
import { type Edge, MarkerType, ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { useMemo } from "react";
import type { Model } from "../data/issues/dependencies.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { GraphNode, type IssueNode } from "./GraphNode.tsx";
import { GraphTools } from "./GraphTools.tsx";
import type { Positions } from "./layout.ts";
import { sizeOf } from "./size.ts";
import { useLayout } from "./useLayout.ts";
import styles from "./Graph.module.css";

const nodeTypes = { issue: GraphNode };

/** The initial viewport: the whole graph, or in a large graph the issues that block most. */
const firstView = ({ items }: Model) => {
  const [most] = items;
  return items.length > 80 && most !== undefined
    ? {
        nodes: [most.issue.id, ...most.dependents].map((id) => ({ id })),
        padding: 0.3,
        minZoom: 0.35,
        maxZoom: 0.8,
      }
    : { padding: 0.08, minZoom: 0.05, maxZoom: 1 };
};
const options = { hideAttribution: true };

const nodesOf = ({ items }: Model, positions: Positions): Array<IssueNode> => {
  const most = items[0]?.waiting ?? 0;
  return items.flatMap((item) => {
    const position = positions[item.issue.id];
    return position === undefined
      ? []
      : {
          id: item.issue.id,
          type: "issue" as const,
          position,
          data: { item },
          ...sizeOf(item.waiting, most),
        };
  });
};

const edgesOf = ({ byId, edges }: Model): Array<Edge> =>
  edges.map(({ from, isCritical, to }) => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    className: isCritical ? (styles["criticalEdge"] ?? "") : (styles["edge"] ?? ""),
    zIndex: isCritical ? 1 : 0,
    markerEnd: {
      type: MarkerType.ArrowClosed,
      color: isCritical ? "var(--accent)" : "var(--border-strong)",
    },
    ariaLabel: `${byId.get(from)?.issue.title} blocks ${byId.get(to)?.issue.title}`,
    focusable: false,
  }));

/** The graph as a picture, from left to right. Tab visits the issues in the order of the list. */
export const GraphPicture = ({ model }: { readonly model: Model }) => {
  const positions = useLayout(model);
  const nodes = useMemo(
    () => (positions === null ? null : nodesOf(model, positions)),
    [model, positions],
  );
  const edges = useMemo(() => edgesOf(model), [model]);
  if (nodes === null) {
    return (
      <div className={styles["state"]}>
        <Skeleton width={240} height={46} />
        <Skeleton width={180} height={46} />
        <Skeleton width={200} height={46} />
      </div>
    );
  }
  return (
    <ReactFlowProvider>
      <div className={styles["picture"]} data-picture>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          fitView
          fitViewOptions={firstView(model)}
          minZoom={0.05}
          maxZoom={2}
          proOptions={options}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          aria-label="Dependencies"
        >
          <GraphTools model={model} />
        </ReactFlow>
      </div>
    </ReactFlowProvider>
  );
};
