import { Context, Effect } from "effect";

/** Settings of the routes for hosts. */
export interface HttpSettings {
  /**
   * The origin that browsers use. If null, it is derived from the scheme and `Host` of each
   * request.
   */
  readonly publicUrl: string | null;
  /**
   * The path at which the routes are mounted, as clients see it, such as `/quartermaster`; empty
   * for the root of the host. The routes serve requests below it and add it to every link.
   */
  readonly prefix: string;
  /** Whether to serve the dashboard at the root of the prefix and at every path that has no route. */
  readonly dashboard: boolean;
  /** The name or address that the server listens on; null if unknown. */
  readonly host: string | null;
  /**
   * Other names under which clients may reach `/mcp`, such as `quartermaster:7420`. A name without
   * a port allows every port.
   */
  readonly allowedHosts: ReadonlyArray<string>;
  /** Other origins whose pages may use `/mcp`, such as `https://agents.example.com`. */
  readonly allowedOrigins: ReadonlyArray<string>;
  /** Proxy addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: ReadonlyArray<string>;
  /** Requests per second per key on each node; bursts may be twice as large. 0: no limit. */
  readonly rateLimit: number;
  /** Failed authentications per minute per address. 0: no limit. */
  readonly authFailureLimit: number;
  readonly maxJsonBytes: number;
  /** Open event streams per key on each node. 0: no limit. */
  readonly maxStreams: number;
  /** The server's shutdown. When it starts, streams end and new requests get 503. */
  readonly shutdown: {
    readonly started: Effect.Effect<void>;
    readonly hasStarted: () => boolean;
  };
}

/** The contract's defaults. */
export const defaults: HttpSettings = {
  publicUrl: null,
  prefix: "",
  dashboard: false,
  host: null,
  allowedHosts: [],
  allowedOrigins: [],
  trustedProxies: [],
  rateLimit: 5_000,
  authFailureLimit: 20,
  maxJsonBytes: 1024 * 1024,
  maxStreams: 1_000,
  shutdown: { started: Effect.never, hasStarted: () => false },
};

export const HttpOptions = Context.Reference<HttpSettings>("@quartermaster/http/HttpOptions", {
  defaultValue: () => defaults,
});
