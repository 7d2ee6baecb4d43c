import { useEffect, useRef, useState } from "react";
import type { LayoutNode, LayoutRequest, LayoutResponse, Positions } from "./layout.ts";
import { startWorker } from "./worker.ts";

/**
 * The positions of the nodes; null until the worker has computed the first layout. Only changes of nodes
 * and edges trigger a new layout, not changes of a title or a status.
 */
export const useLayout = (
  nodes: ReadonlyArray<LayoutNode>,
  edges: LayoutRequest["edges"],
): Positions | null => {
  const worker = useRef<Worker | null>(null);
  const latest = useRef(0);
  const [positions, setPositions] = useState<Positions | null>(null);

  useEffect(() => {
    const started = startWorker();
    started.addEventListener("message", ({ data }: MessageEvent<LayoutResponse>) => {
      if (data.id === latest.current) setPositions(data.positions);
    });
    worker.current = started;
    return () => started.terminate();
  }, []);

  const shape = JSON.stringify({
    nodes: nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    edges: edges.map(({ from, to }) => ({ from, to })),
  });
  useEffect(() => {
    latest.current++;
    worker.current?.postMessage({ id: latest.current, ...JSON.parse(shape) });
  }, [shape]);
  return positions;
};
