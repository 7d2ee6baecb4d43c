import { Buffer } from "node:buffer";
import { McpConnector } from "@quartermaster/core";
import { Effect, Redacted } from "effect";

type RemoteTarget = Extract<McpConnector.Target, { readonly url: unknown }>;

/** The URL and headers of requests. Only the origin may appear in messages. */
export interface Address {
  readonly url: URL;
  readonly origin: string;
  readonly headers: Headers;
}

/** Headers that the protocol sets. Catalog entries cannot override them. */
const reserved = /^(?:accept|content-type|content-length|host|connection|last-event-id|mcp-.*)$/i;

const badVariables = (message: string) =>
  new McpConnector.ConnectorError({ reason: "badVariables", message, sent: false });

export const of = Effect.fnUntraced(function* (target: RemoteTarget) {
  const url = yield* Effect.mapError(
    Effect.try({ try: () => new URL(Redacted.value(target.url)), catch: () => undefined }),
    () => badVariables("The server's URL is invalid."),
  );
  const headers = new Headers();
  if (url.username !== "" || url.password !== "") {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
    url.username = "";
    url.password = "";
  }
  for (const [name, value] of Object.entries(target.headers)) {
    if (reserved.test(name)) continue;
    yield* Effect.mapError(
      Effect.try({
        try: () => headers.set(name, Redacted.value(value)),
        catch: () => undefined,
      }),
      () => badVariables(`The value of the header ${name} is not allowed in a header.`),
    );
  }
  const address: Address = { url, origin: url.origin, headers };
  return address;
});
