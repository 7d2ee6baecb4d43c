import { PgClient } from "@effect/sql-pg";
import { Effect, ManagedRuntime, Redacted } from "effect";
import { lateness } from "../demo-kill/calls/Judge.ts";
import type { Admission } from "../demo-kill/calls/Watch.ts";

/**
 * The witness of admissions in PostgreSQL. Triggers note, inside the transaction of each admission, the run as it was
 * then, and each end of a run. They know nothing of the service's own judgment. Under REPEATABLE READ a trigger reads
 * what was committed before its transaction: PostgreSQL's timestamps of the commits tell whether an end came first.
 */

/** The settings of a server that stores the timestamps of commits. */
export const settings: ReadonlyArray<string> = ["track_commit_timestamp=on"];

const statements: ReadonlyArray<string> = [
  "CREATE SCHEMA witness",
  `CREATE TABLE witness.admissions (
    seq bigint GENERATED ALWAYS AS IDENTITY, call_id text NOT NULL, run_id text, until text NOT NULL, status text,
    outcome text, ended_at text, lease text, issue_exists int, is_latest int)`,
  "CREATE TABLE witness.ends (run_id text NOT NULL)",
  `CREATE FUNCTION witness.admitted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witness.admissions
        (call_id, run_id, until, status, outcome, ended_at, lease, issue_exists, is_latest)
      SELECT NEW.id, NEW.run_id, NEW.until, r.status, r.outcome, r.ended_at, r.lease_expires_at,
        EXISTS (SELECT 1 FROM quartermaster.issues i WHERE i.id = r.issue_id)::int,
        (NOT EXISTS (SELECT 1 FROM quartermaster.runs o WHERE o.issue_id = r.issue_id AND o.seq > r.seq))::int
      FROM (SELECT 1) one LEFT JOIN quartermaster.runs r ON r.id = NEW.run_id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER witness_admission AFTER INSERT OR UPDATE OF worker ON quartermaster.admitted_calls
    FOR EACH ROW EXECUTE FUNCTION witness.admitted()`,
  `CREATE FUNCTION witness.ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witness.ends VALUES (NEW.id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER witness_end AFTER UPDATE OF status ON quartermaster.runs
    FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION witness.ended()`,
];

/** Opens the database beside the nodes, and installs the witness. */
export const open = async (url: string) => {
  const runtime = ManagedRuntime.make(
    PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }),
  );
  const all = <A extends object>(text: string): Promise<ReadonlyArray<A>> =>
    runtime.runPromise(Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe<A>(text).unprepared));
  for (const statement of statements) await all(statement);

  return {
    /** Ends the connections of all nodes, as an administrator does. Returns their number. */
    terminate: async (): Promise<number> =>
      (
        await all(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'quartermaster'`)
      ).length,
    /** The ids of all admitted calls, and the reason for each late admission. */
    admissions: async () => {
      const admissions =
        await all<Admission>(`SELECT call_id AS "callId", run_id AS "runId", until, status,
          outcome, ended_at AS "endedAt", lease AS "leaseExpiresAt", issue_exists AS "issueExists",
          is_latest AS "isLatest" FROM witness.admissions ORDER BY seq`);
      const overtaken = await all<{ readonly callId: string }>(`SELECT a.call_id AS "callId"
        FROM witness.admissions a JOIN witness.ends e USING (run_id) WHERE a.status = 'active'
          AND pg_xact_commit_timestamp(a.xmin) > pg_xact_commit_timestamp(e.xmin)`);
      const late = admissions.flatMap((admission) => {
        const reason = lateness(admission);
        return reason === null ? [] : [`${admission.callId}: admitted although ${reason}`];
      });
      for (const { callId } of overtaken) {
        late.push(`${callId}: admitted after the commit that ended its run`);
      }
      return { callIds: new Set(admissions.map(({ callId }) => callId)), late };
    },
    /** The ids of the project's events of issues, as they are stored. */
    eventIds: async (projectId: string) =>
      (
        await all<{ readonly id: string }>(`SELECT id FROM quartermaster.events
          WHERE project_id = '${projectId}' AND kind LIKE 'issue.%'`)
      ).map(({ id }) => id),
    close: () => runtime.dispose(),
  };
};

export type Witness = Awaited<ReturnType<typeof open>>;
