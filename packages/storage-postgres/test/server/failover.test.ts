import { assert, describe, inject, it, onTestFinished, vi } from "@effect/vitest";
import { Cluster } from "../support/Cluster.ts";
import * as Load from "../support/Load.ts";
import * as Node from "../support/Node.ts";
import { Proxy } from "../support/Proxy.ts";

vi.setConfig({ testTimeout: 120_000 });

const isLong = process.env["QM_LONG"] === "1";
const synchronous = ["synchronous_standby_names=standby", "synchronous_commit=on"];

const waiting = "Waiting up to 60 s for the database: The database is read-only";

/** Waits until the standby has every acknowledged write of its primary. */
const isSynchronous = async ({ url }: Cluster) => {
  const text = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await Load.query(url, text)).length === 0) await Load.sleep(50);
};

/** Two servers at a primary, by a name that may lead to its synchronous standby. */
const start = async () => {
  const primary = await Cluster.start();
  onTestFinished(() => primary.remove());
  await primary.end();
  const standby = await primary.standby();
  onTestFinished(() => standby.end("SIGQUIT"));
  await Promise.all([primary.run(synchronous), standby.run()]);
  await isSynchronous(primary);
  const name = await Proxy.to(primary.port);
  onTestFinished(() => name.close());
  const url = `postgres://postgres@127.0.0.1:${name.port}/postgres`;
  const env = Node.variables(url);
  const nodes = await Node.startAll(2, env);
  return { env, primary, standby, name, servers: nodes.map(({ server }) => server) };
};

describe.skipIf(inject("postgres") === "" || !isLong)("[long] servers and a standby", () => {
  it("a standby that is promoted has every acknowledged write, and servers continue with it", async () => {
    const { name, primary, servers, standby } = await start();
    await Load.survives(servers, async () => {
      await Load.sleep(2_000);
      await primary.end("SIGKILL");
      await Load.untilReady(servers, 503);
      await Load.query(standby.url, "SELECT pg_promote()");
      name.lead(standby.port);
      await Load.untilReady(servers, 200);
      await Load.sleep(2_000);
    });
  });

  it("servers whose name leads to a standby are unavailable, and leave it when the name leads to the primary", async () => {
    const { env, name, primary, servers, standby } = await start();
    await Load.survives(servers, async () => {
      await Load.sleep(1_000);
      name.lead(standby.port);
      name.breakAll();
      await Load.untilReady(servers, 503);
      for (const server of servers) {
        await server.line(({ message }) => message === "The database is read-only");
        const { status, text } = await server.call("GET", "/api/projects/p/issues");
        assert.strictEqual(status, 503, text);
      }
      const { server: late } = await Node.serve(env);
      await late.line(({ message }) => message === waiting);
      name.lead(primary.port);
      await Load.untilReady(servers, 200);
      late.url = (await late.welcome()).url;
      await Load.untilReady([late], 200);
    });
  });

  it("writes wait for a synchronous standby that stops, and continue when it is back", async () => {
    const { servers, standby } = await start();
    await Load.survives(servers, async () => {
      await Load.sleep(1_000);
      await standby.end();
      await Load.untilReady(servers, 503);
      await Load.sleep(10_000);
      await standby.run();
      await Load.untilReady(servers, 200);
    });
  });
});
