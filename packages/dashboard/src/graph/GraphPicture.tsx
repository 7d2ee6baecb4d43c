import "@xyflow/react/dist/base.css";
import {
  type Edge,
  MarkerType,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
} from "@xyflow/react";
import { useMemo, useRef, useState } from "react";
import type { Model } from "../data/issues/dependencies.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { type Fold, folded } from "./fold.ts";
import { FoldNode, type FoldedNode } from "./FoldNode.tsx";
import { GraphNode, type IssueNode } from "./GraphNode.tsx";
import { GraphTools } from "./GraphTools.tsx";
import type { LayoutNode } from "./layout.ts";
import { sizeOf } from "./size.ts";
import { useLayout } from "./useLayout.ts";
import styles from "./Graph.module.css";

const nodeTypes = { issue: GraphNode, fold: FoldNode };

type Shown = IssueNode | FoldedNode;

/** The number of issues above which there is a small map. */
const mapped = 60;
/** The margin of the initial viewport, in pixels. */
const margin = 48;
/** A fold is below its issue. */
const foldSize = { width: 72, height: 40 };
const foldGap = 6;

/**
 * Opens with the start of the critical chain, or else the issue that blocks most, at the left. Texts have
 * their full size; a graph that fits is in the middle.
 */
const open = (flow: ReactFlowInstance<Shown>, { critical, items }: Model, element: HTMLElement) => {
  const { height, width } = element.getBoundingClientRect();
  const bounds = flow.getNodesBounds(flow.getNodes());
  if (bounds.width + 2 * margin <= width && bounds.height + 2 * margin <= height) {
    return void flow.fitView({ minZoom: 1, maxZoom: 1 });
  }
  const start = flow.getNode(critical[0]?.id ?? items[0]?.issue.id ?? "");
  if (start === undefined) return;
  void flow.setViewport({
    x: margin - start.position.x,
    y: height / 2 - start.position.y - (start.height ?? 0) / 2,
    zoom: 1,
  });
};

const options = { hideAttribution: true };

/** The sizes of the issues, with the room for their folds. */
const roomsOf = (sizes: ReadonlyArray<LayoutNode>, folds: ReadonlyArray<Fold>) => {
  const parents = new Set(folds.map(({ parent }) => parent));
  const more = foldGap + foldSize.height;
  return sizes.map((size) =>
    parents.has(size.id) ? { ...size, height: size.height + more } : size,
  );
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
      color: isCritical
        ? "var(--accent)"
        : "color-mix(in oklab, var(--text-faint), transparent 35%)",
    },
    ariaLabel: `${byId.get(from)?.issue.title} blocks ${byId.get(to)?.issue.title}`,
    focusable: false,
  }));

/** The graph as a picture, from left to right. Tab visits the issues in the order of the list. */
export const GraphPicture = ({
  found,
  model: whole,
}: {
  readonly model: Model;
  readonly found: ReadonlySet<string>;
}) => {
  const element = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { folds, model } = useMemo(() => folded(whole, unfolded, found), [whole, unfolded, found]);
  const sizes = useMemo(() => {
    const most = model.items[0]?.waiting ?? 0;
    return model.items.map(({ issue: { id }, waiting }) => ({ id, ...sizeOf(waiting, most) }));
  }, [model]);
  const positions = useLayout(roomsOf(sizes, folds), model.edges);
  const nodes = useMemo(() => {
    if (positions === null) return null;
    const sizeById = new Map(sizes.map(({ id, ...size }) => [id, size]));
    const unfold = (parent: string) => setUnfolded((before) => new Set([...before, parent]));
    return [
      ...model.items.flatMap((item): ReadonlyArray<Shown> => {
        const { id } = item.issue;
        const position = positions[id];
        const data = { item, isFound: found.has(id) };
        return position === undefined
          ? []
          : [{ id, type: "issue", position, data, ...sizeById.get(id) }];
      }),
      ...folds.flatMap((fold): ReadonlyArray<Shown> => {
        const at = positions[fold.parent];
        const { height = 0 } = sizeById.get(fold.parent) ?? {};
        const title = model.byId.get(fold.parent)?.issue.title ?? "";
        const data = { fold, title, unfold };
        if (at === undefined) return [];
        const position = { x: at.x + 24, y: at.y + height + foldGap };
        return [{ id: fold.id, type: "fold", position, data, ...foldSize }];
      }),
    ];
  }, [model, folds, found, positions, sizes]);
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
      <div ref={element} className={styles["picture"]} data-picture>
        <ReactFlow<Shown>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onInit={(flow) => {
            if (element.current !== null) open(flow, model, element.current);
          }}
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
          <GraphTools model={model} found={found} />
          {model.items.length > mapped ? (
            <MiniMap<Shown>
              pannable
              zoomable
              position="top-right"
              ariaLabel="Map of the graph"
              bgColor="var(--raised)"
              maskColor="color-mix(in oklab, var(--canvas), transparent 40%)"
              nodeColor={({ data }) =>
                "item" in data && data.item.isCritical ? "var(--accent)" : "var(--border-strong)"
              }
            />
          ) : null}
        </ReactFlow>
      </div>
    </ReactFlowProvider>
  );
};
