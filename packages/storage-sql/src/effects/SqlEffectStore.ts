import { EffectSlot, EffectStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import { clause, limit, list } from "../sql/Clause.ts";
import * as Locks from "../sql/Locks.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
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
  delivering: cells.json("delivering", row.delivering),
  settled: cells.json("settled", row.settled),
  summary: cells.plain("summary", row.summary),
  result: cells.plain("result", row.result),
  earlier: cells.json("earlier", row.earlier),
}));

/** The columns that change while a call has the slot. Few indexes have them, so that a write changes few pages. */
const endColumns = [
  "state",
  "ended_at",
  "until",
  "delivered",
  "delivering",
  "settled",
  "summary",
  "result",
];
/** The columns that change when another call sends the slot again. */
const sentColumns = slots.columns.filter(
  (column) => !["issue_id", "identity", "cycle", "n"].includes(column),
);

/** Replaces columns of the slot of a call. */
const writeOf = (sql: SqlClient.SqlClient, columns: ReadonlyArray<string>) => {
  const places = columns.map((column) => slots.columns.indexOf(column));
  const set = columns.map((column) => `${column} = ?`).join(", ");
  const write = Prepared.query(sql, `UPDATE effects SET ${set} WHERE call_id = ? RETURNING 1`);
  return (callId: string, slot: EffectSlot.EffectSlot) => {
    const cells = slots.toCells(slot);
    return write(...places.map((place) => cells[place] ?? null), callId);
  };
};

/** Ends the slot of a call that may still end. Without the row of its server, result and summary are NULL. */
const endOf = (sql: SqlClient.SqlClient) => {
  const write = Prepared.query(
    sql,
    `UPDATE effects SET state = ?, ended_at = ?, delivering = ?,
      (result, summary) = (SELECT ?, ? FROM mcp_servers WHERE id = effects.server_id)
    WHERE call_id = ? AND (state = 'sent' OR state = 'unknown' AND settled IS NULL) RETURNING 1`,
  );
  return (callId: string, end: EffectSlot.SlotEnd) =>
    write(end.state, end.endedAt, jsonOf(end.delivering), end.result, end.summary, callId);
};

/** Stores how the delivery of a slot's response ended. */
const deliverOf = (sql: SqlClient.SqlClient) => {
  const read = Prepared.query<readonly [delivered: string, delivering: string | null]>(
    sql,
    "SELECT delivered, delivering FROM effects WHERE call_id = ? AND state = 'done'",
  );
  const write = Prepared.query(
    sql,
    "UPDATE effects SET delivered = ?, delivering = ? WHERE call_id = ? RETURNING 1",
  );
  return (callId: string, runId: string, at: string | null) =>
    Effect.flatMap(read(callId), ([row]) => {
      if (row === undefined) return Effect.void;
      const [delivered, delivering] = row;
      const slot: Pick<EffectSlot.EffectSlot, "delivered" | "delivering"> = {
        delivered: JSON.parse(delivered),
        delivering: delivering === null ? null : JSON.parse(delivering),
      };
      const ended = EffectSlot.deliveredTo(slot, runId, at);
      return write(JSON.stringify(ended.delivered), jsonOf(ended.delivering), callId);
    });
};

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const isFound = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0;

/** Effects in the current `SqlClient`. */
export const layer: Layer.Layer<EffectStore.EffectStore, never, SqlClient.SqlClient> = Layer.effect(
  EffectStore.EffectStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const issue = Prepared.one(sql, issues, "WHERE issue_id = ?");
    const putIssue = Prepared.upsert(sql, issues, ["issue_id"]);
    const select = Prepared.select(sql, slots);
    const get = Prepared.one(sql, slots, "WHERE call_id = ?");
    const insert = Prepared.insert(sql, slots);
    const resend = writeOf(sql, sentColumns);
    const change = writeOf(sql, endColumns);
    const end = endOf(sql);
    const deliver = deliverOf(sql);
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
        mapped(Effect.map((callId === slot.callId ? change : resend)(callId, slot), isFound)),
      end: (callId, slotEnd) => mapped(Effect.map(end(callId, slotEnd), isFound)),
      deliver: (callId, runId, at) => mapped(Effect.asVoid(deliver(callId, runId, at))),
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
          Locks.passing(sql, (skipping) =>
            select(clause`WHERE state = 'sent' AND until <= ${now}
              ORDER BY until, call_id ${limit(count)} ${skipping}`),
          ),
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
            clause`UPDATE effects SET result = NULL, summary = NULL WHERE ${Locks.batch(
              sql,
              "effects",
              "call_id",
              clause`JOIN issues ON issues.id = effects.issue_id
                WHERE effects.result IS NOT NULL
                  AND coalesce(issues.closed_at, issues.resolved_at) < ${before} ${limit(count)}`,
            )} RETURNING 1`,
          ),
        ),
    });
  }),
);
