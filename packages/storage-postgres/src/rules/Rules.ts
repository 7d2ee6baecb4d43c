import {
  ActivityStore,
  AgentStore,
  AttachmentStore,
  CallBodyStore,
  CommentStore,
  EffectStore,
  IssueStore,
  LinkStore,
  McpServerStore,
  ProjectStore,
  QuestionStore,
  RunStore,
  ToolCallStore,
  UsageStore,
  VersionStore,
  WebhookStore,
} from "@quartermaster/core";
import { Clause, Prepared, StorageErrors, Stores } from "@quartermaster/storage-sql";
import { Context, Effect, Layer } from "effect";
import * as AccessRules from "./AccessRules.ts";
import * as Guards from "./Guards.ts";
import { ruled } from "./Ruled.ts";

/**
 * The rules of docs/second-engine.md. At `REPEATABLE READ` two transactions conflict only if they
 * write the same row. A rule makes two that must not both commit write one, before the store does
 * what it does with every engine.
 */

const { clause, list, raw } = Clause;

/** Calls of an issue at the same time that rarely conflict with each other. */
const calls = Guards.oneOf(Guards.shards("calls", 8));
const secrets = Guards.shards("secrets", 16);
/** With 16, 6 % of the claims ran again while 16 ran at the same time. */
const startsIn = (projectId: string) => Guards.shards(`project ${projectId}`, 64);

/** Two blockers that are resolved at the same time both write their dependents. */
const issues = ruled(IssueStore.IssueStore, (store, guards) => ({
  insert: (issue) => Effect.tap(store.insert(issue), () => guards.wroteIssues([issue])),
  move: (states) => Effect.andThen(store.move(states), guards.wroteIssues(states)),
  update: (rows) => Effect.andThen(store.update(rows), guards.wroteIssues(rows)),
  relocate: (issue, project) =>
    Effect.tap(store.relocate(issue, project), () => guards.wroteIssues([issue])),
  dependents: (issueId, now) =>
    Effect.andThen(
      guards.execute(clause`UPDATE issues SET guard = guard + 1 WHERE seq IN (
        SELECT d.seq FROM links l JOIN issues d ON d.id = l.target_id
        WHERE l.source_id = ${issueId} AND l.relation = 'Blocks'
        ORDER BY d.seq ${raw("FOR NO KEY UPDATE OF d")})`),
      store.dependents(issueId, now),
    ),
  remove: (issueId) =>
    Effect.andThen(
      store.remove(issueId),
      guards.execute(clause`DELETE FROM issue_guards WHERE issue_id = ${issueId}`),
    ),
}));

/**
 * The foreign key of a new row locks the issue in a mode that the timeline has to raise. A deletion of
 * the issue that waits in between is a deadlock of a second, so the stronger lock comes first.
 */
const attachments = ruled(AttachmentStore.AttachmentStore, (store, guards) => ({
  insert: (row) => Effect.andThen(guards.lockIssues([row.issueId]), store.insert(row)),
}));

/** Two links that would close a circle. A new link locks its issues as a new attachment does. */
const links = ruled(LinkStore.LinkStore, (store, guards) => ({
  insert: (link) =>
    Effect.andThen(guards.lockIssues([link.sourceId, link.targetId]), store.insert(link)),
  path: (from, to) => Effect.andThen(guards.touch("dependencies"), store.path(from, to)),
}));

/**
 * A comment that commits late would never be shown to the agent, whose turn has seen a later one. So
 * comments, timeline and events of an issue commit in one order.
 */
const comments = ruled(CommentStore.CommentStore, (store, guards) => ({
  insert: (comment) => Effect.andThen(guards.lockIssues([comment.issueId]), store.insert(comment)),
  update: (comment) => Effect.andThen(guards.lockIssues([comment.issueId]), store.update(comment)),
}));

/** Versions commit in the order of `seq`, as comments do. */
const versions = ruled(VersionStore.VersionStore, (store, guards) => ({
  append: (rows) =>
    Effect.andThen(
      guards.lockIssues([...new Set(rows.map(({ issueId }) => issueId))]),
      store.append(rows),
    ),
}));

const activity = ruled(ActivityStore.ActivityStore, (store, guards) => ({
  append: (entries) =>
    Effect.andThen(
      guards.lockIssues([...new Set(entries.map(({ issueId }) => issueId))]),
      store.append(entries),
    ),
}));

/** A resolved issue has no open question, and a claim misses none. */
const questions = ruled(QuestionStore.QuestionStore, (store, guards) => ({
  insert: (question) =>
    Effect.andThen(
      guards.execute(clause`UPDATE issues SET guard = guard + 1 WHERE id = ${question.issueId}`),
      store.insert(question),
    ),
}));

/** An issue is not assigned to an agent that another node removes: the lock fails on a deleted row. */
const agents = ruled(AgentStore.AgentStore, (store, guards) => ({
  register: (agentId, now) =>
    Effect.andThen(
      guards.execute(clause`SELECT 1 FROM agents WHERE id = ${agentId} ${raw("FOR KEY SHARE")}`),
      store.register(agentId, now),
    ),
}));

/**
 * A run does not start in a project that is paused, nor while a call of an earlier run is in flight. A
 * write of a run comes before its end.
 */
const runs = ruled(RunStore.RunStore, (store, guards) => ({
  insert: (rows) =>
    rows.length === 0
      ? store.insert(rows)
      : Effect.andThen(
          Effect.andThen(
            guards.touchAllOf([...new Set(rows.map(({ issueId }) => issueId))], calls),
            guards.touch(
              ...[...new Set(rows.map(({ projectId }) => projectId))].map((projectId) =>
                Guards.oneOf(startsIn(projectId)),
              ),
            ),
          ),
          store.insert(rows),
        ),
  stored: (runId) =>
    Effect.andThen(
      Effect.andThen(
        guards.execute(clause`SELECT 1 FROM issues
          WHERE id = (SELECT issue_id FROM runs WHERE id = ${runId}) ${raw("FOR NO KEY UPDATE")}`),
        guards.execute(clause`SELECT 1 FROM runs WHERE id = ${runId} ${raw("FOR NO KEY UPDATE")}`),
      ),
      store.stored(runId),
    ),
}));

/**
 * A project is not removed while an issue is created in it. A creation shares a lock of the project's row
 * (`hold` of the shared store), which fails if the row was removed. A removal waits for such locks. Then a connection of its own looks
 * for issues that its transaction does not see, and with one the removal runs again.
 */
const projects = ruled(ProjectStore.ProjectStore, (store, guards, sql) => {
  const lock = (projectId: string, mode: string) =>
    clause`SELECT 1 FROM projects WHERE id = ${projectId} ${raw(mode)}`;
  const countUnseen = (projectId: string) =>
    Effect.updateContext(
      Prepared.alone(
        sql,
        clause`INSERT INTO guards (name, n)
          SELECT 'removed projects', 1 FROM issues WHERE project_id = ${projectId} LIMIT 1
          ON CONFLICT (name) DO UPDATE SET n = guards.n + 1`,
      ),
      (context: Context.Context<never>) => Context.omit(sql.transactionService)(context),
    );
  return {
    remove: Effect.fnUntraced(function* (projectId) {
      yield* StorageErrors.mapped(Prepared.run(sql, lock(projectId, "FOR UPDATE")));
      yield* StorageErrors.mapped(countUnseen(projectId));
      yield* guards.touch("removed projects");
      yield* store.remove(projectId);
      yield* guards.execute(
        clause`DELETE FROM guards WHERE name IN ${list([...startsIn(projectId)])}`,
      );
    }),
    setPaused: (projectId, paused) =>
      Effect.andThen(guards.touch(...startsIn(projectId)), store.setPaused(projectId, paused)),
  };
});

/** A call is not admitted for a run while another node gives its issue to the next run. */
const toolCalls = ruled(ToolCallStore.ToolCallStore, (store, guards) => ({
  admit: (call) =>
    Effect.andThen(
      call.issueId === null ? Effect.void : guards.touchOneOf(list([call.issueId]), calls),
      store.admit(call),
    ),
  extend: (ids, until) =>
    Effect.andThen(
      guards.touchOneOf(
        clause`SELECT DISTINCT issue_id FROM admitted_calls
          WHERE id IN ${list(ids)} AND issue_id IS NOT NULL`,
        calls,
      ),
      store.extend(ids, until),
    ),
}));

/** Precedes the write of a sealed result of a server. */
const storing = (guards: Guards.Guards, serverId: Clause.Clause) =>
  Effect.andThen(
    guards.execute(
      clause`SELECT 1 FROM mcp_servers WHERE id = ${serverId} ${raw("FOR KEY SHARE")}`,
    ),
    guards.touch(Guards.oneOf(secrets)),
  );

/** Of two equal effects one is sent. A result is not stored for a server that is uninstalled. */
const effects = ruled(EffectStore.EffectStore, (store, guards) => ({
  equal: (issueId, identity) =>
    Effect.andThen(guards.touchOf(list([issueId]), ["effects"]), store.equal(issueId, identity)),
  end: (callId, end) =>
    Effect.andThen(
      end.result === null
        ? Effect.void
        : storing(guards, clause`(SELECT server_id FROM effects WHERE call_id = ${callId})`),
      store.end(callId, end),
    ),
  replace: (callId, slot) =>
    Effect.andThen(
      slot.result === null ? Effect.void : storing(guards, clause`${slot.serverId}`),
      store.replace(callId, slot),
    ),
}));

/** A rotation that found nothing under the old key runs again if something was sealed in the meantime. */
const servers = ruled(McpServerStore.McpServerStore, (store, guards) => ({
  putSecrets: (rows) => Effect.andThen(guards.touch(Guards.oneOf(secrets)), store.putSecrets(rows)),
  secretsNotUnder: (keyId, after, count) =>
    Effect.andThen(guards.touch(...secrets), store.secretsNotUnder(keyId, after, count)),
}));

/** A secret is sealed as one of a server is, and two nodes do not both create the last webhook. */
const webhooks = ruled(WebhookStore.WebhookStore, (store, guards) => ({
  insert: (webhook) => Effect.andThen(guards.touch("webhooks"), store.insert(webhook)),
  putSecrets: (rows) => Effect.andThen(guards.touch(Guards.oneOf(secrets)), store.putSecrets(rows)),
  secretsNotUnder: (keyId, after, count) =>
    Effect.andThen(guards.touch(...secrets), store.secretsNotUnder(keyId, after, count)),
}));

const bodies = ruled(CallBodyStore.CallBodyStore, (store, guards) => ({
  put: (rows) => Effect.andThen(guards.touch(Guards.oneOf(secrets)), store.put(rows)),
}));

/** A session's total is not counted twice. */
const usage = ruled(UsageStore.UsageStore, (store, guards) => ({
  sessions: (agentId, sessions) =>
    Effect.andThen(
      guards.execute(clause`SELECT 1 FROM usage_sessions
        WHERE agent_id = ${agentId} AND session IN ${list(sessions)}
        ORDER BY session, source, provider, model ${raw("FOR NO KEY UPDATE")}`),
      store.sessions(agentId, sessions),
    ),
}));

/** The shared stores with the rules. */
export const layer = Layer.mergeAll(
  activity,
  agents,
  attachments,
  bodies,
  comments,
  effects,
  issues,
  AccessRules.keys,
  links,
  projects,
  questions,
  runs,
  servers,
  toolCalls,
  usage,
  versions,
  AccessRules.views,
  webhooks,
).pipe(Layer.provideMerge(Stores.layer));
