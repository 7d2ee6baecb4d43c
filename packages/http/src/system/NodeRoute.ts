import { ExactNumbers, Nodes, Passed, PassedRequests } from "@quartermaster/core";
import { NodeMessages as Messages, NodeSignature as Signature } from "@quartermaster/mcp";
import { ByteSize, Effect, Layer, Queue, Schema, Stream } from "effect";
import {
  HttpIncomingMessage,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse,
} from "effect/http";
import * as Problem from "../api/Problem.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../request/Refused.ts";

/**
 * Takes requests that other nodes pass on, by `POST /internal/mcp`. The contract does not have the route, nor
 * does a service without other nodes.
 */

const unauthenticated = Refused.from(
  new Problem.Unauthenticated({ detail: "Only nodes of this service may use this path." }),
);
const unreadable = Refused.invalid(400, "", "The body is not a request of a node of this version");

/** Arguments may be longer in the JSON of another node than in the caller's. */
const longer = 8;

const encode = Schema.encodeSync(Messages.Line);
const decode = Schema.decodeUnknownEffect(Passed.Request);
const alive = Stream.as(Stream.tick(Messages.aliveEvery), "");

const route = Effect.gen(function* () {
  const { handle } = yield* PassedRequests.PassedRequests;
  const signature = yield* Signature.make;
  const { maxJsonBytes } = yield* HttpOptions;
  const maxBytes = ByteSize.bytes(longer * maxJsonBytes);

  return HttpRouter.add(
    "POST",
    Messages.path,
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest;
      // No body of another sender is read.
      const digest = yield* signature.accept(Messages.path, request.headers[Signature.header]);
      if (digest === null) return unauthenticated;
      const body = yield* Effect.provideService(
        request.text,
        HttpIncomingMessage.MaxBodySize,
        maxBytes,
      );
      if ((yield* signature.digestOf(body)) !== digest) return unauthenticated;
      const passed = yield* Effect.orElseSucceed(
        Effect.flatMap(
          Effect.try(() => ExactNumbers.parse(body)),
          decode,
        ),
        () => null,
      );
      if (passed === null) return unreadable;
      const lines = Stream.callback<Messages.Line>((queue) =>
        handle(passed, (progress) => Effect.asVoid(Queue.offer(queue, { progress }))).pipe(
          Effect.match({
            onFailure: (failure): Messages.Line => ({ failure }),
            onSuccess: (response): Messages.Line => ({ response }),
          }),
          Effect.flatMap((line) => Queue.offer(queue, line)),
          Effect.andThen(Queue.end(queue)),
        ),
      );
      return HttpServerResponse.stream(
        Stream.map(lines, (line) => encode(line)).pipe(
          Stream.merge(alive, { haltStrategy: "left" }),
          Stream.map((line) => `${line}\n`),
          Stream.encodeText,
        ),
        { contentType: "application/x-ndjson", headers: { "cache-control": "no-store" } },
      );
    }),
  );
});

export const layer = Layer.unwrap(
  Effect.flatMap(Nodes.Nodes, (nodes) => (nodes === null ? Effect.succeed(Layer.empty) : route)),
);
