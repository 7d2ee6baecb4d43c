import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster for people", { timeout: 90_000 }, () => {
  it("[cli.admin] [cli.audit] keys, the audit log, agents and events are managed from the command line", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const env = { QM_URL: world.url, QM_KEY: world.keys.admin.key };
    const text = async (...args: ReadonlyArray<string>): Promise<string> => {
      const { code, stderr, stdout } = await run(args, env);
      assert.strictEqual(code, 0, stderr);
      return stdout.trimEnd();
    };
    const key = await text(
      "key",
      "create",
      "worker's",
      "--agent=worker",
      "--project=p1",
      "--expires=1d",
    );
    assert.match(key, /^qm_\S+$/);
    const whoami = await run(["whoami", "--json"], { ...env, QM_KEY: key });
    assertFields(JSON.parse(whoami.stdout).principal, { agentId: "worker", projects: ["p1"] });
    const keys: ReadonlyArray<{ readonly id: string; readonly name: string }> = JSON.parse(
      await text("key", "list", "--json"),
    );
    const { id = "" } = keys.find(({ name }) => name === "worker's") ?? {};
    await text("key", "delete", id);
    assert.strictEqual((await run(["whoami"], { ...env, QM_KEY: key })).code, 4);

    const deletions = await text("audit", "--action=key.deleted", "--from=1h", "--json");
    assertFields(JSON.parse(deletions)[0].subject, { id, name: "worker's" });
    const lines = await text("audit", "--limit", "2");
    assert.match(lines, /^\S+\tkey\.deleted\tworker's\t\t\S+\t127\.0\.0\.1$/m);

    const { issueId } = await world.running("worker");
    assert.match(await text("agent", "list"), /^worker\t1\t\d{4}-\S+Z\tworking\t/m);
    assert.include(await text("agent", "show", "worker"), "P1-");
    const timeline = await world.call("GET", `/api/projects/issues/${issueId}/activity`);
    const since = timeline.body[0].id;
    const events = await text("events", "--since", since, "--kinds", "issue.*", "--json");
    const recent = await text("events", "--since", "10m", "--kinds", "issue.pickedUp");
    assert.match(recent, /^\S+Z {2}issue\.pickedUp {2}P1-\d+ {2}agent worker {2}.*runId: run_/m);
    const later = await text("events", "--since", "2999-01-01", "--kinds", "issue.*");
    assert.strictEqual(later, "");
    const kinds = events.split("\n").map((line) => JSON.parse(line).kind);
    assert.include(kinds, "issue.pickedUp");
    const newest = (await text("events", "--kinds", "issue.*", "--json"))
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    assert.deepStrictEqual(newest.slice(-kinds.length), kinds);
  });

  it("[cli.prime] prime prints under 1 KB", async () => {
    const { run } = await home();
    const [prime, completions] = await Promise.all([
      run(["prime"]),
      run(["--completions", "bash"]),
    ]);
    assert.strictEqual(prime.code, 0);
    assert.isBelow(Buffer.byteLength(prime.stdout), 1_000);
    for (const command of ["work next", "work turn", "work finish", "issue show", "tool search"]) {
      assert.include(prime.stdout, command);
    }
    assert.include(completions.stdout, "rotate-key");
  });
});
