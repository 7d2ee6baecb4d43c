import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

/** Commands with the Editor key of a world. */
const scene = async () => {
  const [world, user] = await Promise.all([World.forTest(), home()]);
  const env = { QM_URL: world.url, QM_KEY: world.keys.editor.key };
  const run = (args: ReadonlyArray<string>, input?: string) => user.run(args, env, input);
  return {
    world,
    run,
    execute: (args: ReadonlyArray<string>, input?: string) => user.execute(args, env, input),
    /** Runs a command that has to succeed. Returns its stdout. */
    text: async (args: ReadonlyArray<string>, input?: string) => {
      const { code, stderr, stdout } = await run(args, input);
      assert.strictEqual(code, 0, stderr);
      return stdout.trimEnd();
    },
  };
};

describe("quartermaster issue", { timeout: 90_000 }, () => {
  it("[cli.issue] [cli.warnings] an issue is created, changed, linked, paused and closed from the command line", async () => {
    const { execute, text, world } = await scene();
    const issue = (...args: ReadonlyArray<string>) => text(["issue", ...args]);
    // A separate process reads the description from a pipe.
    const created = await execute(
      ["issue", "create", "--project", "shop", "--agent", "bot", "--description", "-", "Design"],
      "Three tables.\n",
    );
    assert.strictEqual(created.code, 0, created.stderr);
    const first = created.stdout.trimEnd();
    assert.match(first, /^SHOP-\d+$/);
    assert.strictEqual(created.stderr, "No agent bot has ever sent a heartbeat.\n");
    const second = await issue("create", "--project", "shop", "--blocked-by", first, "Build");
    assert.match(await issue("why", second), /^blocked: /m);
    assert.deepStrictEqual((await issue("list", "--project", "shop")).split("\n"), [
      `${second}\tWaitingOnDependency\tnormal\t\tBuild`,
      `${first}\tOpen\tnormal\tbot\tDesign`,
    ]);
    await issue("edit", first, "--priority", "high");
    await issue("comment", first, "By Friday.");
    const shown = await issue("show", first);
    for (const part of ["Design", "high", "Three tables.", "By Friday.", "Blocks iss_"]) {
      assert.include(shown, part);
    }
    const link = shown.match(/lnk_[0-9A-Z]{26}/)?.[0] ?? "";
    await issue("unlink", link);
    assert.match(await issue("link", second, "related-to", first), /^lnk_/);
    await world.call("POST", "/api/agents/bot/heartbeat");
    assert.include(await issue("pause", first), "Open");
    assert.include(await issue("why", first), "No heartbeat starts the issue.");
    await issue("resume", first);
    assert.include(await issue("review", first), "PendingReview");
    assert.include(await issue("resolve", first), "Resolved");
    const closed = JSON.parse(await issue("close", second, "--json"));
    assertFields(closed, { key: second, status: "Closed" });
    assert.include(await issue("log", first), "\tcommented\t");
    const list = JSON.parse(await issue("list", "--project", "shop", "--json", "--limit", "1"));
    assert.lengthOf(list, 1);
    await issue("create", "--project", "ops", "There already");
    assert.match(await issue("move", second, "ops"), /^OPS-2 /);
    assert.include(await issue("show", second), "OPS-2");
    assert.strictEqual(await issue("delete", second, "--yes"), "");
  });

  it("[cli.exit] a refusal and a missing issue have separate exit codes", async () => {
    const { run, text } = await scene();
    const id = await text(["issue", "create", "--project", "shop", "A"]);
    const missing = "iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA";
    const [refused, absent, unconfirmed, nothing] = await Promise.all([
      run(["issue", "pause", id]),
      run(["issue", "show", missing, "--json"]),
      run(["issue", "delete", id]),
      run(["issue", "edit", id]),
    ]);
    assert.deepStrictEqual(
      [refused, absent, unconfirmed, nothing].map(({ code }) => code),
      [2, 3, 1, 1],
    );
    assert.include(refused.stderr, "(not-executing)");
    assert.include(absent.stderr, "(not-found)");
    assert.include(unconfirmed.stderr, "--yes");
    assert.strictEqual(absent.stdout, "");
  });
});
