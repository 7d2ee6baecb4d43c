import { Context } from "effect";
import type { Caller } from "../request/Caller.ts";

/** The state of one request, which the log line, the metrics and the limits read. */
export class Exchange {
  /** The path template of the route; "none" until the router finds an endpoint. */
  route = "none";
  /** Null until the caller is authenticated. */
  caller: Caller | null = null;
  readonly requestId: string;
  /**
   * The headers of every response; a response with its own `Cache-Control` retains it. They are set
   * when the response is created, because adding headers later copies it.
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
