import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, describe, it, vi } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

/**
 * The tables that keep something: prefixes, the numbers of issues, records of what happened with their counts, and for a day
 * the keys of repeated requests, which have ids only.
 */
const staying = new Set([
  "audit_entries",
  "events",
  "idempotency",
  "issue_numbers",
  "project_prefixes",
  "stats",
  "stats_cursors",
]);

interface InboxItem {
  readonly kind: string;
  readonly issueId: string | null;
  readonly questionId: string | null;
}

/** The rows of every other table, also of the index of words. */
const rowsOf = (dataDir: string): Readonly<Record<string, ReadonlyArray<unknown>>> => {
  const db = new DatabaseSync(join(dataDir, "quartermaster.db"), { readOnly: true });
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    // The segments of the index of words, which `chapter_text` and `issue_text` read.
    .filter((name) => !staying.has(name) && !/_(?:config|content|data|docsize|idx)$/.test(name));
  const rows = names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()] as const);
  db.close();
  return Object.fromEntries(rows);
};

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe("quartermaster demo on a server", { timeout: 120_000 }, () => {
  it("[demo.no-trace] sample data that people worked on is removed from every table, and no file stays", async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, "data");
    const server = await Quartermaster.start(dataDir);
    const env = { QM_URL: server.url, QM_KEY: server.key, HOME: folder };
    const call = async (path: string, body?: unknown, method = body ? "POST" : "GET") => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const response = await server.fetch(path, init);
      assert.isBelow(response.status, 300, path);
      return response.status === 204 ? [] : ((await response.json()) as Array<InboxItem>);
    };
    await call("/api/projects/shop/issues", { title: "Say hello", assignedAgentId: "bot" });
    const before = rowsOf(dataDir);
    const attachments = join(dataDir, "attachments");
    const filesBefore = await filesIn(attachments);

    const demo = new Quartermaster(["demo", "--pace", "0s"], env);
    const inbox = await vi.waitFor(
      async () => {
        const items = await call("/api/inbox?projectId=demo&limit=100");
        const kinds = new Set(items.map(({ kind }) => kind));
        assert.includeMembers([...kinds], ["question", "review", "failed"]);
        return items;
      },
      { timeout: 60_000, interval: 200 },
    );
    const item = (kind: string) => inbox.find((found) => found.kind === kind);
    const until = new Date(new Date().getTime() + 86_400_000).toISOString();
    const snoozed = [
      { kind: "question", id: item("question")?.questionId },
      { kind: "failed", id: item("failed")?.issueId },
    ];
    await call("/api/inbox/snooze", { items: snoozed, until });
    await call("/api/views", { name: "Demo", query: "label=cart", projectId: "demo" });
    await call("/api/projects/demo", { paused: true, agentsMay: "review" }, "PUT");
    const url = "https://hooks.example.com/demo";
    await call("/api/webhooks", { url, name: "Demo", kinds: ["issue.*"], projectId: "demo" });
    const reviewed = `/api/projects/issues/${item("review")?.issueId}`;
    await call(reviewed, { description: "Another text", status: "Resolved" }, "PUT");
    demo.child.kill("SIGINT");
    assert.strictEqual((await demo.exited).code, 0, demo.stderr);
    assert.isAbove((await filesIn(attachments)).length, filesBefore.length);

    const removal = new Quartermaster(["demo", "--remove"], env);
    assert.strictEqual((await removal.exited).code, 0, removal.stderr);
    assert.include(removal.stdout, "and the project demo.");
    const after = rowsOf(dataDir);
    // The use of the key of all of these calls.
    for (const rows of [before, after]) {
      for (const key of rows["api_keys"] ?? [])
        Object.assign(key as object, { last_used_at: null });
    }
    assert.deepStrictEqual(after, before);
    assert.deepStrictEqual(await filesIn(attachments), filesBefore);
  });
});
