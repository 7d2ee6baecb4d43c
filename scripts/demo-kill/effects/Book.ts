import { DatabaseSync } from "node:sqlite";

/** Reads the database of the nodes beside them: what waits for a person, and when the work is over. */
export const open = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const all = <A>(sql: string) => database.prepare(sql).all() as unknown as ReadonlyArray<A>;
  interface Issue {
    readonly id: string;
  }
  return {
    held: () => all<Issue>("SELECT issue_id AS id FROM runs WHERE status = 'active'"),
    paused: () => all<Issue>("SELECT id FROM issues WHERE paused_because IS NOT NULL"),
    open: () => all("SELECT 1 FROM issues WHERE status = 'Open'").length,
    inReview: () => all<Issue>("SELECT id FROM issues WHERE status = 'PendingReview'"),
    /** Issues that wait because a run of theirs failed or died. A release does not count. */
    delayed: () =>
      all<Issue>("SELECT id FROM issues WHERE not_before IS NOT NULL AND attempts > 0"),
    unresolved: () => all<Issue>("SELECT id FROM issues WHERE status <> 'Resolved'"),
    /** The effects that are in flight or lost. */
    inTheWay: () =>
      all<{
        readonly callId: string;
        readonly issueId: string;
        readonly server: string;
        readonly state: string;
      }>(
        `SELECT call_id AS callId, issue_id AS issueId, server, state FROM effects
         WHERE state IN ('sent', 'unknown')`,
      ),
    /** Servers that failed too often. */
    failed: () => all<Issue>("SELECT id FROM mcp_servers WHERE status = 'error'"),
    outcomes: () =>
      new Map(
        all<{ readonly outcome: string; readonly count: number }>(
          "SELECT outcome, count(*) AS count FROM tool_calls GROUP BY outcome",
        ).map(({ count, outcome }) => [outcome, count]),
      ),
    countOf: (kind: string) => all(`SELECT 1 FROM events WHERE kind = '${kind}'`).length,
    close: () => database.close(),
  };
};

export type Book = ReturnType<typeof open>;
