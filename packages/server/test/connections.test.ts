import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { NodeServices } from "@effect/platform-node";
import { assert, describe, it } from "@effect/vitest";
import { ConfigProvider, Effect } from "effect";
import * as Connection from "../../http/src/request/Connection.ts";
import { ServerConfig } from "../src/config/ServerConfig.ts";
import * as ConnectionLimits from "../src/socket/ConnectionLimits.ts";
import * as NodeServer from "../src/socket/NodeServer.ts";

const closing = <E, R>(make: Effect.Effect<Server, E, R>) =>
  Effect.acquireRelease(make, (made) =>
    Effect.sync(() => {
      made.closeAllConnections();
      made.close();
    }),
  );

const server = closing(NodeServer.make).pipe(
  Effect.provide(ServerConfig.layer),
  Effect.provide(NodeServices.layer),
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: {} })),
);

/** The milliseconds of silence after which the connection that sent this is closed; 0 for never. */
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
        // Like a route without a body, this does not read it.
        const [{ socket: served }] = await request;
        const { timeout = 0 } = served;
        socket.destroy();
        return timeout;
      });
    }),
  );

/** Runs `test` with a server with other limits, which responds with 200 when a body is complete. */
const limited = (
  limits: Partial<ConnectionLimits.Limits>,
  test: (open: (text: string) => Socket) => Promise<void>,
  isShared?: (address: string | undefined) => boolean,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const made = yield* closing(
        Effect.sync(() =>
          createServer((request, response) => {
            request.resume().on("end", () => response.end());
          }),
        ),
      );
      yield* ConnectionLimits.apply(made, isShared ?? Connection.shares([]), {
        ...ConnectionLimits.defaults,
        checkEvery: "10 millis",
        ...limits,
      });
      yield* Effect.promise(async () => {
        made.listen(0, "127.0.0.1");
        await once(made, "listening");
        const { port } = made.address() as AddressInfo;
        await test((text) => {
          const socket = connect(port, "127.0.0.1").on("error", () => {});
          socket.write(text);
          return socket.resume();
        });
      });
    }),
  );

/**
 * The output of the server, and the requests that reach its routes, when these texts arrive in
 * turn.
 */
const exchange = (...texts: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const made = yield* server;
      const served: Array<string> = [];
      return yield* Effect.promise(async () => {
        const first = Promise.withResolvers<() => void>();
        made.on("request", ({ method, url }, response) => {
          served.push(`${method} ${url}`);
          first.resolve(() => response.end("done"));
        });
        made.listen(0, "127.0.0.1");
        await once(made, "listening");
        const { port } = made.address() as AddressInfo;
        const socket = connect(port, "127.0.0.1");
        let received = "";
        socket.on("data", (chunk) => (received += String(chunk)));
        const closed = once(socket, "close");
        const [head = "", ...later] = texts;
        socket.write(head);
        if (later.length > 0) {
          const respond = await first.promise;
          for (const text of later) socket.write(text);
          // The server has read the earlier bytes before it accepts the next connection.
          await once(connect(port, "127.0.0.1"), "connect");
          respond();
        }
        await closed;
        return { received, served };
      });
    }),
  );

describe("a response", () => {
  it.live("Node sends the head and the text of a response by one write", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const made = yield* server;
        const writes: Array<string> = [];
        made.on("request", ({ socket }, response) => {
          const write = socket.write.bind(socket) as (...args: ReadonlyArray<unknown>) => boolean;
          socket.write = (text: unknown, ...rest: ReadonlyArray<unknown>) => {
            writes.push(String(text));
            return write(text, ...rest);
          };
          // As effect's server does.
          response.strictContentLength = true;
          response.writeHead(200, { "content-length": 5 }).end("düne");
        });
        yield* Effect.promise(async () => {
          made.listen(0, "127.0.0.1");
          await once(made, "listening");
          const { port } = made.address() as AddressInfo;
          const response = await fetch(`http://127.0.0.1:${port}`);
          assert.strictEqual(await response.text(), "düne");
        });
        assert.lengthOf(writes, 1);
        assert.match(writes[0] ?? "", /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\ndüne$/);
      }),
    ),
  );
});

describe("a connection", () => {
  it.live(
    "[server.upgrade] the response to a declined upgrade ends the connection, and no later request runs",
    () =>
      Effect.gen(function* () {
        const upgrade = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
        const next = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
        const { received, served } = yield* exchange(upgrade, next);
        assert.match(received, /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/);
        assert.deepStrictEqual(served, ["GET /a"]);
      }),
  );

  it.live(
    "[server.malformed-head] a malformed HEAD request gets no body, and another one a problem",
    () =>
      Effect.gen(function* () {
        const { received } = yield* exchange("HEAD / HTTP/1.1\r\nno header\r\n\r\n");
        assert.match(received, /^HTTP\/1\.1 400 [^]*Content-Length: \d+\r\n\r\n$/);
        const { received: ofGet } = yield* exchange("GET / HTTP/1.1\r\nno header\r\n\r\n");
        assert.include(ofGet, "urn:quartermaster:problem:invalid-request");
      }),
  );

  it.live(
    "[server.silent-body] a connection ends after a minute of silence in the middle of a body",
    () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* limitOf("Content-Length: 9\r\n", "{"), 60_000);
        assert.strictEqual(yield* limitOf("Transfer-Encoding: chunked\r\n"), 60_000);
      }),
  );

  it.live(
    "[server.long-answer] a connection without a body waits for its response without a limit",
    () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* limitOf(""), 0);
        assert.strictEqual(yield* limitOf("Content-Length: 0\r\n"), 0);
      }),
  );

  it.live("[server.idle-connection] a connection that starts no request closes", () =>
    limited({ firstRequest: 50 }, async (open) => {
      const socket = open("");
      await once(socket, "close");
      const request = open("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      const [response] = await once(request, "data");
      assert.match(String(response), /^HTTP\/1\.1 200 /);
      request.destroy();
    }),
  );

  it.live("[server.slow-body] a connection whose body is too slow on average closes", () =>
    limited({ bodyGrace: 100, bodyBytesPerSecond: 1000 }, async (open) => {
      const slow = open("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{");
      await once(slow, "close");
      const fast = open("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
      const [response] = await once(fast, "data");
      assert.match(String(response), /^HTTP\/1\.1 200 /);
      fast.destroy();
    }),
  );

  it.live(
    "[server.connections-per-address] a connection beyond the limit of its address closes",
    () =>
      Effect.gen(function* () {
        // Every loopback address is exempt, so the test calls the limit directly.
        const isShared = Connection.shares(["10.0.0.0/8"]);
        assert.isTrue(isShared("127.0.0.1"));
        assert.isTrue(isShared("::ffff:127.0.0.1"));
        assert.isTrue(isShared("::1"));
        assert.isTrue(isShared("10.1.2.3"));
        assert.isFalse(isShared("192.168.1.7"));
        yield* limited(
          { perAddress: 2 },
          async (open) => {
            const sockets = [open(""), open(""), open("")];
            await Promise.race(sockets.map((socket) => once(socket, "close")));
            assert.strictEqual(sockets.filter(({ closed }) => closed).length, 1);
            for (const socket of sockets) socket.destroy();
          },
          () => false,
        );
      }),
  );
});
