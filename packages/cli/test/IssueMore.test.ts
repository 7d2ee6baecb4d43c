import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";
import { scene } from "./Scene.ts";

const missing = "iss_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA";

describe("quartermaster issue", () => {
  it("[cli.issue.files] a file or stdin becomes an attachment", async () => {
    const { editor, folder, world } = await scene();
    const { id } = await world.issue();
    const file = join(folder, "big report.bin");
    const bytes = Buffer.alloc(3 * 1_024 * 1_024, "0123456789");
    await writeFile(file, bytes);
    const first = await editor.text(["issue", "attach", id, file, "--type", "application/pdf"]);
    const second = await editor.json("issue", "attach", id, "-", "--name", "notes.txt");
    assertFields(second, { fileName: "notes.txt", size: 0 });
    const list = await world.call("GET", `/api/projects/issues/${id}/attachments`);
    assertFields(list.body[0], {
      id: first,
      fileName: "big report.bin",
      contentType: "application/pdf",
      size: bytes.length,
    });
    const refused = await Promise.all([
      editor.run(["issue", "attach", missing, file]),
      editor.run(["issue", "attach", id, join(folder, "nothing")]),
      editor.run(["issue", "attach", id, folder]),
      editor.run(["issue", "attach", id, "-"]),
    ]);
    assert.deepStrictEqual(
      refused.map(({ code }) => code),
      [3, 1, 1, 1],
      refused.map(({ stderr }) => stderr).join(""),
    );
  });

  it("[cli.issue.files] graph prints the blockers and dependents of an issue, each expanded once", async () => {
    const { editor, world } = await scene();
    const keys = new Map<string, unknown>();
    const keyOf = (id: string) => String(keys.get(id));
    const issue = async (title: string, ...blockers: ReadonlyArray<string>) => {
      const { id, key } = await world.issue({ title });
      keys.set(id, key);
      for (const blocker of blockers)
        await editor.text(["issue", "link", id, "blocked-by", blocker]);
      return id;
    };
    const rock = await issue("rock");
    const ground = await issue("ground", rock);
    const left = await issue("left", ground);
    const right = await issue("right", ground);
    const roof = await issue("roof", left, right);
    const paint = await issue("paint", roof);
    assert.strictEqual(
      await editor.text(["issue", "graph", keyOf(roof)]),
      [
        `${keyOf(roof)} WaitingOnDependency roof`,
        "blocked by",
        `  ${keyOf(left)} WaitingOnDependency left`,
        `    ${keyOf(ground)} WaitingOnDependency ground`,
        `      ${keyOf(rock)} Open rock`,
        `  ${keyOf(right)} WaitingOnDependency right`,
        `    ${keyOf(ground)} WaitingOnDependency ground (see above)`,
        "blocks",
        `  ${keyOf(paint)} WaitingOnDependency paint`,
      ].join("\n"),
    );
    const graph = await editor.json("issue", "graph", roof, "--depth", "1");
    assert.isTrue(graph.truncated);
    assert.deepStrictEqual(
      graph.nodes.map(({ id }: { readonly id: string }) => id).toSorted(),
      [left, right, roof, paint].toSorted(),
    );
    assert.deepInclude(graph.edges, { from: roof, to: paint });
    assert.lengthOf(graph.edges, 3);
    assert.strictEqual((await editor.run(["issue", "graph", missing])).code, 3);
  });

  it("[cli.issue.plan] plan creates the issues of a file, and prints their keys by ref", async () => {
    const { editor, folder } = await scene();
    const file = join(folder, "plan.json");
    const issues = [
      { ref: "build", title: "Build", blockedBy: ["design"] },
      { ref: "design", title: "Design" },
    ];
    await writeFile(file, JSON.stringify({ issues }));
    const lines = (await editor.text(["issue", "plan", "--project", "planned", file])).split("\n");
    const [build, design] = lines.map((line) => line.split("\t"));
    assert.match(build?.[1] ?? "", /^PLANNED-\d+$/);
    assert.deepStrictEqual(
      [build, design],
      [
        ["build", build?.[1], "WaitingOnDependency"],
        ["design", design?.[1], "Open"],
      ],
    );
    const stdin = await editor.text(
      ["issue", "plan", "--project", "planned", "-", "--json"],
      JSON.stringify({ issues: [{ ref: "a", title: "A", blockedBy: [design?.[1]] }] }),
    );
    assert.deepInclude(JSON.parse(stdin)[0].issue, {
      projectId: "planned",
      status: "WaitingOnDependency",
    });
    const refused = async (input: string) => {
      const { code, stderr } = await editor.run(
        ["issue", "plan", "--project", "planned", "-"],
        input,
      );
      return [code, stderr];
    };
    assert.strictEqual((await refused("[]"))[0], 1);
    const [code, stderr] = await refused(
      `{"issues": [{"ref": "a", "title": "A", "blockedBy": ["z"]}]}`,
    );
    assert.strictEqual(code, 2);
    assert.include(stderr, "issues.0.blockedBy");
    assert.lengthOf(await editor.json("issue", "list", "--project", "planned"), 3);
  });

  it("[cli.issue.fields] labels, metadata and the external reference can be set, removed and filtered by", async () => {
    const { editor, world } = await scene();
    const issue = (...args: ReadonlyArray<string>) => editor.text(["issue", ...args]);
    const flags = ["--label", "ui", "--label", "bug", "--meta", "a=1=2", "--external-ref", "GH-1"];
    const id = await issue("create", "--project", "p1", "A", ...flags);
    const other = await issue("create", "--project", "p2", "B", "--label", "bug");
    const get = async () => (await world.call("GET", `/api/projects/issues/${id}`)).body;
    assertFields(await get(), {
      labels: ["bug", "ui"],
      metadata: { a: "1=2" },
      externalRef: "GH-1",
    });
    const listed = async (...args: ReadonlyArray<string>) =>
      (await issue("list", ...args)).split("\n").map((line) => line.split("\t")[0] ?? "");
    await issue("edit", id, "--priority", "high");
    assert.deepStrictEqual(await listed("--label", "bug"), [other, id]);
    assert.deepStrictEqual(await listed("--label", "bug", "--sort", "priority"), [id, other]);
    assert.deepStrictEqual(await listed("--label", "bug", "--label", "ui"), [id]);
    assert.deepStrictEqual(await listed("--project", "p1", "--external-ref", "GH-1"), [id]);
    assert.deepStrictEqual(await listed("--status", "open", "--status", "CLOSED"), [other, id]);
    assert.deepStrictEqual(await listed("--paused"), [""]);
    await issue("edit", id, "--label", "none", "--meta", "none", "--external-ref", "none");
    assertFields(await get(), { labels: [], metadata: {}, externalRef: null });
    assert.strictEqual((await editor.run(["issue", "edit", id, "--meta", "a"])).code, 1);
  });

  it("[cli.issue.filters] issue list has the filters of lists: several values, excluded ones, times and saved views", async () => {
    const { editor, world } = await scene();
    const issue = (body: Record<string, unknown>) => world.issue(body, "shop");
    const bug = await issue({ title: "Bug", labels: ["bug", "ui"], assignedAgentId: "bot" });
    const chore = await issue({ title: "Chore", labels: ["chore"], priority: "high" });
    const review = await issue({ title: "Review", goalId: "q4" });
    await editor.text(["issue", "review", review.id]);
    const waiting = await issue({ title: "Waiting", blockedByIssueId: bug.id });
    const listed = async (...args: ReadonlyArray<string>) =>
      (await editor.json("issue", "list", "--project", "shop", ...args)).map(
        ({ title }: { readonly title: string }) => title,
      );
    assert.deepStrictEqual(await listed("--status", "open,PENDINGREVIEW"), [
      "Review",
      "Chore",
      "Bug",
    ]);
    assert.deepStrictEqual(await listed("--not-status", "open", "--not-status", "closed"), [
      "Waiting",
      "Review",
    ]);
    assert.deepStrictEqual(await listed("--priority", "high,urgent"), ["Chore"]);
    assert.deepStrictEqual(await listed("--not-priority", "high", "--assignee", "bot,ann"), [
      "Bug",
    ]);
    assert.deepStrictEqual(await listed("--label", "bug,chore", "--not-label", "ui"), ["Chore"]);
    assert.deepStrictEqual(await listed("--goal", "q4,q5"), ["Review"]);
    assert.deepStrictEqual(await listed("--not-goal", "q4", "--not-assignee", "bot"), [
      "Waiting",
      "Chore",
    ]);
    assert.deepStrictEqual(await listed("--has", "files,question"), []);
    assert.lengthOf(await listed("--not-has", "failure"), 4);
    assert.lengthOf(await listed("--created-after", "1h", "--updated-since", "2000-01-01"), 4);
    assert.deepStrictEqual(await listed("--updated-before", "1h"), []);
    assert.deepStrictEqual(await listed("--silent-agent"), ["Bug"]);

    const query =
      "status=Open&status=PendingReview&not.label=chore&createdAfter=7d&columns=key&view=list";
    const { body: own } = await world.as(world.keys.editor.key)("POST", "/api/views", {
      body: { name: "Bugs", query: "project=shop&label=bug&assignee=bot&silentAgent=true" },
    });
    await world.as(world.keys.editor.key)("POST", "/api/views", {
      body: { name: "To do", query, projectId: "shop" },
    });
    assert.deepStrictEqual(await listed("--view", "to do"), ["Review", "Bug"]);
    assert.deepStrictEqual(await listed("--view", "To do", "--status", "open"), ["Bug"]);
    assert.deepStrictEqual(
      (await editor.text(["ls", "--view", own.id])).split("\t")[0],
      bug["key"],
    );
    assert.match(await editor.text(["view", "list"]), /^view_\w+\tBugs\t\tproject=shop&/m);
    await world.as(world.keys.editor.key)("POST", "/api/views", {
      body: { name: "TO DO", query: "" },
    });
    for (const [args, message] of [
      [["--view", "to do"], /Several views have the name "to do"/],
      [["--view", "None"], /You have no view "None"/],
      [["--status", "open,done"], /--status must be a list of Open, /],
      [["--created-after", "yesterday"], /createdAfter/],
    ] as const) {
      const refused = await editor.run(["issue", "list", ...args]);
      assert.notStrictEqual(refused.code, 0);
      assert.match(refused.stderr, message);
    }
    assert.isString(waiting.id);
    assert.isString(chore.id);
  });

  it("[cli.comment] comments are listed, edited and deleted by their ids", async () => {
    const { admin, editor, world } = await scene();
    const { id, key } = await world.issue();
    const first = await editor.text(["issue", "comment", id, "By Friday."]);
    const issue = String(key);
    assert.strictEqual(
      await editor.text(["comment", "edit", issue, first, "By Monday."]),
      "version 2",
    );
    assert.strictEqual(
      await editor.text(["comment", "edit", issue, first, "--if-version", "2"], "By Tuesday."),
      "version 3",
    );
    const late = await editor.run(["comment", "edit", issue, first, "Late", "--if-version", "2"]);
    assert.strictEqual(late.code, 2, late.stderr);
    assert.deepStrictEqual(
      (await editor.json("comment", "versions", issue, first)).map(
        ({ content }: { readonly content: string }) => content,
      ),
      ["By Friday.", "By Monday.", "By Tuesday."],
    );
    assert.match(
      await editor.text(["comment", "list", issue]),
      new RegExp(`^${first}\\t\\S+\\tuser \\S+\\t3\\tedited\\tBy Tuesday\\.$`),
    );
    await editor.text(["comment", "delete", issue, first]);
    assert.match(await editor.text(["comment", "ls", issue]), /\tdeleted$/);
    assert.strictEqual((await editor.run(["comment", "edit", issue, first, "No"])).code, 2);
    assert.strictEqual((await admin.run(["comment", "delete", issue, first, "--purge"])).code, 1);
    await admin.text(["comment", "delete", issue, first, "--purge", "--yes"]);
    assert.deepStrictEqual(
      (await editor.json("comment", "versions", issue, first)).filter(
        ({ content }: { readonly content: string }) => content !== "",
      ),
      [],
    );
  });

  it("[cli.issue.ready] ready lists the issues that the next heartbeat starts", async () => {
    const { editor, world } = await scene();
    const { id, key } = await world.issue({ title: "Now", assignedAgentId: "bot" });
    await world.issue({ title: "Blocked", assignedAgentId: "bot", blockedByIssueId: id });
    await world.issue({ title: "Nobody's" });
    await world.issue({
      title: "Later",
      assignedAgentId: "bot",
      notBefore: "2100-01-01T00:00:00Z",
    });
    const other = await world.issue({ title: "Other", assignedAgentId: "ann" });
    const ready = (...more: ReadonlyArray<string>) =>
      editor.text(["issue", "ready", "--project", "p1", ...more]);
    assert.strictEqual(await ready("--agent", "bot"), `${key}\tnormal\tbot\tNow`);
    assert.lengthOf((await ready()).split("\n"), 2);
    assert.strictEqual(await ready("--limit", "1"), `${other["key"]}\tnormal\tann\tOther`);
  });
});

describe("quartermaster ask and agent", () => {
  it("[runner.ask] an agent asks about its issue: a text, a choice or yes and no, and whether agents wait", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const env = { QM_URL: world.url, QM_KEY: world.agent.key, QM_ISSUE_ID: id };
    const text = await run(["ask", "Why?"], env);
    assert.match(text.stdout, /^qst_\w+\n$/);
    await run(["ask", "Which side?", "--option", "left", "--option", "right", "--continue"], env);
    await run(["ask", "Now?", "--confirm", "--issue", id], { ...env, QM_ISSUE_ID: "" });
    const { body } = await world.call("GET", `/api/projects/issues/${id}/questions`);
    assert.deepStrictEqual(
      (body as ReadonlyArray<Record<string, unknown>>).map(
        ({ blocking, kind, options, prompt }) => [prompt, kind, options, blocking],
      ),
      [
        ["Why?", "text", null, true],
        ["Which side?", "choice", ["left", "right"], false],
        ["Now?", "confirm", null, true],
      ],
    );
    const refused = [
      await run(["ask", "Why?"], { ...env, QM_ISSUE_ID: "" }),
      await run(["ask", "Why?", "--confirm", "--option", "left"], env),
    ];
    assert.deepStrictEqual(
      refused.map(({ code }) => code),
      [1, 1],
    );
  });

  it("[cli.ask] questions of an issue are listed and answered", async () => {
    const { bot, editor, world } = await scene();
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const ask = (body: object) =>
      world.call("POST", `/api/projects/issues/${id}/questions`, { body });
    await ask({ prompt: "Which\nside?", kind: "choice", options: ["left", "right"] });
    await ask({ prompt: "Why?", kind: "text" });
    const open = (await editor.text(["ask", "list", id, "--status", "Open"])).split("\n");
    assert.match(open[0] ?? "", /^qst_\w+\topen\tP1-\d+\tWhich side\?\tleft, right\t$/);
    const [first, second] = open.map((line) => line.split("\t")[0] ?? "");
    const urgent = await world.issue({ priority: "urgent" }, "p2");
    await world.call("POST", `/api/projects/issues/${urgent.id}/questions`, {
      body: { prompt: "Now?", kind: "confirm" },
    });
    const everywhere = (await editor.text(["ask", "list"])).split("\n");
    assert.match(everywhere[0] ?? "", /\tNow\?\tyes, no\t$/);
    assert.deepStrictEqual(everywhere.slice(1), open);
    assert.deepStrictEqual(
      (await editor.text(["ask", "list", "--project", "p1"])).split("\n"),
      open,
    );
    assert.lengthOf(await editor.json("ask", "list", "--limit", "1"), 1);
    assert.strictEqual((await editor.run(["ask", "list", "--status", "open"])).code, 1);
    const done = await editor.text(["ask", "answer", first ?? "", "left"]);
    assert.strictEqual(done, `${first} answered`);
    assert.strictEqual((await bot.run(["ask", "answer", second ?? "", "So."])).code, 2);
    await editor.text(["ask", "answer", second ?? ""], "Because.\n");
    const answers = await editor.json("ask", "list", id);
    assert.deepStrictEqual(
      answers.map(({ answer }: { readonly answer: string }) => answer),
      ["left", "Because."],
    );
  });

  it("[cli.admin] an agent is paused and resumed, and a mistyped one is not registered", async () => {
    const { admin, world } = await scene();
    await world.admin("PUT", "/api/agents/bot", { body: {} });
    assert.strictEqual(await admin.text(["agent", "pause", "bot"]), "bot paused");
    assert.match(await admin.text(["agent", "list"]), /^bot\t0\t\w+\tpaused\tbot$/m);
    assert.strictEqual(await admin.text(["agent", "resume", "bot"]), "bot resumed");
    assert.strictEqual((await admin.run(["agent", "pause", "bto"])).code, 3);
    assert.strictEqual((await world.admin("GET", "/api/agents/bto")).status, 404);
  });

  it("[cli.limit] a list is read to its end, or up to its limit", async () => {
    const { admin, editor, world } = await scene();
    const { id } = await world.issue();
    for (let n = 0; n < 3; n += 1) await editor.text(["issue", "comment", id, `Comment ${n}`]);
    assert.lengthOf(await editor.json("issue", "log", id), 4);
    assert.lengthOf(await editor.json("issue", "log", id, "--limit", "2"), 2);
    assert.lengthOf(await admin.json("key", "list", "--limit", "1"), 1);
    assert.lengthOf(await admin.json("server", "catalog", "--limit", "2"), 2);
    const { code, stderr } = await editor.run(["issue", "log", id, "--limit", "0"]);
    assert.strictEqual(code, 1, stderr);
  });
});
