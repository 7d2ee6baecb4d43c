import { Context, Effect } from "effect";

/** Settings of the routes for hosts. */
export interface HttpSettings {
  /** The origin that browsers see; null for scheme and Host of each request. */
  readonly publicUrl: string | null;
  /**
   * The path that the routes are mounted at, as clients see it, such as `/quartermaster`; empty for the
   * root of the host. Requests below it are served, and all links contain it.
   */
  readonly prefix: string;
  /** Whether the dashboard is at the root of the prefix, and at every path that no route has. */
  readonly dashboard: boolean;
  /** The name or address that the server listens at; null if it is not known. */
  readonly host: string | null;
  /** Further names that clients may reach `/mcp` at, without a port for every port: `quartermaster:7420`. */
  readonly allowedHosts: ReadonlyArray<string>;
  /** Origins of other sites whose pages may use `/mcp`: `https://agents.example.com`. */
  readonly allowedOrigins: ReadonlyArray<string>;
  /** Addresses and networks (`10.0.0.0/8`) whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: ReadonlyArray<string>;
  /** Requests a second for each key and node; bursts may be twice that. 0 for no limit. */
  readonly rateLimit: number;
  /** Failed authentications a minute for each address. 0 for no limit. */
  readonly authFailureLimit: number;
  readonly maxJsonBytes: number;
  /** Open event streams for each key and node. 0 for no limit. */
  readonly maxStreams: number;
  /** The shutdown of the server: at its start streams end, and from then on requests are refused. */
  readonly shutdown: {
    readonly begun: Effect.Effect<void>;
    readonly isUnderWay: () => boolean;
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
  shutdown: { begun: Effect.never, isUnderWay: () => false },
};

export const HttpOptions = Context.Reference<HttpSettings>("@quartermaster/http/HttpOptions", {
  defaultValue: () => defaults,
});
