import { assert, describe, inject, it, vi } from "@effect/vitest";
import { freePort } from "../../../http/test/support/freePort.ts";
import { Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import * as Workers from "../../../server/test/Workers.ts";
import * as Node from "../support/Node.ts";

vi.setConfig({ testTimeout: 120_000 });

const start = async (env: Record<string, string> = {}) => {
  const folder = await temporaryFolder();
  const server = await Quartermaster.start(folder, {
    ...Node.variables(),
    QM_WORKERS: "2",
    QM_CATALOG: await Workers.catalogIn(folder),
    ...env,
  });
  await Workers.listening(server, 2);
  return server;
};

describe.skipIf(inject("postgres") === "" || process.platform !== "linux")(
  "workers of a program on PostgreSQL",
  () => {
    it("[workers.state][workers.killed] share a server with state, and one that is killed loses nothing", async () => {
      const server = await start();
      const connections = await Workers.connectAll(server, 2);
      await Workers.checkState(connections);
      for (const { close } of connections) close();
      await Workers.checkKill(server, Workers.pidsOf(server)[1]!, 2);
      server.child.kill("SIGTERM");
      assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
    });

    it("[workers.node-url] each listens on the port of QM_NODE_URL plus its number", async () => {
      const port = await freePort();
      const server = await start({ QM_NODE_URL: `http://127.0.0.1:${port}` });
      for (const number of [1, 2]) {
        const url = `http://127.0.0.1:${port + number}`;
        const nodes = await fetch(`${url}/internal/mcp`, { method: "POST" });
        assert.strictEqual(nodes.status, 401);
        assert.strictEqual((await fetch(`${url}/readyz`)).status, 404);
      }
      const connections = await Workers.connectAll(server, 2);
      await Workers.checkState(connections);
      for (const { close } of connections) close();
    });
  },
);
