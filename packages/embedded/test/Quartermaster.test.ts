import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { assert, describe, it } from "@effect/vitest";
import { Errors, Principal } from "@quartermaster/embedded";
import { catalogWith, folder, isAlive, open, processesIn, rejection } from "./support/World.ts";

describe("Quartermaster.open", () => {
  it("[embedded.services] every service returns promises, on behalf of the system", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    const schema = await quartermaster.issues.create("shop", { title: "Design the schema" });
    const api = await quartermaster.issues.create("shop", {
      title: "Build the API",
      blockedByIssueId: schema.id,
    });
    assert.deepStrictEqual(api.createdBy, { type: "System", id: "quartermaster" });
    assert.strictEqual(api.status, "WaitingOnDependency");
    const { items } = await quartermaster.links.list(api.id);
    assert.deepStrictEqual(
      items.map(({ linkType }) => linkType),
      ["BlockedBy"],
    );
    await quartermaster.issues.close(schema.id, { force: true });
    assert.strictEqual((await quartermaster.issues.get(api.id)).status, "Open");
    const agent = await quartermaster.agents.put("agent-1", { toolMode: "search" });
    assert.deepStrictEqual(await quartermaster.agents.get("agent-1"), agent);
    await quartermaster.agents.remove("agent-1");
    assert.instanceOf(await rejection(quartermaster.agents.get("agent-1")), Errors.NotFound);
    const projects = await quartermaster.projects.list();
    assert.deepStrictEqual(
      projects.items.map(({ id }) => id),
      ["shop"],
    );
    await quartermaster.issues.update(api.id, { status: "PendingReview" });
    const waiting = await quartermaster.inbox.list();
    assert.deepStrictEqual(
      waiting.items.map(({ kind, title }) => [kind, title]),
      [["review", "Build the API"]],
    );
    assert.strictEqual((await quartermaster.stats.get({ window: "7d" })).window, "7d");
    assert.deepStrictEqual(await quartermaster.servers.list(), []);
    assert.isAbove((await quartermaster.catalog.list()).length, 30);
  });

  it("[hand-in.sent] a task acts for its run, and comments as its agent", async () => {
    const { agent, issues } = await open({ dataDir: await folder() });
    const { id } = await issues.create("shop", { title: "Mend", assignedAgentId: "agent-1" });
    const worker = await agent("agent-1");
    for (const outcome of ["released", "resolved"] as const) {
      for await (const task of worker.tasks()) {
        assert.strictEqual(task.issue.id, id);
        const { authorId, authorType, content } = await task.comment("Half done.");
        assert.deepStrictEqual([authorType, authorId, content], ["Agent", "agent-1", "Half done."]);
        const bytes = new TextEncoder().encode("orders");
        const upload = { fileName: "tables.txt", contentType: "text/plain", bytes };
        assert.strictEqual((await task.attach(upload)).size, 6);
        assert.strictEqual((await task.note("Drawing")).action, "continue");
        await task.log("The roof is drawn.");
        const question = await task.ask({ prompt: "Which side?", blocking: false });
        assert.deepStrictEqual(question.askedBy, { type: "Agent", id: "agent-1" });
        await task.finish({ outcome });
        break;
      }
    }
    assert.strictEqual((await issues.get(id)).status, "Resolved");
  });

  it("[embedded.services] [plan.atomic] [graph.limit] over SQLite a plan of 500 issues is one change, and its graph has them", async () => {
    const { as, issues } = await open({ dataDir: await folder() });
    const planned = Array.from({ length: 500 }, (_, n) => ({
      ref: `r${n}`,
      title: `t${n}`,
      assignedAgentId: "agent-1",
      ...(n === 0 ? {} : { blockedBy: [`r${n - 1}`, ...(n > 1 ? ["r0"] : [])] }),
    }));
    const last = { ...planned[499]!, externalRef: "X-1", blockedBy: ["iss_none"] };
    const refused = await rejection(
      issues.plan("shop", { issues: [...planned.slice(0, 499), last] }),
    );
    assert.instanceOf(refused, Errors.UnknownReference);
    const cycle = await rejection(
      issues.plan("shop", { issues: [{ ref: "a", title: "A", blockedBy: ["a"] }] }),
    );
    assert.instanceOf(cycle, Errors.DependencyCycle);
    const taken = await issues.create("shop", { title: "Taken", externalRef: "X-1" });
    const lastTaken = { ...planned[499]!, externalRef: "X-1" };
    assert.instanceOf(
      await rejection(issues.plan("shop", { issues: [...planned.slice(0, 499), lastTaken] })),
      Errors.ExternalRefTaken,
    );
    const { created: _, warnings: __, ...issue } = taken;
    assert.deepStrictEqual((await issues.list("shop")).items, [issue]);

    const created = await issues.plan("shop", { issues: planned });
    assert.deepStrictEqual(
      created.map(({ issue, ref }) => [ref, issue.title, issue.status]),
      planned.map(({ ref, title }, n) => [ref, title, n === 0 ? "Open" : "WaitingOnDependency"]),
    );
    const first = created[0]!.issue;
    const graph = await issues.graph(first.id);
    assert.deepStrictEqual([graph.nodes.length, graph.edges.length], [500, 997]);
    assert.isFalse(graph.truncated);
    const far = await issues.graph(created[499]!.issue.id, { depth: 50 });
    assert.deepStrictEqual([far.nodes.length, far.truncated], [52, true]);
    const project = await as(Principal.user("ada")).issues.projectGraph("shop");
    assert.deepStrictEqual([project.nodes.length, project.truncated], [500, true]);
    await issues.update(first.id, { status: "Resolved" });
    assert.strictEqual((await issues.get(created[1]!.issue.id)).status, "Open");
    assert.strictEqual((await issues.get(created[2]!.issue.id)).status, "WaitingOnDependency");
  });

  it("[embedded.principal] a call is made on behalf of the principal that is given", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    const asAgent = quartermaster.as(Principal.agent("agent-1"));
    const issue = await asAgent.issues.create("shop", { title: "Say hello" });
    assert.deepStrictEqual(issue.createdBy, { type: "Agent", id: "agent-1" });
    const comment = await asAgent.comments.create(issue.id, {
      content: "Hello.",
      authorType: "Agent",
    });
    assert.strictEqual(comment.authorId, "agent-1");
    const refused = await rejection(asAgent.keys.create({ name: "mine", role: "Viewer" }));
    assert.instanceOf(refused, Errors.Forbidden);
  });

  it("[embedded.errors] a refusal rejects with an instance of its error, with a message", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    const error = await rejection(quartermaster.issues.get("iss_01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert.instanceOf(error, Errors.NotFound);
    assert.instanceOf(error, Error);
    assert.match(error.message, /issue/);
  });

  it("[embedded.files] files are attached from bytes and streams, and read in parts", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    const { attachments, issues } = quartermaster;
    const { id } = await issues.create("shop", { title: "Say hello" });
    const text = { fileName: "hello.txt", contentType: "text/plain" };
    const bytes = new TextEncoder().encode("Hello, world.");
    const whole = await attachments.upload(id, { ...text, bytes });
    const streamed = await attachments.upload(id, { ...text, bytes: Readable.from([bytes]) });
    assert.strictEqual(streamed.sha256, whole.sha256);
    const { attachment, read } = await attachments.download(streamed.id);
    assert.strictEqual(attachment.size, 13);
    assert.strictEqual(await textOf(read()), "Hello, world.");
    assert.strictEqual(await textOf(read(7, 12)), "world");
    const broken = Readable.from(
      (async function* () {
        yield bytes;
        throw new Error("The source broke.");
      })(),
    );
    const error = await rejection(attachments.upload(id, { ...text, bytes: broken }));
    assert.strictEqual((error as Error).message, "The source broke.");
    assert.lengthOf((await attachments.list(id)).items, 2);
  });

  it("[embedded.events] events are an async iterable, which finishes when it is closed", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    const events = await quartermaster.events.subscribe({ filter: { projectId: "shop" } });
    await quartermaster.issues.create("shop", { title: "Say hello" });
    const kinds: Array<string> = [];
    for await (const { kind } of events) {
      kinds.push(kind);
      void quartermaster.close();
    }
    assert.deepStrictEqual(kinds, ["issue.created"]);
  });

  it("[embedded.agent] an agent works through its issues", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    const { id } = await quartermaster.issues.create("shop", {
      title: "Say hello",
      assignedAgentId: "agent-1",
    });
    const agent = await quartermaster.agent("agent-1");
    for await (const task of agent.tasks()) {
      assert.strictEqual(task.issue.id, id);
      await task.turn();
      await task.finish({ outcome: "review", comment: "Hello." });
      break;
    }
    assert.strictEqual((await quartermaster.issues.get(id)).status, "PendingReview");
  });

  it("[embedded.runs] a host writes and reads the log of a run, its usage and its timeline", async () => {
    const quartermaster = await open({ dataDir: await folder() });
    await quartermaster.issues.create("shop", { title: "1", assignedAgentId: "agent-1" });
    const { started } = await quartermaster.runs.heartbeat("agent-1");
    const runId = started[0]?.runId ?? "";
    const entries = [{ stream: "stdout" as const, text: "42 tests passed" }];
    const written = await quartermaster.runLogs.append("agent-1", runId, { from: 0, entries });
    assert.deepStrictEqual(written, { next: 1, bytes: 16, dropped: 0 });
    const log = await quartermaster.runLogs.read("agent-1", runId);
    assert.deepStrictEqual(
      log.entries.map(({ text }) => text),
      ["42 tests passed"],
    );
    await quartermaster.runs.turn("agent-1", runId, { note: "Testing" });
    assert.strictEqual((await quartermaster.runRecords.get(runId)).note, "Testing");
    const { items } = await quartermaster.runRecords.timeline("agent-1", runId);
    assert.deepStrictEqual(
      items.map(({ kind }) => kind),
      ["started", "turn", "note"],
    );
    const usage = [{ key: "1", model: "m", inputTokens: 10, outputTokens: 1 }];
    const sums = await quartermaster.usage.report("agent-1", runId, { usage });
    assert.deepStrictEqual(sums, (await quartermaster.runRecords.get(runId)).usage);
    const groups = await quartermaster.usage.list({ groupBy: "project" });
    assert.deepInclude(groups.items[0], { key: "shop", runs: 1, inputTokens: 10 });
  });

  it("[embedded.housekeeping] housekeeping runs: it ends a run whose lease has expired", async () => {
    const dataDir = await folder();
    const first = await open({ dataDir });
    const { id } = await first.issues.create("shop", { title: "1", assignedAgentId: "agent-1" });
    await first.runs.heartbeat("agent-1");
    const [pickedUp] = (await first.issues.activity(id, { order: "desc", limit: 1 })).items;
    await first.close();
    const database = new DatabaseSync(join(dataDir, "quartermaster.db"));
    database.exec("UPDATE runs SET lease_expires_at = '2026-01-01T00:00:00.000Z'");
    database.close();

    const second = await open({ dataDir });
    const events = await second.events.subscribe({ afterId: pickedUp?.id });
    for await (const { kind, subjectId } of events) {
      assert.deepStrictEqual([kind, subjectId], ["issue.leaseExpired", id]);
      break;
    }
  });

  it("[embedded.again] written data is there when the folder is opened again", async () => {
    const dataDir = await folder();
    const first = await open({ dataDir });
    const { id } = await first.issues.create("shop", { title: "Say hello" });
    await first.close();
    const second = await open({ dataDir });
    assert.strictEqual((await second.issues.get(id)).title, "Say hello");
  });

  it("[embedded.twice] two of them share a folder and see each other's writes", async () => {
    const dataDir = await folder();
    const [first, second] = await Promise.all([open({ dataDir }), open({ dataDir })]);
    const { id } = await first.issues.create("shop", { title: "Say hello" });
    assert.strictEqual((await second.issues.get(id)).title, "Say hello");
  });

  it("[embedded.key] the master key is created once, for its owner only", async () => {
    const dataDir = await folder();
    const file = join(dataDir, "secret-key");
    await (await open({ dataDir })).close();
    const key = await readFile(file, "utf8");
    assert.lengthOf(Buffer.from(key, "base64"), 32);
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600);
    await (await open({ dataDir })).close();
    assert.strictEqual(await readFile(file, "utf8"), key);
    assert.strictEqual(await readFile(join(dataDir, ".gitignore"), "utf8"), "*\n");

    const masterKeyFile = join(await folder(), "key");
    await writeFile(masterKeyFile, "no key");
    const error = await rejection(open({ dataDir, masterKeyFile }));
    assert.include((error as Error).message, `${masterKeyFile} must hold 32 bytes in base64`);
  });

  it("[embedded.secrets] values of MCP servers outlive the process, and close ends its processes", async () => {
    const dataDir = await folder();
    const notes = join(await folder(), "notes");
    const options = { dataDir, catalogFiles: [await catalogWith(await folder(), notes)] };
    const first = await open(options);
    const { id } = await first.servers.install({
      catalogId: "fixture",
      name: "fixture",
      envValues: { TOKEN: "canary" },
    });
    assert.strictEqual((await first.servers.verify(id)).status, "ok");
    await first.servers.enable(id);
    await first.agents.put("agent-1");
    await first.servers.putAccess(id, { entries: [{ agentId: "agent-1", granted: true }] });
    await first.close();

    const second = await open(options);
    const agent = await second.agent("agent-1");
    await second.issues.create("shop", { title: "Say hello", assignedAgentId: "agent-1" });
    for await (const task of agent.tasks()) {
      const { content } = await task.call("fixture__echo", { text: "canary" });
      assert.isNotEmpty(content);
      await task.finish({ outcome: "resolved" });
      break;
    }
    const pids = processesIn(notes);
    assert.isTrue(isAlive(pids.at(-1) ?? 0));
    await second.close();
    assert.deepStrictEqual(pids.filter(isAlive), []);
  });
});
