import {
  ActivityStore,
  AgentSessionStore,
  AgentStore,
  AttachmentContent,
  AttachmentStore,
  AuditStore,
  CallBodyStore,
  CatalogStore,
  EffectStore,
  EventStore,
  IdempotencyStore,
  IssueStore,
  KeyStore,
  McpServerStore,
  MentionStore,
  ProjectStore,
  RunLogStore,
  SecretBox,
  SessionStore,
  SavedViewStore,
  SnoozeStore,
  StatsStore,
  ToolCallStore,
  Usage,
  UsageStore,
  VersionStore,
  WebhookStore,
} from "@quartermaster/core";
import { Fixtures, Storage } from "@quartermaster/testing";
import { Effect, Redacted, Stream } from "effect";

/** Rows in every table, through the stores. */

export const secrets = {
  variable: "canary of a variable",
  effect: "canary of an effect",
  body: "canary of a call",
};

const { at } = Fixtures;

/** Characters that PostgreSQL cannot store as they are, and others that are easily damaged. */
export const odd = 'nul \0, escape \u001a, "quotes", \u2028, a \\u0000 in text, and 🦉';

/** A project with two prefixes. The last of its two issues is deleted. */
const renamed = Effect.gen(function* () {
  const projects = yield* ProjectStore.ProjectStore;
  const store = yield* IssueStore.IssueStore;
  const shop = { id: "shop", prefix: "SHOP", name: "The shop", description: odd };
  yield* Storage.transact(projects.put(shop));
  const issue = yield* Fixtures.issue({ projectId: "shop" });
  const deleted = yield* Fixtures.issue({ projectId: "shop" });
  yield* Storage.transact(
    Effect.all([projects.put({ ...shop, prefix: "STORE" }), store.remove(deleted.id)]),
  );
  const ops = { id: "ops", prefix: "OPS", name: null, description: null };
  const moved = yield* Fixtures.issue({ projectId: "yard" });
  yield* Storage.transact(Effect.andThen(projects.put(ops), store.relocate(moved, ops)));
  return issue.id;
});

const issues = Effect.gen(function* () {
  const first = yield* Fixtures.issue({
    title: "Paint the lighthouse",
    description: odd,
    assignedAgentId: "agent",
    labels: ["red", "white"],
    metadata: { odd },
    externalRef: "ref-1",
    status: "InProgress",
  });
  yield* Effect.forEach(
    Array.from({ length: 250 }, (_, n) => n),
    (n) => Fixtures.issue({ title: `Paint boat ${n}`, projectId: `fleet${n % 3}` }),
    { discard: true },
  );
  const second = yield* Fixtures.issue({ title: "Mend the pier" });
  yield* Fixtures.link(first, second);
  const paragraph = Array.from({ length: 6_000 }, (_, n) => `word${n}`).join(" ");
  yield* Fixtures.comment(first.id, { content: `A keeper ${paragraph}` });
  yield* Fixtures.comment(first.id, { content: `Another keeper with a lantern ${paragraph}` });
  yield* Fixtures.question(first);
  const versions = yield* VersionStore.VersionStore;
  yield* Storage.transact(versions.append([Fixtures.versionRow(first.id, { content: odd })]));
  const mentions = yield* MentionStore.MentionStore;
  yield* Storage.transact(
    mentions.insert([{ issueId: first.id, name: "ada", textId: first.id, since: at(1) }]),
  );
  return first;
});

const attach = Effect.fnUntraced(function* (issueId: string, size: number) {
  const content = yield* AttachmentContent.AttachmentContent;
  const store = yield* AttachmentStore.AttachmentStore;
  const row = yield* Fixtures.attachmentRow(issueId);
  const bytes = Uint8Array.from({ length: size }, (_, n) => n % 251);
  yield* Effect.scoped(
    Effect.gen(function* () {
      const { keep, sha256 } = yield* content.receive(row.id, Stream.make(bytes), size);
      yield* Storage.transact(Effect.andThen(store.insert({ ...row, sha256, size }), keep));
    }),
  );
  return row.id;
});

const servers = Effect.gen(function* () {
  const box = yield* SecretBox.SecretBox;
  const server = yield* Fixtures.server({ name: "notes" });
  const seal = (name: string, value: string) =>
    box.seal({ serverId: server.id, name }, Redacted.make(value));
  const variable = yield* seal("NOTES_KEY", secrets.variable);
  const slot = yield* Fixtures.effectSlot({ serverId: server.id, state: "done", endedAt: at(1) });
  const result = yield* seal(`effect:${slot.callId}`, secrets.effect);
  const body = yield* Fixtures.callBody({ serverId: server.id });
  const sealed = yield* seal(`call:${body.callId}`, secrets.body);
  const call = yield* Fixtures.toolCallRow({ serverId: server.id });
  const admitted = yield* Fixtures.admittedCall({ serverId: server.id });
  const store = yield* McpServerStore.McpServerStore;
  const effects = yield* EffectStore.EffectStore;
  const calls = yield* ToolCallStore.ToolCallStore;
  const bodies = yield* CallBodyStore.CallBodyStore;
  const catalog = yield* CatalogStore.CatalogStore;
  yield* Storage.transact(
    Effect.all([
      store.putSecrets([{ serverId: server.id, name: "NOTES_KEY", ...variable }]),
      store.putTools(server.id, [Fixtures.toolRow("add_note", 0)]),
      store.putAccess(server.id, [Fixtures.accessRow("agent")]),
      effects.putIssue({ issueId: "iss_1", cycle: 1, salt: "salt" }),
      effects.insert({ ...slot, result: JSON.stringify(result) }),
      calls.append([call]),
      calls.admit(admitted),
      bodies.put([{ ...body, ...sealed, bytes: sealed.sealed.length }]),
      catalog.put(Fixtures.entry({ id: "own" })),
    ]),
  );
  return { serverId: server.id, effect: slot.callId, body: body.callId };
});

const access = Effect.gen(function* () {
  const keys = yield* KeyStore.KeyStore;
  const sessions = yield* SessionStore.SessionStore;
  const ended = yield* AgentSessionStore.AgentSessionStore;
  const idempotency = yield* IdempotencyStore.IdempotencyStore;
  const audit = yield* AuditStore.AuditStore;
  const snoozes = yield* SnoozeStore.SnoozeStore;
  const views = yield* SavedViewStore.SavedViewStore;
  const key = yield* Storage.transact(keys.insert(yield* Fixtures.keyRow()));
  const cookie = yield* Fixtures.sessionRow({ hash: "b", keyId: key.id });
  yield* Storage.transact(
    Effect.all([
      sessions.insert(cookie),
      // Its hash sorts before the hash of its session, and the other one's session is gone.
      sessions.insert({ ...cookie, hash: "a", kind: "token", parent: "b" }),
      sessions.insert({ ...cookie, hash: "c", kind: "token", parent: "gone" }),
      ended.end(key.id, "nonce"),
      idempotency.put(yield* Fixtures.idempotencyRow({ keyId: key.id })),
      audit.append([Fixtures.auditEntry()]),
      views.insert({
        id: "view_1",
        name: "Bugs",
        query: "label=bug",
        projectId: "p",
        createdBy: Fixtures.alice,
        createdAt: at(1),
        updatedAt: at(2),
      }),
      snoozes.put({
        principal: "User ada",
        kind: "review",
        itemId: "iss_a",
        since: at(1),
        until: at(9),
      }),
    ]),
  );
});

const webhooks = Effect.gen(function* () {
  const store = yield* WebhookStore.WebhookStore;
  const { id } = yield* Fixtures.webhook({ cursor: 2, failingAt: at(1) });
  yield* Storage.transact(store.putSecrets([Fixtures.webhookSecretRow(id, "url")]));
  yield* Fixtures.delivery(id, { claim: "dlv_claim", lastResponse: "ok", attempts: 1 });
});

const runs = Effect.fnUntraced(function* (issue: Parameters<typeof Fixtures.run>[0]) {
  const run = yield* Fixtures.run(issue);
  const other = yield* Fixtures.issue({ title: "Done" });
  const ended = yield* Fixtures.run(other, {
    status: "ended",
    outcome: "resolved",
    endedAt: at(9),
  });
  const agents = yield* AgentStore.AgentStore;
  const logs = yield* RunLogStore.RunLogStore;
  const usage = yield* UsageStore.UsageStore;
  const of = { runId: run.id, issueId: issue.id, agentId: "agent", projectId: issue.projectId };
  const sums = { ...Usage.none, requests: 1, inputTokens: 9_000_000_000 };
  const rows = [run, ended].map((run) => ({
    ...of,
    ...sums,
    runId: run.id,
    source: "agent" as const,
    at: at(0),
    model: "m",
  }));
  yield* Storage.transact(
    Effect.all([
      agents.register("agent", at(0)),
      agents.heartbeat("agent", at(1)),
      logs.put({
        ...of,
        entries: 1,
        bytes: 5,
        dropped: 0,
        opening: 1,
        writers: { w: { next: 2, tails: {} } },
        updatedAt: at(1),
      }),
      logs.append({
        ...of,
        writer: "w",
        first: 1,
        last: 1,
        number: 1,
        bytes: 5,
        lines: [[at(1), "stdout", odd]],
      }),
      logs.addNote({ ...of, note: "half done", at: at(1) }),
      logs.addTurn({ ...of, commentIds: ["cmt_1"], at: at(1) }),
      usage.add({
        reports: [{ runId: run.id, key: "k", report: "{}" }],
        sessions: [
          {
            agentId: "agent",
            session: "s",
            source: "agent",
            provider: "",
            model: "m",
            totals: sums,
            updatedAt: at(1),
          },
        ],
        rows,
      }),
    ]),
  );
});

const others = Effect.fnUntraced(function* (issueId: string) {
  const projects = yield* ProjectStore.ProjectStore;
  const stats = yield* StatsStore.StatsStore;
  const activity = yield* ActivityStore.ActivityStore;
  const events = yield* EventStore.EventStore;
  const entries = yield* Effect.all(
    Array.from({ length: 130 }, () => Fixtures.activityRow(issueId)),
  );
  const rows = yield* Effect.all(Array.from({ length: 130 }, () => Fixtures.eventRow()));
  yield* Storage.transact(
    Effect.all([
      projects.setPaused("paused", true),
      projects.setAgentsMay("project", "review"),
      stats.put("events", 7, [
        { bucket: "hour", kind: "events", id: "", at: at(0), counts: { a: 1 } },
      ]),
      activity.append(entries),
      events.append(rows),
    ]),
  );
});

export const fill = Effect.gen(function* () {
  const issue = yield* issues;
  yield* runs(issue);
  yield* others(issue.id);
  yield* access;
  yield* webhooks;
  const sealed = yield* servers;
  const attachments: Array<readonly [id: string, size: number]> = [];
  for (const size of [0, 1, 262_144, 700_000])
    attachments.push([yield* attach(issue.id, size), size]);
  const store = yield* AttachmentStore.AttachmentStore;
  yield* Storage.transact(store.remove(yield* attach(issue.id, 10)));
  // No row has the highest number.
  const removed = yield* Fixtures.issue({ title: "Removed" });
  const issueStore = yield* IssueStore.IssueStore;
  yield* Storage.transact(issueStore.remove(removed.id));
  return { issueId: issue.id, attachments, sealed, removed, renamed: yield* renamed };
});
