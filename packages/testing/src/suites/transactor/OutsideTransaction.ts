import { assert } from "@effect/vitest";
import {
  ActivityStore,
  AgentStore,
  AttachmentStore,
  AuditStore,
  CommentStore,
  EventStore,
  IdempotencyStore,
  IssueStore,
  KeyStore,
  LinkStore,
  McpServerStore,
  MentionStore,
  CallBodyStore,
  EffectStore,
  ProjectStore,
  RunLogStore,
  RunStore,
  SessionStore,
  ToolCallStore,
  VersionStore,
  WebhookStore,
} from "@quartermaster/core";
import { Effect, Exit, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import type { Storage } from "../../Storage.ts";
import type { It } from "../../Suite.ts";

const now = Fixtures.at(0);
const past = "1970-01-01T00:00:00.000Z";

/** Writes to issues and their parts. */
const issueWrites = Effect.gen(function* () {
  const activity = yield* ActivityStore.ActivityStore;
  const attachments = yield* AttachmentStore.AttachmentStore;
  const comments = yield* CommentStore.CommentStore;
  const events = yield* EventStore.EventStore;
  const issues = yield* IssueStore.IssueStore;
  const links = yield* LinkStore.LinkStore;
  const mentions = yield* MentionStore.MentionStore;
  const versions = yield* VersionStore.VersionStore;
  const issue = yield* Fixtures.issue();
  const other = yield* Fixtures.issue();
  return {
    "activity.append": activity.append([yield* Fixtures.activityRow(issue.id)]),
    "attachments.insert": attachments.insert(yield* Fixtures.attachmentRow(issue.id)),
    "attachments.remove": attachments.remove("att_unknown"),
    "attachments.forget": attachments.forget(["att_unknown"]),
    "comments.insert": comments.insert(yield* Fixtures.commentRow(issue.id)),
    "comments.update": comments.update({
      ...(yield* Fixtures.commentRow(issue.id)),
      seq: 1,
    }),
    "events.append": events.append([yield* Fixtures.eventRow()]),
    "events.prune": events.prune(past, 1),
    "issues.insert": issues.insert(yield* Fixtures.issueRow()),
    "issues.update": issues.update([{ ...issue, title: "changed" }]),
    "issues.move": issues.move([issue]),
    "issues.relocate": issues.relocate(issue, {
      id: "elsewhere",
      prefix: "ELSEWHERE",
      name: null,
      description: null,
    }),
    "issues.remove": issues.remove(issue.id),
    "links.insert": links.insert(yield* Fixtures.linkRow(issue, other)),
    "links.remove": links.remove("lnk_unknown"),
    "mentions.insert": mentions.insert([
      { name: "ada", issueId: issue.id, textId: issue.id, since: now },
    ]),
    "mentions.remove": mentions.remove({ issueId: issue.id, names: ["ada"] }),
    "mentions.prune": mentions.prune(past, 1),
    "versions.append": versions.append([Fixtures.versionRow(issue.id)]),
    "versions.remove": versions.remove("cmt_unknown"),
  };
});

/** Writes to agents, runs, keys, servers and records. */
const otherWrites = Effect.gen(function* () {
  const agents = yield* AgentStore.AgentStore;
  const calls = yield* ToolCallStore.ToolCallStore;
  const idempotency = yield* IdempotencyStore.IdempotencyStore;
  const keys = yield* KeyStore.KeyStore;
  const bodies = yield* CallBodyStore.CallBodyStore;
  const effects = yield* EffectStore.EffectStore;
  const projects = yield* ProjectStore.ProjectStore;
  const logs = yield* RunLogStore.RunLogStore;
  const runs = yield* RunStore.RunStore;
  const servers = yield* McpServerStore.McpServerStore;
  const audit = yield* AuditStore.AuditStore;
  const sessions = yield* SessionStore.SessionStore;
  const run = yield* Fixtures.run(yield* Fixtures.issue());
  const server = yield* Fixtures.server();
  const access = Fixtures.accessRow("agent");
  const webhooks = yield* WebhookStore.WebhookStore;
  const webhook = yield* Fixtures.webhook();
  const delivery = yield* Fixtures.delivery(webhook.id);
  return {
    "agents.register": agents.register(yield* Fixtures.id("agent"), now),
    "agents.update": agents.update({
      id: "unknown",
      name: "name",
      paused: true,
      toolMode: "direct",
      callsNeedRun: false,
    }),
    "agents.heartbeat": agents.heartbeat("unknown", now),
    "calls.append": calls.append([yield* Fixtures.toolCallRow()]),
    "calls.prune": calls.prune(past, 1),
    "bodies.put": bodies.put([yield* Fixtures.callBody({ serverId: server.id })]),
    "bodies.prune": bodies.prune(past, 1),
    "bodies.removeOldest": bodies.removeOldest(0, 1),
    "bodies.removeOfServer": bodies.removeOfServer("unknown", 1),
    "effects.putIssue": effects.putIssue({ issueId: "unknown", cycle: 1, salt: "salt" }),
    "effects.extend": effects.extend(["unknown"], now),
    "effects.wipeServer": effects.wipeServer("unknown"),
    "effects.wipeResults": effects.wipeResults(past, 1),
    "logs.trim": logs.trim("run_unknown", 0, 1),
    "logs.prune": logs.prune(past, 1),
    "projects.setPaused": projects.setPaused(yield* Fixtures.id("project"), true),
    "audit.append": audit.append([Fixtures.auditEntry()]),
    "audit.prune": audit.prune(past, 1),
    "idempotency.put": idempotency.put(yield* Fixtures.idempotencyRow()),
    "idempotency.prune": idempotency.prune(past, 1),
    "keys.insert": keys.insert(yield* Fixtures.keyRow()),
    "keys.remove": keys.remove("key_unknown"),
    "keys.used": keys.used("key_unknown", now),
    "runs.insert": runs.insert([yield* Fixtures.runRow(yield* Fixtures.issue())]),
    "runs.update": runs.update([run]),
    "runs.prune": runs.prune(past, 1),
    "servers.insert": servers.insert(yield* Fixtures.serverRow()),
    "servers.update": servers.update(server),
    "servers.remove": servers.remove("srv_unknown"),
    "servers.putSecrets": servers.putSecrets([Fixtures.secretRow(server.id, "KEY")]),
    "servers.removeSecrets": servers.removeSecrets(server.id, ["KEY"]),
    "servers.putTools": servers.putTools(server.id, [Fixtures.toolRow("a", 0)]),
    "servers.putAccess": servers.putAccess(server.id, [access]),
    "webhooks.insert": webhooks.insert(yield* Fixtures.webhookRow()),
    "webhooks.update": webhooks.update(webhook),
    "webhooks.advance": webhooks.advance([webhook.id], 1),
    "webhooks.remove": webhooks.remove("whk_unknown"),
    "webhooks.putSecrets": webhooks.putSecrets([Fixtures.webhookSecretRow(webhook.id, "url")]),
    "webhooks.removeSecret": webhooks.removeSecret(webhook.id, "url"),
    "webhooks.queue": webhooks.queue([yield* Fixtures.deliveryRow(webhook.id)]),
    "webhooks.putDelivery": webhooks.putDelivery(delivery),
    "webhooks.skip": webhooks.skip(webhook.id, "reason", now, 1),
    "webhooks.removeDeliveries": webhooks.removeDeliveries(webhook.id, 1),
    "webhooks.prune": webhooks.prune(past, 1),
    "sessions.insert": sessions.insert(yield* Fixtures.sessionRow()),
    "sessions.slide": sessions.slide("unknown", now),
    "sessions.remove": sessions.remove("unknown"),
    "sessions.prune": sessions.prune(past, 1),
  };
});

export const tests = (it: It<Storage>): void => {
  it.effect.each([
    ["issues and what belongs to them", issueWrites],
    ["agents, runs, keys, servers and records", otherWrites],
  ] as const)("every write outside of a transaction dies: %s", ([, writes]) =>
    Effect.gen(function* () {
      for (const [name, write] of Object.entries<Effect.Effect<unknown, unknown>>(yield* writes)) {
        assert.isTrue(Exit.hasDies(yield* Effect.exit(write)), name);
      }
    }),
  );

  it.effect("a write outside of a transaction stores nothing", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const row = yield* Fixtures.issueRow();
      yield* Effect.exit(issues.insert(row));
      assert.isTrue(Option.isNone(yield* issues.get(row.id)));
    }),
  );
};
