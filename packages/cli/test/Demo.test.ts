import { once } from "node:events";
import { assert, describe, it, vi } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster demo", { timeout: 60_000 }, () => {
  it("[cli.demo] the agents work until the command is stopped, and --remove leaves only other issues", async () => {
    const [world, { run, start }] = await Promise.all([World.forTest(), home()]);
    const env = { QM_URL: world.url, QM_KEY: world.keys.admin.key };
    const other = await world.issue({ title: "Say hello" }, "demo");
    const issues = async () => {
      const { body } = await world.call("GET", "/api/projects/demo/issues?limit=100&view=brief");
      return body as ReadonlyArray<{ readonly id: string; readonly status: string }>;
    };
    const demo = start(["demo", "--pace", "0s"], env);
    await vi.waitFor(
      async () => {
        const list = await issues();
        assert.lengthOf(list, 41);
        const inbox = await world.call("GET", "/api/inbox?projectId=demo");
        const kinds = new Set(inbox.body.map(({ kind }: { readonly kind: string }) => kind));
        for (const kind of ["question", "review", "failed"]) assert.isTrue(kinds.has(kind), kind);
        assert.isAbove(list.filter(({ status }) => status === "Resolved").length, 5);
      },
      { timeout: 40_000, interval: 200 },
    );
    demo.child.kill("SIGINT");
    assert.strictEqual(await demo.exited, 0, demo.stderr);
    assert.include(demo.stdout, "The project demo has 40 sample issues");
    for (const agentId of ["demo-designer", "demo-builder", "demo-checker"]) {
      const runs = await world.call("GET", `/api/agents/${agentId}/runs?status=active`);
      assert.deepStrictEqual(runs.body, []);
    }

    // A second start does not fill the project again.
    const again = start(["demo", "--pace", "600s"], env);
    again.child.stdout?.resume();
    await once(again.child.stdout ?? again.child, "data");
    again.child.kill("SIGINT");
    assert.strictEqual(await again.exited, 0, again.stderr);
    assert.lengthOf(await issues(), 41);

    const removed = await run(["demo", "--remove"], env);
    assert.strictEqual(removed.code, 0, removed.stderr);
    assert.deepStrictEqual(
      (await issues()).map(({ id }) => id),
      [other.id],
    );
    const agents = await world.admin("GET", "/api/agents");
    assert.notInclude(agents.text, "demo-");
    const nobody = await run(["demo"], { ...env, QM_KEY: world.keys.editor.key });
    assert.strictEqual(nobody.code, 2);
    assert.include(nobody.stderr, "Use the key of an Admin.");
  });
});
