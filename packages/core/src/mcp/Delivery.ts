import { Context } from "effect";

/**
 * Learns whether a response was delivered: its last byte went to an open connection. Called once; with false
 * if the connection closed before, or the response has no result.
 */
export type Listener = (isDelivered: boolean) => void;

/**
 * Reports the delivery of the response to the current request. Roads that write responses provide it. By default a
 * result is delivered when the effect returns it.
 */
export const CurrentDelivery = Context.Reference<(listener: Listener) => void>(
  "@quartermaster/core/mcp/Delivery/CurrentDelivery",
  { defaultValue: () => (listener) => listener(true) },
);

/** The deliveries of one response, which may have several results. */
export interface Deliveries {
  /** A value of `CurrentDelivery`. */
  readonly report: (listener: Listener) => void;
  /** Calls the listeners. Later ones are called immediately. */
  readonly settle: (isDelivered: boolean) => void;
}

export const make = (): Deliveries => {
  let settled: boolean | null = null;
  const listeners: Array<Listener> = [];
  return {
    report: (listener) => {
      if (settled === null) listeners.push(listener);
      else listener(settled);
    },
    settle: (isDelivered) => {
      if (settled !== null) return;
      settled = isDelivered;
      for (const listener of listeners.splice(0)) listener(isDelivered);
    },
  };
};
