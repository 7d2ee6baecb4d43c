import { McpConnector, Nodes, Passed } from "@quartermaster/core";
import { Effect, Layer, Predicate, Schema, Stream } from "effect";
import {
  FetchHttpClient,
  HttpClient,
  HttpClientRequest,
  type HttpClientResponse,
} from "effect/http";
import * as Messages from "./NodeMessages.ts";
import * as Signature from "./NodeSignature.ts";

/** Passes requests on to other nodes. */

/** The time within which a node has to accept a request. */
const patience = "5 seconds";

const encode = Schema.encodeSync(Messages.Request);
const decode = Schema.decodeUnknownEffect(Messages.Line);

/** Errors of requests that did not reach a node. */
const unsent: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether the cause of a failure, at any depth, is such an error. */
const isUnsent = (cause: unknown): boolean =>
  Predicate.isReadonlyObject(cause) &&
  (unsent.has(cause["code"]) || isUnsent(cause["cause"]) || isUnsent(cause["reason"]));

const noResponse = Passed.elsewhere(
  "The node that runs the server does not respond. Another node starts it when its lease has expired.",
);

const lost = new McpConnector.ConnectorError({
  reason: "otherNode",
  message: "The connection to the node that runs the server was lost during the call.",
  sent: true,
});

const refused = (status: number) =>
  Passed.elsewhere(`The node that runs the server responded with HTTP ${status}.`);

/** Reads the lines of a response until its last one. */
const read = (
  response: HttpClientResponse.HttpClientResponse,
  onProgress: Parameters<NonNullable<typeof Nodes.Nodes.Service>["pass"]>[2],
) =>
  response.stream.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.timeoutOrElse({ duration: Messages.silence, orElse: () => Stream.fail(lost) }),
    Stream.filter((line) => line !== ""),
    Stream.mapEffect((line) => decode(line)),
    Stream.tap((line) => ("progress" in line ? onProgress(line.progress) : Effect.void)),
    Stream.filter((line) => !("progress" in line)),
    Stream.runHead,
    Effect.mapError(() => lost),
    Effect.flatMap(Effect.fromOption),
    Effect.catchTag("NoSuchElementError", () => Effect.fail(lost)),
    Effect.flatMap((line) => {
      if ("response" in line) return Effect.succeed(line.response);
      return Effect.fail("failure" in line ? line.failure : lost);
    }),
  );

/** The other nodes of a service, for a node that they reach at `url`; null if they do not. */
export const layer = (url: string | null) =>
  Layer.effect(
    Nodes.Nodes,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient;
      const signature = yield* Signature.make;

      const pass: NonNullable<typeof Nodes.Nodes.Service>["pass"] = Effect.fnUntraced(
        function* (url, request, onProgress) {
          // A worker of another program, which only the workers of that program reach.
          if (!/^https?:/.test(url)) return yield* noResponse;
          const body = encode(request);
          const response = yield* HttpClientRequest.post(`${url}${Messages.path}`).pipe(
            HttpClientRequest.setHeader(
              Signature.header,
              yield* signature.sign(Messages.path, body),
            ),
            HttpClientRequest.bodyText(body, "application/json"),
            client.execute,
            Effect.timeout(patience),
            Effect.mapError((error) => (isUnsent(error) ? noResponse : lost)),
          );
          if (response.status !== 200) return yield* refused(response.status);
          return yield* read(response, onProgress);
        },
      );
      return { url, pass };
    }),
  ).pipe(Layer.provide(FetchHttpClient.layer));
