import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { type Client, connect, isProblem, type RemoteTask, Stopped } from "@quartermaster/client";
import { assertFields, rejection } from "../../http/test/support/Assert.ts";
import * as World from "../../http/test/support/World.ts";
import * as Gate from "./Gate.ts";

let world: World.World;
let qm: Client;
beforeAll(async () => {
  world = await World.start();
  qm = connect({ url: world.url, key: world.keys.editor.key });
});
afterAll(() => world.close());

const fast = { leaseSeconds: 5, heartbeatSeconds: 0.05 };

const assign = (agentId: string, title = "Work") =>
  qm.issues.create({ projectId: "p1", title, assignedAgentId: agentId });
const statusOf = async (issueId: string) => (await qm.issues.get({ issueId })).status;

const aborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason));
  });

const firstOf = async (tasks: AsyncGenerator<RemoteTask>) =>
  (await tasks.next()).value ?? assert.fail("no task");

describe("agents of the client without Effect", () => {
  it("[client.tasks] an agent picks issues up, takes turns and hands them in", async () => {
    const first = await assign("t1", "first");
    await qm.comments.create({ issueId: first.id, content: "before" });
    const second = await assign("t1", "second");
    const done: Array<string> = [];
    for await (const task of qm.agent("t1").tasks(fast)) {
      assertFields(task.started, { runId: task.runId, attempt: 1 });
      if (task.issue.id === first.id) {
        assert.strictEqual((await task.comments().page()).items[0]?.content, "before");
        await qm.comments.create({ issueId: first.id, content: "now" });
        const { comments } = await task.turn();
        assert.deepStrictEqual(comments.map(({ content }) => content).slice(-1), ["now"]);
        assert.deepStrictEqual((await task.tools()).tools, []);
        const missing = await rejection(task.call("none__none", { a: 1 }));
        assert.isTrue(
          isProblem(missing, "tool-unavailable") && missing.members.reason !== "timeout",
        );
      }
      done.push((await task.finish({ outcome: "resolved" })).title);
      if (done.length === 2) break;
    }
    assert.deepStrictEqual(done, ["first", "second"]);
    assert.strictEqual(await statusOf(second.id), "Resolved");
  });

  it("[client.usage] a turn reports a note and usage, and a finish whose usage is refused hands in as failed", async () => {
    const { id: issueId } = await assign("t-usage");
    const one = { key: "1", model: "m", inputTokens: 10, outputTokens: 1 };
    const stop = new AbortController();
    await qm.agent("t-usage").work(
      async (task) => {
        stop.abort();
        await task.turn({ note: "Reading", usage: [one] });
        return { outcome: "resolved", usage: [{ ...one, inputTokens: 11 }] };
      },
      { ...fast, signal: stop.signal },
    );
    assertFields(await qm.usage.ofIssue({ issueId }), { runs: 1, inputTokens: 10 });
    const { items } = await qm.agents.runs({ agentId: "t-usage" }).page();
    assertFields(items[0] ?? {}, { note: "Reading", outcome: "failed", usage: { requests: 1 } });
    assert.strictEqual((await qm.issues.get({ issueId })).pausedBecause, "failed");
  });

  it("[hand-in.sent] [client.tasks] a task comments as its agent, with a key of no agent", async () => {
    await assign("t-comment");
    const tasks = qm.agent("t-comment").tasks(fast);
    const task = await firstOf(tasks);
    assertFields(await task.comment("Half done."), {
      issueId: task.issue.id,
      content: "Half done.",
      authorType: "Agent",
      authorId: "t-comment",
    });
    await task.finish({ outcome: "resolved" });
    await tasks.return();
  });

  it("[client.tasks] a task attaches, asks, notes and logs for its run", async () => {
    const { id: issueId } = await assign("t-acts");
    const tasks = qm.agent("t-acts").tasks(fast);
    const task = await firstOf(tasks);
    const { runId } = task;
    const bytes = new TextEncoder().encode("orders, lines");
    assertFields(await task.attach({ file: bytes, fileName: "tables.txt" }), {
      fileName: "tables.txt",
      size: 13,
    });
    assertFields(await task.ask({ prompt: "Which side?", blocking: false }), {
      issueId,
      runId,
    });
    assert.strictEqual((await task.note("Drawing")).action, "continue");
    // Calls that overlap are stored in their order.
    await Promise.all([task.log("one"), task.log("two\n"), task.log("three")]);
    assertFields(await qm.runs.get({ runId }), { note: "Drawing" });
    const { entries } = await qm.runs.readLog({ agentId: "t-acts", runId });
    assert.deepStrictEqual(
      entries.map(({ stream, text, writer }) => [writer, stream, text]),
      ["one\n", "two\n", "three\n"].map((text) => ["task", "host", text]),
    );
    await task.finish({ outcome: "resolved" });
    assert.instanceOf(await task.note("Late").catch((error: unknown) => error), Stopped);
    await tasks.return();
  });

  it("[hand-in.sent] a client acts for the run of its option, or else of QM_RUN_ID, or for none", async () => {
    const sent: Array<string | undefined> = [];
    const clientOf = (runId?: string | null) =>
      connect({
        url: world.url,
        key: world.keys.admin.key,
        runId,
        fetch: (url, init) => {
          sent.push(init.headers["quartermaster-run"]);
          return globalThis.fetch(url, init);
        },
      });
    const { runId } = await world.running("t-run");
    const other = await world.running("t-run");
    vi.stubEnv("QM_RUN_ID", runId);
    await clientOf().projects.list().page();
    await clientOf(other.runId).projects.list().page();
    await clientOf(null).projects.list().page();
    vi.unstubAllEnvs();
    await clientOf().projects.list().page();
    assert.deepStrictEqual(sent, [runId, other.runId, undefined, undefined]);
  });

  it("[runs.worker] a run of the client shows its machine and its process, unless its User-Agent names none", async () => {
    const start = async (agentId: string, headers?: Record<string, string>) => {
      await assign(agentId);
      const { started } = await qm.agents.heartbeat({ agentId, leaseSeconds: 60 }, { headers });
      return (await qm.runs.get({ runId: started[0]?.runId ?? "" })).worker;
    };
    const worker = { name: null, client: "quartermaster-client", pid: process.pid };
    assertFields(await start("w1"), { ...worker, host: /^[\w.:@-]+$/ });
    const client = "curl/8 (host=a b; pid=1)";
    const none = { name: null, client, host: null, pid: null };
    assert.deepStrictEqual(await start("w2", { "user-agent": client }), none);
  });

  it("[client.tasks] heartbeats keep the lease, and capacity limits the number of held issues", async () => {
    for (const title of ["a", "b", "c"]) await assign("t2", title);
    const tasks = qm.agent("t2").tasks({ ...fast, capacity: 2 });
    const [a, b] = [await firstOf(tasks), await firstOf(tasks)];
    const third = firstOf(tasks);
    const runs = await qm.agents.runs({ agentId: "t2", status: "active" }).page();
    assert.strictEqual(runs.items.length, 2);
    // No event reports a renewal, so this polls.
    const renewed = async () => {
      const { items } = await qm.agents.runs({ agentId: "t2", status: "active" }).page();
      const leaseOf = (runId: string) => items.find(({ id }) => id === runId)?.leaseExpiresAt ?? "";
      for (const task of [a, b]) {
        assert.isAbove(
          Date.parse(leaseOf(task.runId)),
          Date.parse(task.started.leaseExpiresAt) + 100,
        );
      }
    };
    await vi.waitFor(renewed, { timeout: 20_000 });
    await a.finish({ outcome: "review" });
    const c = await third;
    assert.strictEqual(c.issue.title, "c");
    await Promise.all([b, c].map((task) => task.finish({ outcome: "resolved" })));
    await tasks.return();
    const bad = qm.agent("t2").tasks({ leaseSeconds: 5, heartbeatSeconds: 5 });
    assert.instanceOf(await rejection(bad.next()), RangeError);
  });

  it("[client.stop] a stop reaches the task, and the issue does not change", async () => {
    const issue = await assign("t3");
    const tasks = qm.agent("t3").tasks(fast);
    const task = await firstOf(tasks);
    await qm.comments.create({ issueId: issue.id, content: "why" });
    await qm.issues.pause({ issueId: issue.id });
    const reason = await aborted(task.signal);
    assert.isTrue(reason instanceof Stopped && reason.reason === "paused");
    const stop = await rejection(task.turn());
    assert.isTrue(stop instanceof Stopped && stop.comments[0]?.content === "why");
    const late = await rejection(task.finish({ outcome: "resolved" }));
    assert.isTrue(late instanceof Stopped && late.reason === "paused");
    assert.isTrue((await qm.issues.get({ issueId: issue.id })).paused);
    await tasks.return();
  });

  it("[client.release] held issues are released when the loop is left or aborted", async () => {
    const issue = await assign("t4");
    for await (const task of qm.agent("t4").tasks(fast)) {
      assert.strictEqual(await statusOf(task.issue.id), "InProgress");
      break;
    }
    assert.strictEqual(await statusOf(issue.id), "Open");
    const abort = new AbortController();
    for await (const task of qm.agent("t4").tasks({ ...fast, signal: abort.signal })) {
      const reason = aborted(task.signal);
      abort.abort("over");
      assert.strictEqual(await reason, "over");
    }
    assert.strictEqual(await statusOf(issue.id), "Open");
    const ended = await qm.agent("t4").tasks({ signal: abort.signal }).next();
    assert.isTrue(ended.done);
  });

  it("[client.away] an outage of the server costs no work", { timeout: 20_000 }, async () => {
    const gate = await Gate.open(world);
    const remote = connect({ url: gate.url, key: world.keys.editor.key });
    const issue = await assign("t5");
    const tasks = remote.agent("t5").tasks(fast);
    gate.away();
    const pending = firstOf(tasks);
    await gate.back();
    const task = await pending;
    gate.away();
    const turn = task.turn();
    await gate.back();
    assert.strictEqual((await turn).action, "continue");
    const lost = gate.lose(`/runs/${task.runId}/finish`);
    const [finished] = await Promise.all([
      task.finish({ outcome: "review", comment: "Once." }),
      lost,
    ]);
    assert.strictEqual(finished.status, "PendingReview");
    const { items } = await qm.comments.list({ issueId: issue.id }).page();
    assert.deepStrictEqual(
      items.map(({ content }) => content),
      ["Once."],
    );
    await tasks.return();
  });

  it("[client.away] an expired lease aborts the task", { timeout: 20_000 }, async () => {
    const gate = await Gate.open(world);
    const remote = connect({ url: gate.url, key: world.keys.editor.key });
    await assign("t6");
    const tasks = remote.agent("t6").tasks(fast);
    const task = await firstOf(tasks);
    gate.away();
    const reason = await aborted(task.signal);
    assert.isTrue(reason instanceof Stopped && reason.reason === "leaseExpired");
    await tasks.return();
  });

  it("[client.work] the value that the work returns or throws is handed in", async () => {
    const titles = ["done", "throws", "wordless", "invalid", "stopped", "left"];
    const issues = Object.fromEntries(
      await Promise.all(
        titles.map(async (title) => [title, (await assign("t7", title)).id] as const),
      ),
    );
    const abort = new AbortController();
    const seen = new Set<string>();
    await qm.agent("t7").work(
      async (task) => {
        const { id, title } = task.issue;
        seen.add(title);
        if (title === "throws") throw new Error("No disk.");
        if (title === "wordless") throw new Error(" ");
        if (title === "invalid") return { outcome: "resolved", comment: "" };
        if (title === "stopped") {
          await qm.issues.pause({ issueId: id });
          await aborted(task.signal);
          throw task.signal.reason;
        }
        if (title === "left") {
          // Waits until the other tasks are handed in.
          const isLast = async () => {
            const live = await qm.agents.runs({ agentId: "t7", status: "active" }).page();
            assert.deepStrictEqual([seen.size, live.items.length], [titles.length, 1]);
          };
          await vi.waitFor(isLast, { timeout: 20_000 });
          abort.abort();
          await aborted(task.signal);
          throw new Error("interrupted");
        }
        return { outcome: "review" };
      },
      { ...fast, capacity: 6, signal: abort.signal },
    );
    const state = async (title: string) => {
      const issue = await qm.issues.get({ issueId: issues[title] ?? "" });
      return `${issue.status} ${issue.pausedBecause}`;
    };
    assert.deepStrictEqual(await Promise.all(titles.map(state)), [
      "PendingReview null",
      "Open failed",
      "Open failed",
      "Open failed",
      "Open person",
      "Open null",
    ]);
    for (const [title, reason] of [
      ["throws", "No disk."],
      ["wordless", "The work failed."],
    ] as const) {
      const { items } = await qm.comments.list({ issueId: issues[title] ?? "" }).page();
      assert.strictEqual(items[0]?.content, reason);
    }
    const live = await qm.agents.runs({ agentId: "t7", status: "active" }).page();
    assert.deepStrictEqual(live.items, []);
  });

  it("[client.work] with once, work performs what the first heartbeat starts, by the key of each request", async () => {
    for (const title of ["a", "b", "c"]) await assign("t9", title);
    const keys = [world.keys.editor.key];
    const remote = connect({ url: world.url, key: () => keys[0] ?? "" });
    const beats: Array<number | null> = [];
    const performed: Array<string> = [];
    await remote.agent("t9").work(
      async (task) => {
        performed.push(task.issue.title);
        assert.isAbove(task.leaseRemaining, 4_000);
        assert.isAtMost(task.leaseRemaining, 5_000);
        // The agent hands in the first task itself, and lets the lease of the second one expire.
        if (task.issue.title === "a") await task.finish({ outcome: "resolved" });
      },
      {
        ...fast,
        capacity: 2,
        once: true,
        onHeartbeat: (answer) => beats.push(answer === null ? null : answer.started.length),
      },
    );
    assert.deepStrictEqual(performed, ["a", "b"]);
    assert.strictEqual(beats[0], 2);
    const { items } = await qm.agents.runs({ agentId: "t9", order: "asc" }).page();
    assert.deepStrictEqual(
      items.map(({ outcome, status }) => [outcome, status]),
      [
        ["resolved", "ended"],
        [null, "active"],
      ],
    );
    keys[0] = "qm_deleted";
    const refused = remote.agent("t9").work(async () => {}, fast);
    assert.isTrue(isProblem(await rejection(refused), "unauthenticated"));
  });

  it("[client.work] a refused heartbeat rejects", async () => {
    const viewer = connect({ url: world.url, key: world.keys.viewer.key });
    const work = viewer.agent("t8").work(async () => ({ outcome: "resolved" }));
    assert.isTrue(isProblem(await rejection(work), "forbidden"));
  });
});
