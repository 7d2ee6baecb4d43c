import { Context } from "effect";
import type { Caller } from "../request/Caller.ts";

/** The state of one request: what the log line, the metrics and the limits need to know of it. */
export class Exchange {
  /** The template of the route; "none" until an endpoint of the contract has been found. */
  route = "none";
  /** Null until the caller is authenticated. */
  caller: Caller | null = null;
  readonly requestId: string;
  /**
   * What every response has, unless it has a `Cache-Control` of its own. The runner adds them as it makes one: to add
   * them later is a copy.
   */
  readonly headers: Readonly<Record<string, string>>;

  constructor(requestId: string, headers?: Readonly<Record<string, string>>) {
    this.requestId = requestId;
    this.headers = {
      "x-request-id": requestId,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      ...headers,
    };
  }
}

/** The exchange of the current request. The envelope around the router provides it. */
export class CurrentExchange extends Context.Service<CurrentExchange, Exchange>()(
  "@quartermaster/http/endpoint/CurrentExchange",
) {}
