import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it, inject, onTestFinished } from "@effect/vitest";
import { Effect, ManagedRuntime, Redacted } from "effect";
import { SqlClient } from "effect/sql";
import { WatchedSocket } from "../src/client/WatchedSocket.ts";
import { PostgresClient } from "../src/index.ts";
import { Cluster } from "./support/Cluster.ts";
import "./support/cluster.setup.ts";
import { Proxy } from "./support/Proxy.ts";

/** Writes a certificate that signs itself; false where there is no OpenSSL. */
const certify = (cluster: Cluster): boolean => {
  const key = join(cluster.dataDir, "server.key");
  const cert = join(cluster.dataDir, "server.crt");
  try {
    const subject = "req -new -x509 -days 2 -nodes -subj /CN=localhost".split(" ");
    const names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert];
    execFileSync("openssl", subject.concat(names), { stdio: "ignore" });
  } catch {
    return false;
  }
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) for (const file of [key, cert]) chownSync(file, 65_534, 65_534);
  return true;
};

/** A message of the protocol: its type, and a body of this many bytes. */
const message = (type: string, body: number) => {
  const bytes = Buffer.alloc(5 + body);
  bytes.write(type);
  bytes.writeUInt32BE(4 + body, 1);
  return bytes;
};

it("a socket waits until each statement has its response, however the bytes arrive", () => {
  const socket = new WatchedSocket({ host: "127.0.0.1", port: 9 }, false);
  socket.stream().on("error", () => {});
  const statement = [message("B", 300), message("E", 9), message("S", 0)];
  const response = [message("2", 0), message("D", 90), message("C", 5), message("Z", 1)];
  socket.sent(Buffer.concat([...statement, ...statement]));
  socket.received(Buffer.concat(response));
  assert.isTrue(socket.isWaiting);
  for (const byte of Buffer.concat(response).subarray(0, -1)) socket.received(Buffer.of(byte));
  assert.isTrue(socket.isWaiting);
  socket.received(Buffer.of(0));
  assert.isFalse(socket.isWaiting);
  socket.fail("the test has ended");
});

describe.skipIf(inject("postgres") === "")("a connection over TLS", () => {
  it("verifies the certificate, and fails after 6 seconds of silence", async (context) => {
    const cluster = await Cluster.start();
    onTestFinished(() => cluster.remove());
    if (!certify(cluster)) return context.skip("there is no OpenSSL");
    await cluster.end();
    await cluster.run(["ssl=on"]);
    const proxy = await Proxy.to(cluster.port);
    onTestFinished(() => proxy.close());
    const url = Redacted.make(
      `postgres://postgres@localhost:${proxy.port}/postgres?sslmode=verify-full`,
    );
    const open = (caFile: string | undefined) => {
      const runtime = ManagedRuntime.make(PostgresClient.layer({ url, pool: 2, caFile }));
      onTestFinished(() => runtime.dispose());
      const ask = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ ssl: number }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
      );
      return () => runtime.runPromise(Effect.result(ask));
    };
    const untrusted = await open(undefined)();
    assert.strictEqual(untrusted._tag, "Failure");

    const ask = open(join(cluster.dataDir, "server.crt"));
    const trusted = await ask();
    assert(trusted._tag === "Success", String(trusted));
    assert.deepStrictEqual(trusted.success, [{ ssl: 1 }]);

    proxy.silence(true);
    const started = performance.now();
    assert.strictEqual((await ask())._tag, "Failure");
    const waited = performance.now() - started;
    assert.isAbove(waited, 5_500);
    assert.isBelow(waited, 9_000);
    proxy.silence(false);
    proxy.breakAll();
    for (;;) if ((await ask())._tag === "Success") break;
  });
});
