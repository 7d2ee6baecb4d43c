import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, Stream } from "effect";
import * as Http from "./support/HttpFixture.ts";
import { withConnector } from "./support/World.ts";

const { connect, good, json, serve } = Http;

/** The error of a failed connect to a server with this handler. */
const failure = (
  handler: Http.Handler,
  options: Parameters<typeof connect>[1] & { readonly path?: string } = {},
) =>
  withConnector(() =>
    Effect.gen(function* () {
      const url = yield* serve(handler);
      return yield* Effect.flip(connect(`${url}${options.path ?? "/mcp"}`, options));
    }),
  );

const status =
  (code: number): Http.Handler =>
  (_, response) =>
    void response.writeHead(code).end("what went wrong");

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** A self-signed certificate and its key, created for the test. */
const selfSigned = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "quartermaster-tls-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
).pipe(
  Effect.map((folder) => {
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const files = ["-out", cert, "-keyout", key];
    const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync("openssl", ["req", ...kind, ...name, ...files, "-days", "2"], { stdio: "ignore" });
    return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  }),
);

describe("a remote server", () => {
  it.live(
    "[connector.http.call] a server lists its tools and is called, with the target's headers",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          const seen: Array<unknown> = [];
          let sent: unknown;
          const url = yield* serve((request, response, message) => {
            if (message?.method === "tools/call") sent = message.params;
            seen.push([request.headers.authorization, request.headers["x-team"], request.url]);
            good()(request, response, message);
          });
          const connection = yield* connect(`${url}/mcp?key=s3cret`, {
            headers: { Authorization: "Bearer t0ken", "X-Team": "red", Accept: "text/html" },
          });
          const [tool] = yield* connection.listTools;
          assert.deepStrictEqual(tool, { name: "echo", inputSchema: { type: "object" } });
          const result = yield* connection.callTool(
            "echo",
            { a: 1 },
            { timeoutMillis: 5_000, meta: { traceparent: "00-1" } },
          );
          assert.include(JSON.stringify(sent), '"traceparent":"00-1"');
          assert.deepStrictEqual(result as unknown, {
            content: [{ type: "text", text: '{"a":1}' }],
            "x-more": 1,
          });
          for (const request of seen) {
            assert.deepStrictEqual(request, ["Bearer t0ken", "red", "/mcp?key=s3cret"]);
          }
        }),
      ),
  );

  it.live(
    "[connector.http.credentials] a name and a password in the URL become basic authentication",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          let authorization: string | undefined;
          const url = yield* serve((request, response, message) => {
            ({ authorization } = request.headers);
            good()(request, response, message);
          });
          yield* connect(url.replace("//", "//ann:p%40ss@"));
          assert.strictEqual(authorization, `Basic ${btoa("ann:p@ss")}`);
        }),
      ),
  );

  it.live("[connector.http.progress] a call reports progress, which extends its time limit", () =>
    withConnector(() =>
      Effect.gen(function* () {
        const call: Http.Handler = (_, response, message) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          const send = (event: unknown) => response.write(`data: ${JSON.stringify(event)}\n\n`);
          const { id, params } = message!;
          const { progressToken } = params!["_meta"] as { readonly progressToken: number };
          let step = 0;
          const timer = setInterval(() => {
            step += 1;
            const method = "notifications/progress";
            send({ jsonrpc: "2.0", method, params: { progressToken, progress: step } });
            if (step < 6) return;
            clearInterval(timer);
            send({ jsonrpc: "2.0", id, result: { content: [] } });
            response.end();
          }, 400);
        };
        const connection = yield* connect(yield* serve(good({ call })));
        const reported: Array<number> = [];
        yield* connection.callTool(
          "slow",
          {},
          {
            timeoutMillis: 2_000,
            onProgress: ({ progress }) => Effect.sync(() => void reported.push(progress)),
          },
        );
        assert.deepStrictEqual(reported, [1, 2, 3, 4, 5, 6]);
      }),
    ),
  );

  it.live("[connector.http.redirect.same] a redirect within the origin is followed", () =>
    withConnector(() =>
      Effect.gen(function* () {
        const url = yield* serve((request, response, message) =>
          request.url === "/old"
            ? void response.writeHead(307, { location: "/new" }).end()
            : good()(request, response, message),
        );
        const connection = yield* connect(`${url}/old`);
        assert.lengthOf(yield* connection.listTools, 1);
      }),
    ),
  );

  it.live.each([
    [{ "retry-after": "30" }, "HTTP status 429: it limits requests, and asks to wait 30 s.", 30],
    [
      { "retry-after": "Sun, 22 Nov 2026 10:00:30 GMT", date: "Sun, 22 Nov 2026 10:00:00 GMT" },
      "HTTP status 429: it limits requests, and asks to wait 30 s.",
      30,
    ],
    [{}, "HTTP status 429: it limits requests.", undefined],
  ] as const)(
    "[connector.http.retry-after] a 429 reports its Retry-After: %j",
    ([headers, message, seconds]) =>
      withConnector(() =>
        Effect.gen(function* () {
          const url = yield* serve(
            good({ call: (_, response) => void response.writeHead(429, { ...headers }).end() }),
          );
          const connection = yield* connect(url);
          const error = yield* Effect.flip(
            connection.callTool("echo", {}, { timeoutMillis: 5_000 }),
          );
          assert(error._tag === "ConnectorError");
          assert.deepStrictEqual(
            [error.reason, error.message, error.retryAfterSeconds],
            ["httpStatus", message, seconds],
          );
        }),
      ),
  );

  it.live.each(["application/json", "text/event-stream"])(
    "[connector.answered] a response that is not exactly JSON-RPC ends its call: %s",
    (type) =>
      withConnector(() =>
        Effect.gen(function* () {
          const url = yield* serve(
            good({
              call: (_, response, message) => {
                const answer = `{"jsonrpc":"2.0","id":${message?.id},"result":"text","error":null}`;
                response.writeHead(200, { "content-type": type });
                if (type === "application/json") return void response.end(answer);
                // The stream stays open: only the event can end the call.
                response.write(`: hello\r\n\r\nevent: message\ndata: ${answer.slice(0, 20)}`);
                setTimeout(() => response.write(`${answer.slice(20)}\n\n`), 20);
              },
            }),
          );
          const connection = yield* connect(url);
          const called = connection.callTool("echo", {}, { timeoutMillis: 60_000 });
          assert.deepStrictEqual((yield* called) as unknown, {});
        }),
      ),
  );

  it.live(
    "[connector.http.cancelled] an interrupted call aborts its request and cancels it at the server",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          const called = yield* Deferred.make<void>();
          const closed = yield* Deferred.make<void>();
          const cancelled: Array<string> = [];
          const handler = good({
            call: (_, response) => {
              Deferred.doneUnsafe(called, Effect.void);
              response.on("close", () => Deferred.doneUnsafe(closed, Effect.void));
            },
          });
          const url = yield* serve((request, response, message) => {
            if (message?.method === "notifications/cancelled") cancelled.push(message.method);
            handler(request, response, message);
          });
          const connection = yield* connect(url);
          const call = yield* Effect.forkChild(
            connection.callTool("echo", {}, { timeoutMillis: 60_000 }),
          );
          yield* Deferred.await(called);
          yield* Fiber.interrupt(call);
          yield* Deferred.await(closed);
          assert.lengthOf(cancelled, 1);
        }),
      ),
  );
});

describe("a remote server that cannot be used", () => {
  it.live("[connector.http.refused] a refused connection is reported without the path", () =>
    withConnector(() =>
      Effect.gen(function* () {
        const url = yield* Effect.scoped(serve(good()));
        const error = yield* Effect.flip(connect(`${url}/mcp?key=s3cret`));
        assert.deepStrictEqual(
          [error.reason, error.message, error.sent],
          ["unreachable", `${url}: the connection was refused (ECONNREFUSED).`, false],
        );
      }),
    ),
  );

  it.live.each([403, 404, 500, 503])(
    "[connector.http.status] an HTTP status is reported: %s",
    (code) =>
      Effect.gen(function* () {
        const error = yield* failure(status(code));
        assert.deepStrictEqual(
          [error.reason, error.message],
          ["httpStatus", `HTTP status ${code}.`],
        );
      }),
  );

  it.live("[connector.http.unauthorized] a 401 is reported as missing authorization", () =>
    Effect.gen(function* () {
      const error = yield* failure(status(401));
      assert.strictEqual(error.reason, "unauthorized");
      assert.match(error.message, /^HTTP status 401/);
    }),
  );

  const insufficient = (scope: string) => `Bearer error="insufficient_scope", scope="${scope}"`;

  it.live.each([
    ["of another scheme", "Basic realm=x", "httpStatus"],
    ["for another reason", 'Bearer error="invalid_token", scope="write"', "httpStatus"],
    ["without scopes", 'Bearer error="insufficient_scope"', "httpStatus"],
    ["with invalid scopes", insufficient("a\tb"), "httpStatus"],
    ["with too many", insufficient("r".repeat(1_001)), "httpStatus"],
    ["with scopes", insufficient("read write:all"), "insufficientScope"],
  ] as const)(
    "[connector.http.scope] a 403 reports the scopes that it names: %s",
    ([_, header, reason]) =>
      Effect.gen(function* () {
        const error = yield* failure((_, response) => {
          response.writeHead(403, { "www-authenticate": header }).end();
        });
        assert.strictEqual(error.reason, reason);
        if (reason === "httpStatus") return assert.strictEqual(error.message, "HTTP status 403.");
        assert.strictEqual(
          error.message,
          "HTTP status 403: it requires the scopes read write:all.",
        );
        assert.strictEqual(error.scope, "read write:all");
      }),
  );

  it.live("[connector.http.redirect.other] a redirect to another origin is not followed", () =>
    withConnector(() =>
      Effect.gen(function* () {
        let reached = false;
        const other = yield* serve((_, response) => {
          reached = true;
          response.end();
        });
        const url = yield* serve(
          (_, response) => void response.writeHead(307, { location: `${other}/mcp?s3cret` }).end(),
        );
        const error = yield* Effect.flip(connect(url));
        assert.deepStrictEqual(
          [error.reason, error.message],
          [
            "redirected",
            `The server redirects to another origin, ${other}, which is not followed.`,
          ],
        );
        assert.isFalse(reached);
      }),
    ),
  );

  it.live.runIf(hasOpenssl)(
    "[connector.http.tls] a certificate that is not trusted is reported with its reason",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          const { cert, key } = yield* selfSigned;
          const url = yield* Http.serveTls(key, cert, good());
          const error = yield* Effect.flip(connect(url));
          assert.deepStrictEqual([error.reason, error.sent], ["unreachable", false]);
          assert.match(error.message, /TLS failed, self-signed certificate \(DEPTH_ZERO/);
        }),
      ),
  );

  it.live("[connector.http.endless] an endless body fails after the time limit", () =>
    Effect.gen(function* () {
      const error = yield* failure(
        (_, response) => {
          response.writeHead(200, { "content-type": "application/json" });
          const timer = setInterval(() => response.write(" "), 10);
          response.on("close", () => clearInterval(timer));
        },
        { timeoutMillis: 500 },
      );
      assert.strictEqual(error.reason, "timeout");
      assert.match(error.message, /^Timed out after 0\.5 s/);
    }),
  );

  it.live.each([
    ["application/json", "tooLarge"],
    ["text/event-stream", "closed"],
  ] as const)(
    "[connector.http.endless] an endless body is not stored, and not read beyond 128 MiB: %s",
    ([type, reason]) =>
      Effect.gen(function* () {
        const before = process.memoryUsage().rss;
        const error = yield* failure(
          (_, response) => {
            response.writeHead(200, { "content-type": type });
            const chunk = `data: ${"x".repeat(1_000)}\n`.repeat(1_000);
            const more = () => response.destroyed || response.write(chunk, more);
            more();
          },
          { timeoutMillis: 50_000 },
        );
        assert.strictEqual(error.reason, reason);
        assert.isBelow((process.memoryUsage().rss - before) / 1024 / 1024, 350);
      }),
  );

  const huge = "é".repeat(25 * 1024 * 1024);
  const hugeResult = (id: unknown, isLast: boolean) =>
    isLast
      ? `{"result":{"content":[{"type":"text","text":"${huge}"}]},"jsonrpc":"2.0","id":${id}}`
      : `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${huge}"}]}}`;

  it.live.each([
    ["application/json", false],
    ["application/json", true],
    ["text/event-stream", false],
    ["text/event-stream", true],
  ] as const)(
    "[connector.http.tooLarge] a response of more than 32 MiB fails its call with its size: %s, id last: %s",
    ([type, isLast]) =>
      withConnector(() =>
        Effect.gen(function* () {
          const call: Http.Handler = (_, response, message) => {
            const { name } = message!.params!;
            const id = message!.id;
            const body =
              name === "huge" ? hugeResult(id, isLast) : `{"jsonrpc":"2.0","id":${id},"result":{}}`;
            response
              .writeHead(200, { "content-type": type })
              .end(type === "application/json" ? body : `event: message\nid: 7\ndata: ${body}\n\n`);
          };
          const connection = yield* connect(yield* serve(good({ call })));
          const called = (name: string) => connection.callTool(name, {}, { timeoutMillis: 30_000 });
          const error = yield* Effect.flip(called("huge"));
          assert(error._tag === "ConnectorError");
          const fields = type === "application/json" ? 0 : "event: message\nid: 7\ndata: ".length;
          const bytes = Buffer.byteLength(hugeResult(2, isLast)) + fields;
          assert.deepStrictEqual(
            [error.reason, error.bytes, error.sent],
            ["tooLarge", bytes, true],
          );
          yield* called("other");
        }),
      ),
  );

  it.live.each([
    ["text/html", "<h1>Welcome</h1>"],
    ["application/json", "<h1>Welcome</h1>"],
    ["application/json", '{"hello":"world"}'],
    ["application/json", '{"jsonrpc":"2.0","id":0,"result":{"hello":"world"}}'],
  ] as const)(
    "[connector.http.notMcp] a response that is not MCP is refused, and the message does not quote it: %s %s",
    ([type, body]) =>
      Effect.gen(function* () {
        const error = yield* failure(
          (_, response) => void response.writeHead(200, { "content-type": type }).end(body),
          { path: "/mcp?key=s3cret" },
        );
        assert.strictEqual(error.reason, "notMcp");
        assert.notInclude(error.message, "s3cret");
        assert.notInclude(error.message, "Welcome");
      }),
  );

  it.live(
    "[connector.http.badVariables] an invalid URL or header is refused, and the message does not quote it",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          const address = yield* Effect.flip(connect("http://s3cret:not a port"));
          const header = yield* Effect.flip(
            connect("http://127.0.0.1:9", { headers: { A: "s3\ncret" } }),
          );
          for (const error of [address, header]) {
            assert.strictEqual(error.reason, "badVariables");
            assert.notMatch(error.message, /s3/);
          }
        }),
      ),
  );
});

describe("a session", () => {
  it.live(
    "[connector.http.session.renewed] a forgotten session is replaced, and all calls succeed",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          let session = "first";
          let greetings = 0;
          const handler = good({ session: () => session });
          const url = yield* serve((request, response, message) => {
            if (message?.method === "initialize") greetings += 1;
            handler(request, response, message);
          });
          const connection = yield* connect(url);
          yield* connection.listTools;
          session = "second";
          const calls = Array.from({ length: 10 }, () =>
            connection.callTool("echo", {}, { timeoutMillis: 5_000 }),
          );
          yield* Effect.all(calls, { concurrency: "unbounded" });
          assert.strictEqual(greetings, 2);
        }),
      ),
  );

  it.live(
    "[connector.http.session.changed] a forgotten session is not replaced if the tools have changed",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          let session = "first";
          let called = false;
          const url = yield* serve(
            good({
              session: () => session,
              tools: () => [{ name: "echo", description: session }],
              call: (_, response, message) => {
                called = true;
                json(response, { jsonrpc: "2.0", id: message!.id, result: { content: [] } });
              },
            }),
          );
          const connection = yield* connect(url);
          yield* connection.listTools;
          session = "second";
          const error = yield* Effect.flip(
            connection.callTool("echo", {}, { timeoutMillis: 5_000 }),
          );
          assert(error._tag === "ConnectorError");
          assert.strictEqual(error.reason, "closed");
          assert.isFalse(called);
          assert.strictEqual((yield* connection.closed).message, error.message);
        }),
      ),
  );

  it.live(
    "[connector.http.session.lost] a connection closes when no new session can be opened",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          let gone = false;
          const handler = good({ session: () => "only" });
          const url = yield* serve((request, response, message) =>
            gone ? void response.writeHead(404).end() : handler(request, response, message),
          );
          const connection = yield* connect(url);
          gone = true;
          const error = yield* Effect.flip(connection.listTools);
          assert.strictEqual(error.reason, "closed");
          assert.match(error.message, /a new one could not be opened: HTTP status 404\.$/);
        }),
      ),
  );

  it.live("[connector.http.session.ended] a session is deleted with the connection", () =>
    withConnector(() =>
      Effect.gen(function* () {
        let deleted: unknown;
        const handler = good({ session: () => "one" });
        const url = yield* serve((request, response, message) => {
          if (request.method === "DELETE") deleted = request.headers["mcp-session-id"];
          handler(request, response, message);
        });
        yield* Effect.scoped(connect(url));
        assert.strictEqual(deleted, "one");
      }),
    ),
  );

  it.live.each([
    ["socket", "unreachable"],
    ["stream", "closed"],
  ] as const)(
    "[connector.http.lost] a call whose response is lost fails immediately: %s",
    ([how, reason]) =>
      withConnector(() =>
        Effect.gen(function* () {
          const call: Http.Handler = (_, response) => {
            if (how === "socket") return void response.destroy();
            response.writeHead(200, { "content-type": "text/event-stream" });
            response.end(": nothing to say\n\n");
          };
          const connection = yield* connect(yield* serve(good({ call })));
          const error = yield* Effect.flip(
            connection.callTool("echo", {}, { timeoutMillis: 60_000 }),
          );
          assert(error._tag === "ConnectorError");
          assert.deepStrictEqual([error.reason, error.sent], [reason, true]);
        }),
      ),
  );
});

describe("a server with the SSE transport", () => {
  /** A server with a stream of events, and a URL to post messages to. */
  const sse = () => {
    let events: ServerResponse | undefined;
    const handler: Http.Handler = (request, response, message) => {
      if (request.method === "GET") {
        events = response;
        response.writeHead(200, { "content-type": "text/event-stream" });
        return void response.write("event: endpoint\ndata: /messages?session=1\n\n");
      }
      response.writeHead(202).end();
      if (message?.id === undefined) return;
      good()(
        request,
        {
          writeHead: () => ({
            end: (body: string) => events?.write(`event: message\ndata: ${body}\n\n`),
          }),
        } as never,
        message,
      );
    };
    return {
      handler,
      end: () => events?.end(),
      write: (text: string) => events?.write(text),
      send: (event: unknown) => events?.write(`data: ${JSON.stringify(event)}\n\n`),
    };
  };

  it.live("[connector.sse.call] a server lists its tools, is called, and notifies of changes", () =>
    withConnector(() =>
      Effect.gen(function* () {
        const { handler, send } = sse();
        const connection = yield* connect(yield* serve(handler), { transport: "sse" });
        assert.lengthOf(yield* connection.listTools, 1);
        const result = yield* connection.callTool("echo", { a: 1 }, { timeoutMillis: 5_000 });
        assert.strictEqual(result.content[0]?.["text"], '{"a":1}');
        send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
        yield* Stream.runHead(connection.toolsChanged);
      }),
    ),
  );

  it.live(
    "[connector.sse.tooLarge] an event of more than 32 MiB is skipped, and its call fails with its size",
    () =>
      withConnector(() =>
        Effect.gen(function* () {
          const { handler, write } = sse();
          const connection = yield* connect(
            yield* serve((request, response, message) => {
              if (message?.params?.["name"] !== "huge") return handler(request, response, message);
              response.writeHead(202).end();
              const text = "x".repeat(40 * 1024 * 1024);
              write(`data: {"jsonrpc":"2.0","id":${message.id},"result":{"text":"${text}"}}\n\n`);
            }),
            { transport: "sse" },
          );
          const called = (name: string) => connection.callTool(name, {}, { timeoutMillis: 30_000 });
          const other = yield* Effect.forkChild(called("other"));
          const error = yield* Effect.flip(called("huge"));
          assert(error._tag === "ConnectorError" && error.reason === "tooLarge");
          assert.isAbove(error.bytes ?? 0, 40 * 1024 * 1024);
          yield* Fiber.join(other);
          yield* called("other");
        }),
      ),
  );

  it.live("[connector.sse.lost] a connection closes when its stream ends", () =>
    withConnector(() =>
      Effect.gen(function* () {
        const { handler, end } = sse();
        const connection = yield* connect(yield* serve(handler), { transport: "sse" });
        end();
        assert.strictEqual((yield* connection.closed).reason, "closed");
      }),
    ),
  );

  it.live.each([
    [401, "unauthorized"],
    [503, "httpStatus"],
  ] as const)(
    "[connector.sse.status] an HTTP status is reported, and the request is not retried: %s",
    ([code, reason]) =>
      Effect.gen(function* () {
        let requests = 0;
        const error = yield* failure(
          (request, response, message) => {
            requests += 1;
            status(code)(request, response, message);
          },
          { transport: "sse" },
        );
        assert.strictEqual(error.reason, reason);
        assert.match(error.message, new RegExp(`^HTTP status ${code}`));
        assert.strictEqual(requests, 1);
      }),
  );

  it.live("[connector.sse.refused] a refused connection is reported", () =>
    withConnector(() =>
      Effect.gen(function* () {
        const url = yield* Effect.scoped(serve(good()));
        const error = yield* Effect.flip(connect(url, { transport: "sse" }));
        assert.deepStrictEqual([error.reason, error.sent], ["unreachable", false]);
      }),
    ),
  );
});
