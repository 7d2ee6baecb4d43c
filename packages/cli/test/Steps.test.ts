import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer } from "node:http";
import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import { home } from "./Command.ts";
import { scene } from "./Scene.ts";

describe("quartermaster work next, turn and finish", () => {
  it("[cli.steps] a script picks an issue up, takes turns and hands it in", async () => {
    const { bot, world } = await scene();
    const { id, key } = await world.issue({ assignedAgentId: "bot", title: "Mend" });
    const say = (content: string) =>
      world.call("POST", `/api/projects/issues/${id}/comments`, { body: { content } });
    await say("Before winter");
    const next = await bot.json("work", "next", "--lease", "2m");
    assertFields(next, {
      run: { runId: /^run_/, attempt: 1, leaseExpiresAt: String },
      issue: { id, status: "InProgress" },
      comments: [{ content: "Before winter" }],
    });
    const run = { QM_RUN_ID: next.run.runId };
    assert.strictEqual(await bot.text(["work", "turn"], "", run), "continue");
    await say("And the door");
    const turn = await bot.text(["work", "turn", "--run", next.run.runId]);
    assert.match(turn, /^continue\n\nUser \S+, \S+:\nAnd the door$/);
    const done = await bot.text(
      ["work", "finish", "--outcome", "review", "--comment", "-"],
      "Mended.\n",
      run,
    );
    assert.strictEqual(done, `${key} PendingReview Mend`);
    const comments = await world.call("GET", `/api/projects/issues/${id}/comments`);
    assert.strictEqual(comments.body.at(-1).content, "Mended.");
    const again = await bot.run(["work", "turn"], "", run);
    assert.strictEqual(again.code, 2);
    assert.include(again.stderr, "(run-ended)");
  });

  it("[hand-in.sent] commands act for the run of QM_RUN_ID, and work next for none", async () => {
    const { bot, world } = await scene();
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const first = await bot.json("work", "next");
    const env = { QM_RUN_ID: first.run.runId };
    await bot.text(["work", "finish", "--outcome", "released"], "", env);
    const second = await bot.json("work", "next");
    assert.strictEqual(second.issue.id, id);
    const review = ["issue", "review", id];
    const none = await bot.run(review);
    assert.deepStrictEqual([none.code, none.stderr.includes("(held)")], [2, true]);
    const ended = await bot.run(review, "", env);
    assert.deepStrictEqual([ended.code, ended.stderr.includes("(run-ended)")], [2, true]);
    await bot.text(review, "", { QM_RUN_ID: second.run.runId });
    assert.strictEqual((await bot.run(["work", "next"], "", env)).code, 3);
  });

  it("[cli.steps] work next without an issue prints the reason, with exit code 3", async () => {
    const { bot, world } = await scene();
    const nothing = await bot.run(["work", "next"]);
    assert.deepStrictEqual([nothing.code, nothing.stdout], [3, ""]);
    assert.include(nothing.stderr, "There is no issue to work on. (nothing)");
    await world.admin("PUT", "/api/agents/bot", { body: { paused: true } });
    await world.issue({ assignedAgentId: "bot" });
    const paused = await bot.run(["work", "next", "--json"]);
    assert.strictEqual(paused.code, 3);
    assertFields(JSON.parse(paused.stdout), { run: null, reason: "agentPaused" });
  });

  it("[cli.steps] each work next picks another issue up, and an Admin names the agent", async () => {
    const { admin, bot, world } = await scene();
    const first = await world.issue({ assignedAgentId: "bot", title: "First" });
    const second = await world.issue({ assignedAgentId: "bot", title: "Second" }, "p2");
    const [runId = "", issueId, attempt, , title] = (
      await admin.text(["work", "next", "--agent", "bot", "--project", "p2"])
    ).split("\t");
    assert.deepStrictEqual([issueId, attempt, title], [second["key"], "1", "Second"]);
    assertFields((await bot.json("work", "next")).issue, { id: first.id });
    // The key that acted for the agent is deleted.
    assert.notInclude((await world.admin("GET", "/api/keys?limit=500")).text, "Runner of bot");
    const finish = ["work", "finish", "--run", runId, "--outcome"];
    const later = await admin.text([...finish, "released", "--retry-after", "1h", "--agent=bot"]);
    assert.include(later, "Open");
    const shown = await world.call("GET", `/api/projects/issues/${second.id}`);
    assert.isString(shown.body.notBefore);
    const wrong = await Promise.all([
      admin.run([...finish, "review"]),
      bot.run([...finish, "review", "--retry"]),
      bot.run(["work", "finish", "--outcome", "review"]),
      bot.run(["work", "next", "--lease", "1s"]),
      bot.run(["work", "next", "--agent", "other"]),
    ]);
    assert.deepStrictEqual(
      wrong.map(({ code }) => code),
      [1, 1, 1, 1, 1],
    );
    assert.include(wrong[3]?.stderr, "from 60s to 24h");
  });

  it("[cli.steps] a work next whose response was lost gets the same run", async () => {
    const { world } = await scene();
    const { run } = await home();
    const { id } = await world.issue({ assignedAgentId: "bot" });
    let lost = 0;
    const proxy = createServer(async (request, response) => {
      const chunks: Array<Buffer> = [];
      for await (const chunk of request) chunks.push(chunk);
      const answer = await fetch(`${world.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === "string" && name !== "connection" ? [[name, value]] : [],
        ),
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const body = await answer.text();
      if (request.url?.startsWith("/mcp") === true && lost++ === 0) {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    onTestFinished(() => void proxy.close());
    const address = proxy.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { code, stderr, stdout } = await run(["work", "next", "--json"], {
      QM_URL: `http://127.0.0.1:${port}`,
      QM_KEY: world.agent.key,
    });
    assert.strictEqual(code, 0, stderr);
    assert.strictEqual(lost, 2);
    assertFields(JSON.parse(stdout).issue, { id });
    const { body } = await world.call("GET", "/api/agents/bot/runs");
    assert.lengthOf(body, 1);
  });

  it("[cli.steps] a run that has to stop is reported by work turn", async () => {
    const { bot, world } = await scene();
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const { run } = await bot.json("work", "next");
    await world.call("POST", `/api/projects/issues/${id}/pause`);
    assert.strictEqual(await bot.text(["work", "turn", "--run", run.runId]), "stop paused");
  });

  it("[runner.command] a command whose name is a step's runs after --", async () => {
    const { bot } = await scene();
    const { code, stderr } = await bot.run(["work", "--once", "--", "next"]);
    assert.strictEqual(code, 1);
    assert.include(stderr, 'The command "next" does not exist');
    // Without `--`, every following name is also a command.
    const other = await bot.run(["work", "--once", "nothing"]);
    assert.include(other.stderr, 'The command "nothing" does not exist');
  });
});
