import * as Dns from "node:dns";
import { Context } from "effect";

/** An address that a name resolves to. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Options of connections to remote servers and authorization servers. */
export const NetworkOptions = Context.Reference<{
  /**
   * Host names that may resolve to private and loopback addresses, in lower case. Default: none, so
   * that a DNS name cannot lead into the host's network. `localhost` and literal addresses in a URL
   * need no entry.
   */
  readonly privateHosts: ReadonlySet<string>;
  /** Resolves a host name to all of its addresses. Default: the system's resolver. */
  readonly resolve: (
    hostname: string,
    callback: (error: Error | null, addresses: ReadonlyArray<Resolved>) => void,
  ) => void;
}>("@quartermaster/mcp/servers/network/NetworkOptions", {
  defaultValue: () => ({
    privateHosts: new Set(),
    resolve: (hostname, callback) => {
      Dns.lookup(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));
    },
  }),
});
