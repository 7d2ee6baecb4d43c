import { Graph, layout as dagre } from "@dagrejs/dagre";

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface LayoutRequest {
  readonly id: number;
  readonly nodes: ReadonlyArray<LayoutNode>;
  readonly edges: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

/** The position of the upper left corner of each node, in pixels, by id. */
export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

export interface LayoutResponse {
  readonly id: number;
  readonly positions: Positions;
}

const gap = 44;

/** The connected components of the graph. */
const componentsOf = ({ edges, nodes }: LayoutRequest) => {
  const parents = new Map(nodes.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    let root = id;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) {
      root = up;
    }
    parents.set(id, root);
    return root;
  };
  for (const { from, to } of edges) parents.set(rootOf(from), rootOf(to));
  const edgesBy = Map.groupBy(edges, ({ from }) => rootOf(from));
  return [...Map.groupBy(nodes, ({ id }) => rootOf(id))].map(([root, members]) => ({
    nodes: members,
    edges: edgesBy.get(root) ?? [],
  }));
};

/**
 * The largest component that dagre lays out with crossing minimization. Larger ones use only their short
 * edges.
 */
const large = 120;

/** The length of the longest chain from each node, counted in edges. dagre assigns ranks in the same way. */
const heightsOf = (edges: LayoutRequest["edges"]) => {
  const next = Map.groupBy(edges, ({ from }) => from);
  const heights = new Map<string, number>();
  const heightOf = (id: string): number => {
    const known = heights.get(id);
    if (known !== undefined) return known;
    const height = Math.max(-1, ...(next.get(id) ?? []).map(({ to }) => heightOf(to))) + 1;
    heights.set(id, height);
    return height;
  };
  return heightOf;
};

/** Drops edges that span several columns. dagre adds a dummy node per column that an edge crosses. */
const shortEdges = (edges: LayoutRequest["edges"]) => {
  const heightOf = heightsOf(edges);
  return edges.filter(({ from, to }) => heightOf(from) - heightOf(to) === 1);
};

/** Lays out one component, from left to right. */
const place = ({ edges, nodes }: Pick<LayoutRequest, "edges" | "nodes">) => {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 72, ranker: "longest-path" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { height, id, width } of nodes) graph.setNode(id, { width, height });
  const isLarge = nodes.length > large;
  for (const { from, to } of isLarge ? shortEdges(edges) : edges) graph.setEdge(from, to);
  dagre(graph, { disableOptimalOrderHeuristic: isLarge });
  const placed = nodes.map(({ height, id, width }) => {
    const { x = 0, y = 0 } = graph.node(id);
    return {
      id,
      x: x - width / 2,
      y: y - height / 2,
      right: x + width / 2,
      bottom: y + height / 2,
    };
  });
  return {
    placed,
    width: Math.max(...placed.map(({ right }) => right)),
    height: Math.max(...placed.map(({ bottom }) => bottom)),
  };
};

/** Packs the components into rows, tallest first, at roughly the aspect ratio of a screen. */
export const layout = (request: LayoutRequest): Positions => {
  const components = componentsOf(request)
    .map(place)
    .toSorted((a, b) => b.height - a.height);
  const area = components.reduce(
    (sum, { height, width }) => sum + (width + gap) * (height + gap),
    0,
  );
  const limit = Math.max(Math.sqrt(area * 1.8), ...components.map(({ width }) => width));
  const positions: Record<string, { x: number; y: number }> = {};
  let left = 0;
  let top = 0;
  let rowHeight = 0;
  for (const { height, placed, width } of components) {
    if (left > 0 && left + width > limit) {
      left = 0;
      top += rowHeight + gap;
      rowHeight = 0;
    }
    for (const { id, x, y } of placed) positions[id] = { x: left + x, y: top + y };
    left += width + gap;
    rowHeight = Math.max(rowHeight, height);
  }
  return positions;
};
