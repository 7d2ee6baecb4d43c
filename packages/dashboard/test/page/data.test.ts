import { assert, describe, it, vi } from "@effect/vitest";
import { type BriefIssue, connect, type Event, type Issue } from "@quartermaster/client";
import { QueryObserver } from "@tanstack/react-query";
import { followChanges } from "../../src/data/changes.ts";
import { issueRows } from "../../src/data/issues/issueRows.ts";
import { issueFields, issueStore } from "../../src/data/issues/issueStore.ts";
import { type Data, makeData } from "../../src/data/live/data.ts";
import type { Connection } from "../../src/data/live/live.ts";
import { makeQueries } from "../../src/data/live/query.ts";
import { makeSession } from "../../src/data/live/sessionStore.ts";
import { undoStore } from "../../src/data/live/undo.ts";
import { watched } from "../../src/parts/watched.ts";

const brief: BriefIssue = {
  id: "iss_1",
  key: "WEB-1",
  projectId: "web",
  title: "Before",
  status: "Open",
  priority: "normal",
  assignedAgentId: null,
  assigneeUserId: null,
  goalId: null,
  paused: false,
  pausedBecause: null,
  attempts: 0,
  notBefore: null,
  version: 1,
  labels: [],
  externalRef: null,
  createdBy: { type: "User", id: "ada" },
  createdAt: "2026-11-22T00:00:00.000Z",
  updatedAt: "2026-11-22T00:00:00.000Z",
  startedAt: null,
  resolvedAt: null,
  closedAt: null,
  blockedByCount: 2,
  blocksCount: 0,
  openQuestions: 0,
  liveRun: null,
};
const { blockedByCount: _, blocksCount: __, liveRun: ___, openQuestions: ____, ...fields } = brief;
const whole: Issue = { ...fields, description: null, links: [], metadata: {} };

/** A page whose server returns these responses in turn. The test emits its events. */
const pageOf = (...responses: ReadonlyArray<readonly [status: number, body: unknown]>) => {
  const rest = [...responses];
  const sent: Array<string> = [];
  const readers = new Set<(events: ReadonlyArray<Event>) => void>();
  const api = connect({
    url: "http://127.0.0.1:1",
    fetch: async (_, { headers, method }) => {
      sent.push(`${method} ${new Headers(headers).get("if-match") ?? ""}`.trim());
      const [status, body] = rest.shift() ?? [500, {}];
      return Response.json(body, {
        status,
        headers: status < 400 ? {} : { "content-type": "application/problem+json" },
      });
    },
  });
  const data: Data = makeData({
    base: "http://127.0.0.1:1/",
    session: makeSession(),
    account: {
      start: async () => {},
      signIn: async () => {},
      signOut: async () => {},
    },
    api,
    clientOver: () => api,
    setLeaving: () => {},
    stream: {
      connection: watched<Connection>({ state: "live" }),
      start: () => {},
      onEvents: (read) => {
        readers.add(read);
        return () => readers.delete(read);
      },
      onOpen: () => () => {},
      onGap: () => () => {},
    },
    queries: makeQueries(() => {}),
    warn: () => {},
  });
  const list = data.store(issueRows).list({ status: ["Open"] });
  data.queries.setQueryData(list.queryKey, {
    pages: [{ items: [brief], next: null }],
    pageParams: [undefined],
  });
  data.queries.setQueryData(issueFields(data, brief.id).queryKey, whole);
  return {
    data,
    /** The method and the `If-Match` of each request. */
    sent,
    issues: data.store(issueStore),
    row: () => data.store(issueRows).find(brief.id),
    whole: () => data.queries.getQueryData(issueFields(data, brief.id).queryKey),
    emit: (kind: Event["kind"], subjectId: string) => {
      const event: Event = {
        id: "evt_1",
        kind,
        projectId: null,
        subjectId,
        issueKey: null,
        actor: { type: "User", id: "ada" },
        data: {},
        createdAt: brief.createdAt,
      };
      for (const read of readers) read([event]);
    },
  };
};

const refused = {
  type: "urn:quartermaster:problem:precondition-failed",
  title: "Precondition failed",
  status: 412,
  detail: "The issue changed.",
};

describe("the page's data", () => {
  it("[dashboard.live] a change appears in the row and in the whole issue, and so does the saved version", async () => {
    const page = pageOf([200, { ...whole, title: "Saved", version: 2 }]);
    const saved = page.issues.change(brief, { title: "Typed" });
    assert.strictEqual(page.row()?.title, "Typed");
    assert.strictEqual(page.whole()?.title, "Typed");
    await saved;
    assert.strictEqual(page.row()?.title, "Saved");
    assert.strictEqual(page.row()?.blockedByCount, 2);
    assert.strictEqual(page.whole()?.title, "Saved");
  });

  it("[dashboard.refused] a refused change is undone in the row and in the whole issue", async () => {
    const page = pageOf([412, refused], [200, { ...whole, title: "Of another", version: 2 }]);
    const closed = page.issues
      .run(brief, { name: "close", force: false })
      .catch((problem: unknown) => problem);
    page.data.store(undoStore).sendNow(brief.id);
    const error = await closed;
    assert.propertyVal(error, "status", 412);
    for (const issue of [page.row(), page.whole()]) {
      assert.strictEqual(issue?.status, "Open");
      assert.strictEqual(issue?.title, "Of another");
    }
  });

  it("[dashboard.refused] a deletion removes the row immediately, and a refusal restores it", async () => {
    const page = pageOf([412, refused]);
    const removed = page.issues.run(brief, { name: "delete" }).catch(() => {});
    assert.isUndefined(page.row());
    await removed;
    assert.deepStrictEqual(page.row(), brief);
  });

  it("[dashboard.live] two quick changes of one issue are sent one after the other, and do not conflict", async () => {
    const labelled = { ...whole, priority: "high", labels: ["bug"] } as const;
    const page = pageOf(
      [200, { ...labelled, labels: [], version: 2 }],
      [200, { ...labelled, version: 3 }],
    );
    const first = page.issues.change(brief, { priority: "high" });
    const second = page.issues.change(brief, { labels: ["bug"] });
    assert.deepStrictEqual(page.row()?.labels, ["bug"]);
    await first;
    // The response of the first does not have the second yet.
    for (const issue of [page.row(), page.whole()]) {
      assert.deepStrictEqual([issue?.priority, issue?.labels], ["high", ["bug"]]);
    }
    await second;
    assert.deepStrictEqual(page.sent, ['PUT "1"', 'PUT "2"']);
    assert.deepStrictEqual(page.whole(), { ...labelled, version: 3 });
  });

  it("[dashboard.live] another caller's change to another field does not refuse a change", async () => {
    const renamed = { ...whole, title: "Of another", version: 2 };
    const page = pageOf(
      [412, refused],
      [200, renamed],
      [200, { ...renamed, priority: "high", version: 3 }],
    );
    await page.issues.change(brief, { priority: "high" });
    assert.deepStrictEqual(page.sent, ['PUT "1"', "GET", 'PUT "2"']);
    assert.deepInclude(page.row(), { title: "Of another", priority: "high" });
  });

  it("[dashboard.refused] another caller's change to the same field refuses a change, and any change a status", async () => {
    for (const change of [{ priority: "high" }, { status: "Resolved" }] as const) {
      const actual = [200, { ...whole, priority: "low", version: 2 }] as const;
      const page = pageOf([412, refused], actual, actual);
      const changed = page.issues.change(brief, change).catch((problem: unknown) => problem);
      page.data.store(undoStore).sendNow(brief.id);
      const error = await changed;
      assert.propertyVal(error, "status", 412);
      assert.deepInclude(page.row(), { priority: "low", status: "Open" });
    }
  });

  it("[dashboard.live] a response from before a change does not undo what the page shows", async () => {
    const page = pageOf(
      [200, whole],
      [200, { ...whole, title: "Typed", version: 2 }],
      [200, whole],
    );
    const read = page.data.queries.fetchQuery(issueFields(page.data, brief.id));
    const saved = page.issues.change(brief, { title: "Typed" });
    await read;
    assert.strictEqual(page.whole()?.title, "Typed");
    await saved;
    await page.data.queries.fetchQuery(issueFields(page.data, brief.id));
    assert.strictEqual(page.whole()?.version, 2);
  });

  it("[dashboard.live] an event refetches only the data of its subject that its kind changes", () => {
    const { data, emit } = pageOf();
    followChanges(data);
    const keys = [
      ["keys"],
      ["inbox", ""],
      ["servers", "all"],
      ["tools", "srv_1"],
      ["tools", "srv_2"],
      ["access", "srv_1"],
    ];
    for (const key of keys) data.queries.setQueryData(key, {});
    const stale = () =>
      keys.filter((key) => data.queries.getQueryState(key)?.isInvalidated === true);
    emit("key.created", "key_1");
    assert.deepStrictEqual(stale(), [["keys"]]);
    emit("mcp.recovered", "srv_1");
    assert.deepStrictEqual(stale(), [
      ["keys"],
      ["inbox", ""],
      ["servers", "all"],
      ["tools", "srv_1"],
    ]);
  });

  it("[dashboard.live] an event during the first read of its subject is followed by a second read", async () => {
    const { data, emit } = pageOf();
    followChanges(data);
    const reads: Array<(note: string) => void> = [];
    const run = new QueryObserver(data.queries, {
      queryKey: ["run", "run_1"],
      queryFn: () => new Promise<string>((resolve) => void reads.push(resolve)),
    });
    const end = run.subscribe(() => {});
    emit("run.logged", "run_1");
    assert.lengthOf(reads, 1);
    reads[0]?.("before");
    await vi.waitFor(() => assert.lengthOf(reads, 2));
    reads[1]?.("after");
    await vi.waitFor(() => assert.strictEqual(run.getCurrentResult().data, "after"));
    end();
  });

  it("[dashboard.live] two pages share no state", async () => {
    const one = pageOf([200, { ...whole, title: "Saved", version: 2 }]);
    const other = pageOf();
    await one.issues.change(brief, { title: "Typed" });
    assert.strictEqual(one.row()?.title, "Saved");
    assert.strictEqual(other.row()?.title, "Before");
    assert.notStrictEqual(one.issues, other.issues);
    assert.strictEqual(one.issues, one.data.store(issueStore));
  });
});
