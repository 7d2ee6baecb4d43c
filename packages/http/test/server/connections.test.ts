import { NodeServices } from "@effect/platform-node";
import { assert, describe, it } from "@effect/vitest";
import { ConfigProvider, Effect } from "effect";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import * as NodeServer from "../../src/server/NodeServer.ts";
import { ServerConfig } from "../../src/server/ServerConfig.ts";

const server = Effect.acquireRelease(NodeServer.make, (made) =>
  Effect.sync(() => {
    made.closeAllConnections();
    made.close();
  }),
).pipe(
  Effect.provide(ServerConfig.layer),
  Effect.provide(NodeServices.layer),
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: {} })),
);

/** After how many ms of silence the connection ends on which this was sent; 0 for never. */
const limitOf = (headers: string, body = "") =>
  Effect.scoped(
    Effect.gen(function* () {
      const listening = yield* server;
      return yield* Effect.promise(async () => {
        listening.listen(0, "127.0.0.1");
        await once(listening, "listening");
        const { port } = listening.address() as AddressInfo;
        const socket = connect(port, "127.0.0.1");
        const request = once(listening, "request");
        socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`);
        // Nobody reads the body, as where none is expected.
        const [{ socket: served }] = await request;
        const { timeout = 0 } = served;
        socket.destroy();
        return timeout;
      });
    }),
  );

describe("a connection", () => {
  it.live("[server.silent-body] ends after a minute of silence in the middle of a body", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* limitOf("Content-Length: 9\r\n", "{"), 60_000);
      assert.strictEqual(yield* limitOf("Transfer-Encoding: chunked\r\n"), 60_000);
    }),
  );

  it.live("[server.long-answer] waits for its answer as long as it takes, without a body", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* limitOf(""), 0);
      assert.strictEqual(yield* limitOf("Content-Length: 0\r\n"), 0);
    }),
  );
});
