import { type EffectSlot, EffectStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause, limit, list } from "../sql/Clause.ts";
import * as Table from "../sql/Table.ts";

const issues = Table.make<EffectStore.EffectIssue>("effect_issues", (cells, row) => ({
  issueId: cells.plain("issue_id", row.issueId),
  cycle: cells.plain("cycle", row.cycle),
  salt: cells.plain("salt", row.salt),
}));

const slots = Table.make<EffectSlot.EffectSlot>("effects", (cells, row) => ({
  issueId: cells.plain("issue_id", row.issueId),
  identity: cells.plain("identity", row.identity),
  cycle: cells.plain("cycle", row.cycle),
  n: cells.plain("n", row.n),
  callId: cells.plain("call_id", row.callId),
  runId: cells.plain("run_id", row.runId),
  serverId: cells.plain("server_id", row.serverId),
  server: cells.plain("server", row.server),
  tool: cells.plain("tool", row.tool),
  name: cells.plain("name", row.name),
  arguments: cells.plain("arguments", row.arguments),
  state: cells.plain("state", row.state),
  sentAt: cells.plain("sent_at", row.sentAt),
  endedAt: cells.plain("ended_at", row.endedAt),
  until: cells.plain("until", row.until),
  node: cells.plain("node", row.node),
  delivered: cells.json("delivered", row.delivered),
  settled: cells.json("settled", row.settled),
  summary: cells.plain("summary", row.summary),
  result: cells.plain("result", row.result),
}));

/** Effects in the current `SqlClient`. */
export const layer: Layer.Layer<EffectStore.EffectStore, never, SqlClient.SqlClient> = Layer.effect(
  EffectStore.EffectStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const issue = Prepared.one(sql, issues, "WHERE issue_id = ?");
    const putIssue = Prepared.upsert(sql, issues, ["issue_id"]);
    const select = Prepared.select(sql, slots);
    const get = Prepared.one(sql, slots, "WHERE call_id = ?");
    const insert = Prepared.insert(sql, slots);
    const replace = Prepared.query(
      sql,
      `UPDATE effects SET ${slots.columns.map((column) => `${column} = ?`).join(", ")}
        WHERE call_id = ? RETURNING 1`,
    );
    return EffectStore.EffectStore.of({
      issue: (issueId) => mapped(issue(issueId)),
      putIssue: (row) => mapped(Effect.asVoid(putIssue([row]))),
      equal: (issueId, identity) =>
        mapped(
          select(clause`WHERE issue_id = ${issueId} AND identity = ${identity} ORDER BY cycle, n`),
        ),
      get: (callId) => mapped(get(callId)),
      insert: (slot) => mapped(Effect.asVoid(insert([slot]))),
      replace: (callId, slot) =>
        mapped(Effect.map(replace(...slots.toCells(slot), callId), (rows) => rows.length > 0)),
      extend: (callIds, until) =>
        mapped(
          Effect.map(
            Prepared.run<readonly [callId: string]>(
              sql,
              clause`UPDATE effects SET until = ${until}
                WHERE call_id IN ${list(callIds)} AND state = 'sent' RETURNING call_id`,
            ),
            (rows) => rows.map(([callId]) => callId),
          ),
        ),
      list: (issueId, count) =>
        mapped(
          select(clause`WHERE issue_id = ${issueId}
            ORDER BY sent_at DESC, call_id DESC ${limit(count)}`),
        ),
      overdue: (now, count) =>
        mapped(
          select(clause`WHERE state = 'sent' AND until <= ${now}
            ORDER BY until, call_id ${limit(count)}`),
        ),
      notUnder: (keyId, afterCallId, count) =>
        mapped(
          select(clause`WHERE result IS NOT NULL AND result ->> 'keyId' <> ${keyId}
            AND call_id > ${afterCallId} ORDER BY call_id ${limit(count)}`),
        ),
      wipeServer: (serverId) =>
        mapped(
          Prepared.execute(
            sql,
            clause`UPDATE effects SET result = NULL, summary = NULL
              WHERE result IS NOT NULL AND server_id = ${serverId}`,
          ),
        ),
      wipeResults: (before, count) =>
        mapped(
          Prepared.count(
            sql,
            clause`UPDATE effects SET result = NULL, summary = NULL WHERE call_id IN (
              SELECT call_id FROM effects JOIN issues ON issues.id = effects.issue_id
              WHERE effects.result IS NOT NULL
                AND coalesce(issues.closed_at, issues.resolved_at) < ${before} ${limit(count)}
            ) RETURNING 1`,
          ),
        ),
    });
  }),
);
