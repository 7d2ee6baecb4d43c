import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { assert, it, onTestFinished, vi } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { Storage } from "../../src/index.ts";
import { Cluster } from "../support/Cluster.ts";
import * as Node from "../support/Node.ts";
import { options, withServer } from "../support/TestStorage.ts";

vi.setConfig({ testTimeout: 120_000 });

const unused = "postgres://someone:hunter2@127.0.0.1:1/postgres";

/** Waits until a server reports what it waits for. */
const waits = async ({ server }: Node.Node, detail: RegExp) => {
  const { level, message } = await server.line((line) => detail.test(String(line["message"])));
  assert.strictEqual(level, "WARN");
  assert.match(String(message), /^Waiting up to 60 s for the database: /u);
};

withServer(() => {
  it("a server waits for a database that starts later, and listens then", async () => {
    const cluster = await Cluster.start();
    onTestFinished(() => cluster.remove());
    await cluster.end("SIGQUIT");
    const node = await Node.serve(Node.variables(cluster.url));
    await waits(node, /connect ECONNREFUSED 127\.0\.0\.1:/u);
    // A standby without hot standby responds like a database that recovers.
    const standby = join(cluster.dataDir, "standby.signal");
    await writeFile(standby, "");
    const refusing = cluster.run(["hot_standby=off"]).catch(() => undefined);
    await waits(node, /not accepting connections/u);
    await cluster.end("SIGQUIT");
    await refusing;
    await rm(standby);
    assert.notInclude(node.server.stdout, "listens on");
    await cluster.run();
    const { url } = await node.server.welcome();
    assert.strictEqual((await fetch(`${url}/readyz`)).status, 200);
  });

  it("SIGTERM stops a server immediately that waits for a database", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const stops = async (url: string, isWaiting: (node: Node.Node) => Promise<unknown>) => {
      const node = await Node.serve(Node.variables(url));
      await isWaiting(node);
      const started = performance.now();
      await node.server.kill("SIGTERM");
      assert.isBelow(performance.now() - started, 2_000, "ms");
      assert.strictEqual((await node.server.exited).code, 0);
      assert.notInclude(node.server.stdout + node.server.stderr, "hunter2");
    };
    await Promise.all([
      stops(unused, (node) => waits(node, /ECONNREFUSED/u)),
      stops("postgres://postgres@unknown.invalid/postgres", (node) =>
        waits(node, /ENOTFOUND|EAI_AGAIN/u),
      ),
      stops(`postgres://postgres@127.0.0.1:${port}/postgres`, () => once(silent, "connection")),
    ]);
  });

  it.live("the wait ends with what the database last reported", () =>
    Effect.gen(function* () {
      const started = performance.now();
      const storage = Storage.layer({
        ...options("s"),
        url: Redacted.make(unused),
        waitSeconds: 1,
      });
      const { reason } = yield* Effect.flip(Effect.scoped(Layer.build(storage)));
      assert.match(
        reason,
        /^The database did not respond within 1 s \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. Check that it runs, and its URL$/u,
      );
      assert.isBelow(performance.now() - started, 3_000, "ms");
    }),
  );
});
