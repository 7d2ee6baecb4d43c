/** Messages between the workers of a program and their parent process. */

/** A message of a worker to its parent. */
export type ToParent =
  /** The worker serves requests. `port` is its own listener's. */
  | { readonly kind: "ready"; readonly port: number }
  /** The worker needs the metrics of all workers. */
  | { readonly kind: "scrape"; readonly id: number }
  /** The metrics of the worker, for a scrape of the worker `to`. */
  | { readonly kind: "report"; readonly to: number; readonly id: number; readonly text: string };

/** A message of the parent to a worker. */
export type ToWorker =
  | { readonly kind: "shutdown" }
  /** The ports of the workers that serve requests, by their numbers. */
  | { readonly kind: "ports"; readonly ports: ReadonlyArray<readonly [number, number]> }
  | { readonly kind: "scrape"; readonly from: number; readonly id: number }
  | {
      readonly kind: "report";
      readonly from: number;
      readonly id: number;
      readonly text: string;
    };
