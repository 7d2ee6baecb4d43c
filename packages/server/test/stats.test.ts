import { assert, describe, it, vi } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

/** The newest hour or day may have ended since the events: two elements. */
const created = async (node: Quartermaster): Promise<number> => {
  const { body } = await node.call("GET", "/api/stats?window=7d");
  return body.series
    .slice(-2)
    .reduce((sum: number, element: { created: number }) => sum + element.created, 0);
};

/** No event reports the counting, so this polls for 30 s, half of the promised time. */
const counts = (node: Quartermaster, expected: number) =>
  vi.waitFor(async () => assert.strictEqual(await created(node), expected), {
    timeout: 30_000,
    interval: 250,
  });

describe("statistics of a server", () => {
  it("[stats.nodes] two nodes and a restart count each event once, within seconds", async () => {
    const folder = await temporaryFolder();
    const nodes = [await Quartermaster.start(folder), await Quartermaster.start(folder)];
    const create = async (node: Quartermaster) => {
      const { status } = await node.call("POST", "/api/projects/shop/issues", {
        body: { title: "Rotate the keys" },
      });
      assert.strictEqual(status, 201);
    };
    for (let round = 0; round < 10; round++) await Promise.all(nodes.map(create));
    await Promise.all(nodes.map((node) => counts(node, 20)));
    await nodes[0]?.kill();
    const next = await Quartermaster.start(folder);
    await create(next);
    await counts(next, 21);
  }, 120_000);
});
