import { assert, describe, it } from "@effect/vitest";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster inbox", { timeout: 90_000 }, () => {
  it("[cli.inbox] inbox lists items by kind, and done removes a mention", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const { id, key } = await world.issue({ title: "Slates" });
    await world.call("PUT", `/api/projects/issues/${id}`, { body: { status: "PendingReview" } });
    const ada = await world.key({ role: "Editor", userId: "ada" });
    await world.call("POST", `/api/projects/issues/${id}/comments`, {
      body: { content: "@ada, look" },
    });
    const env = { QM_URL: world.url, QM_KEY: ada.key };
    const all = await run(["inbox", "list"], env);
    assert.strictEqual(all.code, 0, all.stderr);
    assert.lengthOf(all.stdout.trimEnd().split("\n"), 2);
    const mine = ["inbox", "ls", "--mine", "--kind", "review,mentioned"];
    assert.match(
      (await run(mine, env)).stdout,
      new RegExp(`^${key}\tmentioned\t.*\tSlates\t@ada, look\n$`),
    );
    const done = await run(["inbox", "done", String(key)], env);
    assert.strictEqual(done.stdout, `Done: ${key}\n`, done.stderr);
    const json = await run([...mine, "--json"], env);
    assert.deepStrictEqual(JSON.parse(json.stdout), []);
    const unknown = await run(["inbox", "done", "NONE-1"], env);
    assert.match(unknown.stderr, /not found|does not exist|no issue/i);
    const kind = await run(["inbox", "list", "--kind", "other"], env);
    assert.match(kind.stderr, /kind/);
  });
});

describe("quartermaster status", { timeout: 90_000 }, () => {
  it("[cli.status] status lists the items of all projects that need a person, and the running issues", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    await world.running("worker");
    await world.issue({ assignedAgentId: "ghost" });
    const asked = await world.issue({ title: "Ask \u001b[31mred" }, "p2");
    const question = await world.call("POST", `/api/projects/issues/${asked.id}/questions`, {
      body: { prompt: "Which slates?" },
    });
    const review = await world.issue({ title: "Look", priority: "urgent" }, "p2");
    await world.call("PUT", `/api/projects/issues/${review.id}`, {
      body: { status: "PendingReview" },
    });
    const root = await world.issue({ title: "Root" }, "p3");
    await world.issue({ blockedByIssueId: root.id }, "p3");
    world.script("notes").onConnect = Effect.fail(
      new McpConnector.ConnectorError({ reason: "exited", message: "It exited.", sent: true }),
    );
    const { id } = await world.notes();
    await world.act(id, "verify");

    const env = { QM_URL: world.url, QM_KEY: world.keys.admin.key };
    const [text, json, viewer] = await Promise.all([
      run(["status"], env),
      run(["status", "--project", "p2", "--json"], env),
      run(["status"], { ...env, QM_KEY: world.keys.viewer.key }),
    ]);
    assert.strictEqual(text.code, 0, text.stderr);
    const [head, ...lines] = text.stdout.trimEnd().split("\n");
    assert.strictEqual(head, "Agents: 2, silent: 1. Issues running: 1. Waiting for a person: 5.");
    const expected = [
      [`review    ${review["key"]}`, "Look: The agent handed the issue in."],
      ["silent    ghost", "ghost: The agent ghost has never sent a heartbeat."],
      [`error     ${id}`, "test-notes: It exited."],
      [`question  ${question.body.id}`, "Ask  [31mred: Which slates?"],
      [`stuck     ${root["key"]}`, "Root: The issue blocks 1 issue. No agent is assigned"],
      ["running   P1-1", "worker, attempt 1"],
    ];
    assert.lengthOf(lines, expected.length);
    for (const [start, rest] of expected) {
      const found = lines.find((line) => line.startsWith(`${start} `));
      assert.include(found, rest, text.stdout);
    }
    assert.deepStrictEqual(lines[0]?.startsWith("review"), true);
    const { agents, runs, waiting } = JSON.parse(json.stdout);
    assert.lengthOf(agents, 2);
    assert.lengthOf(runs, 1);
    assert.deepStrictEqual(
      waiting.map(({ kind }: { readonly kind: string }) => kind),
      ["review", "question"],
    );
    assert.strictEqual(viewer.code, 0, viewer.stderr);
    assert.notMatch(viewer.stdout, /^error/m);
  });
});
