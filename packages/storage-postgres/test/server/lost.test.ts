import { describe, inject, it, onTestFinished, vi } from "@effect/vitest";
import { Cluster } from "../support/Cluster.ts";
import * as Load from "../support/Load.ts";
import * as Node from "../support/Node.ts";

vi.setConfig({ testTimeout: 180_000 });

/** Ends every connection of the servers, as an administrator does. */
const terminate = ({ url }: Cluster) =>
  Load.query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'quartermaster'`,
  ).catch(() => undefined);

describe.skipIf(inject("postgres") === "")("writes while connections break", () => {
  it("every acknowledged issue is stored and streamed once, and no request is a 500", async () => {
    const cluster = await Cluster.start();
    onTestFinished(() => cluster.remove());
    const nodes = await Node.startAll(2, Node.variables(cluster.url));
    await Load.survives(
      nodes.map(({ server }) => server),
      async () => {
        for (let round = 0; round < 12; round++) {
          await Load.sleep(300);
          await terminate(cluster);
        }
        for (let round = 0; round < 2; round++) {
          await cluster.end("SIGQUIT");
          await Load.sleep(1_000);
          await cluster.run();
          await Load.sleep(1_000);
        }
      },
    );
  });
});
