import type { Agent, Errors } from "@quartermaster/core";
import type { Effect } from "effect";

/** A request that the host has admitted: its origin is allowed and its key belongs to an agent. */
export interface EndpointRequest {
  readonly method: "POST" | "GET" | "HEAD" | "DELETE";
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The decoded JSON of a POST. */
  readonly body?: unknown;
  readonly keyId: string;
  /** The agent's tool mode. Read lazily, because most calls do not need it. */
  readonly toolMode: Effect.Effect<Agent.ToolMode, Errors.StorageError>;
  /** The expiry of the key as an ISO 8601 timestamp; null if the key never expires. */
  readonly expiresAt: string | null;
  /** Completes when open streams must stop: the key is no longer valid, or the host shuts down. */
  readonly until: Effect.Effect<void>;
}

const url = "http://quartermaster/mcp";

const headersOf = ({ headers }: EndpointRequest): Headers => {
  const given = new Headers();
  for (const name of ["accept", "content-type", "last-event-id"]) {
    if (headers[name] !== undefined) given.set(name, headers[name]);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("mcp-") && value !== undefined) given.set(name, value);
  }
  return given;
};

/** An empty POST, for requests that the endpoint sends to the SDK. */
export const post = (): Request =>
  new Request(url, {
    method: "POST",
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  });

/** Converts to a web request for the SDK, with only the headers that the protocol defines. */
export const toWeb = (request: EndpointRequest, signal?: AbortSignal): Request =>
  new Request(url, {
    method: request.method,
    headers: headersOf(request),
    ...(signal === undefined ? {} : { signal }),
  });
