import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { assert, describe, it } from "@effect/vitest";
import { MasterKeys, Nodes, type Passed } from "@quartermaster/core";
import { SeededRandom, TestCore } from "@quartermaster/testing";
import { Deferred, Effect, Fiber, Layer } from "effect";
import { Digest, Mac } from "effect/crypto";
import { TestClock } from "effect/testing";
import * as NodeClient from "../src/nodes/NodeClient.ts";

const request: Passed.Request = {
  nodeId: "node",
  serverId: "mcp_a",
  generation: 1,
  agentId: "bot",
  runId: null,
  action: { kind: "listTools" },
};

/** The port of a node with this behavior. */
const node = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      return { server, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close();
        server.closeAllConnections();
      }),
  );

const services = NodeClient.layer(null).pipe(
  Layer.provide(MasterKeys.MasterKeys.layer([TestCore.masterKey(1)])),
  Layer.provide(Layer.merge(Digest.layerWebCrypto, Mac.layerWebCrypto)),
  Layer.provide(SeededRandom.layerWith({ seed: 1 })),
);

/** Passes the request on. Returns the result, or reason and `sent` of the failure. */
const passTo = (url: string, progress: Array<unknown> = []) =>
  Nodes.Nodes.pipe(
    Effect.flatMap(
      (nodes) =>
        nodes?.pass(url, request, (note) => Effect.sync(() => void progress.push(note))) ??
        Effect.die("no nodes"),
    ),
    Effect.catch((error) =>
      Effect.succeed(
        error._tag === "ConnectorError" ? { reason: error.reason, sent: error.sent } : error._tag,
      ),
    ),
    Effect.provide(services),
  );

const pass = (port: number, progress?: Array<unknown>) =>
  passTo(`http://127.0.0.1:${port}`, progress);

const elsewhere = { reason: "otherNode", sent: false } as const;
const lost = { reason: "otherNode", sent: true } as const;

describe("requests to other nodes", () => {
  it.effect("[mcp.state.one] the response follows progress and empty lines", () =>
    Effect.gen(function* () {
      const { port } = yield* node((_, response) => {
        response.write('\n{"progress":{"progress":1}}\n\n{"response":{"res');
        response.end('ult":"ä","isReplaced":false}}\n');
      });
      const progress: Array<unknown> = [];
      assert.deepStrictEqual(yield* pass(port, progress), { result: "ä", isReplaced: false });
      assert.deepStrictEqual(progress, [{ progress: 1 }]);
    }),
  );

  it.effect(
    "[mcp.state.killed] a node that cannot be reached, or refuses, has not received the call",
    () =>
      Effect.gen(function* () {
        const { port, server } = yield* node((_, response) => response.writeHead(503).end());
        assert.deepStrictEqual(yield* pass(port), elsewhere);
        server.close();
        server.closeAllConnections();
        assert.deepStrictEqual(yield* pass(port), elsewhere);
        assert.deepStrictEqual(yield* passTo("worker:other/1"), elsewhere);
      }),
  );

  it.effect(
    "[mcp.state.killed] a response that is cut, or that no node wrote, leaves the call unknown",
    () =>
      Effect.gen(function* () {
        for (const listener of [
          (_: unknown, response: ServerResponse) => response.destroy(),
          (_: unknown, response: ServerResponse) => response.write("\n", () => response.destroy()),
          (_: unknown, response: ServerResponse) => response.end("\n"),
          (_: unknown, response: ServerResponse) => response.end("<html>"),
        ]) {
          const { port } = yield* node(listener);
          assert.deepStrictEqual(yield* pass(port), lost);
        }
      }),
  );

  it.effect(
    "[mcp.state.killed] a node that falls silent is given up, and an interruption ends the request",
    () =>
      Effect.gen(function* () {
        for (const [begins, seconds] of [
          [false, 5],
          [true, 15],
        ] as const) {
          const started = Deferred.makeUnsafe<void>();
          const closed = Deferred.makeUnsafe<void>();
          const { port } = yield* node((_, response) => {
            response.on("close", () => Deferred.doneUnsafe(closed, Effect.void));
            if (begins) response.write("\n");
            Deferred.doneUnsafe(started, Effect.void);
          });
          const passing = yield* Effect.forkChild(pass(port));
          yield* Deferred.await(started);
          while (passing.pollUnsafe() === undefined) {
            yield* TestClock.adjust(`${seconds} seconds`);
            yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)));
          }
          assert.deepStrictEqual(yield* Fiber.join(passing), lost);
          yield* Deferred.await(closed);
        }
        const started = Deferred.makeUnsafe<void>();
        const closed = Deferred.makeUnsafe<void>();
        const { port } = yield* node((_, response) => {
          response.on("close", () => Deferred.doneUnsafe(closed, Effect.void));
          response.write("\n", () => Deferred.doneUnsafe(started, Effect.void));
        });
        const passing = yield* Effect.forkChild(pass(port));
        yield* Deferred.await(started);
        yield* Fiber.interrupt(passing);
        yield* Deferred.await(closed);
      }),
  );
});
