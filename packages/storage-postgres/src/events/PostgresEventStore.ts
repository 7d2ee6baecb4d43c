import { type Event, EventStore } from "@quartermaster/core";
import { Clause, KeyText, Prepared, StorageErrors, Table } from "@quartermaster/storage-sql";
import { Context, Effect, Latch, Layer, Option, Semaphore, Stream } from "effect";
import { SqlClient, type SqlError } from "effect/sql";
import { Connections } from "../client/Connections.ts";
import { pause } from "../client/Pause.ts";

/**
 * Events in the order of commits.
 *
 * A number that a change draws is not in the order of commits: a reader that has seen 8 would never
 * read a 7 that commits later. So a change writes to `events_new`, and after its commit the node gives
 * committed events their place in `events`, without gaps; so does every reader. Two changes of which one depends on the
 * other keep their order: the first had committed before the snapshot of the second. A transaction
 * does not list its own events.
 */

const { always, among, clause, limit, raw } = Clause;
const { mapped } = StorageErrors;

const layout: Table.Layout<Omit<Event.EventRow, "seq">> = (cells, row) => ({
  id: cells.plain("id", row.id),
  kind: cells.plain("kind", row.kind),
  projectId: cells.plain("project_id", row.projectId),
  relatedProjectId: cells.plain("related_project_id", row.relatedProjectId),
  subjectId: cells.plain("subject_id", row.subjectId),
  issueKey: cells.derived("issue_key", KeyText.ofEvent, row.issueKey),
  actor: cells.actor("actor", row.actor),
  data: cells.json("data", row.data),
  createdAt: cells.plain("created_at", row.createdAt),
});

const added = Table.make("events_new", layout);
const table = Table.make<Event.EventRow>("events", (cells, row) => ({
  seq: cells.plain("seq", row.seq),
  ...layout(cells, row),
}));

type Range = Parameters<EventStore.EventStore["Service"]["list"]>[1];

/** Events placed by one statement. */
const most = 1_000;
/** The shortest time between two statements that place the events of this node's commits. */
const settleMillis = 10;
const columns = added.columns.join(", ");

/**
 * Places committed events, and notifies. `rung` is selected, because a query that nothing reads is
 * not executed.
 */
const settleText = (channel: string) => `WITH
  head AS MATERIALIZED (
    SELECT last FROM event_head WHERE EXISTS (SELECT 1 FROM events_new) FOR UPDATE
  ),
  due AS MATERIALIZED (SELECT e.place FROM events_new e, head ORDER BY e.place LIMIT ${most}),
  taken AS (
    DELETE FROM events_new WHERE place IN (SELECT place FROM due) RETURNING place, ${columns}
  ),
  placed AS (
    INSERT INTO events (seq, ${columns})
    SELECT head.last + row_number() OVER (ORDER BY place), ${columns} FROM taken, head
    RETURNING 1
  ),
  rung AS (SELECT pg_notify('${channel}', '') WHERE EXISTS (SELECT 1 FROM placed))
  UPDATE event_head SET last = last + (SELECT count(*) FROM placed)
  WHERE (SELECT count(*) FROM placed) > 0
  RETURNING last, (SELECT count(*) FROM due), (SELECT count(*) FROM rung)`;

/** Restricts events to projects, and those with a related project to both. */
const inProjects = (projects: ReadonlyArray<string>) => {
  const [only] = projects;
  const own =
    projects.length === 1 && only !== undefined
      ? clause`project_id = ${only}`
      : among("project_id", projects);
  return clause`${own} AND (related_project_id IS NULL
    OR ${among("related_project_id", projects)})`;
};

/**
 * A few events are a list of numbers. PostgreSQL would plan a range again each time, because it knows how short the range is
 * only with the parameters: 0.4 ms for each look at new events.
 */
const within = ({ after, limit, until }: Range) =>
  until - after <= limit
    ? clause`seq = ANY (ARRAY(SELECT generate_series(
        CAST(${after + 1} AS BIGINT), CAST(${until} AS BIGINT))))`
    : clause`seq > ${after} AND seq <= ${until}`;

/** Events in the current `SqlClient`, for the nodes that share the schema. */
export const layer = (
  schema: string,
): Layer.Layer<EventStore.EventStore, never, SqlClient.SqlClient | Connections> =>
  Layer.effect(
    EventStore.EventStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient;
      const { listen } = yield* Connections;
      const channel = `${schema}_events`;
      const append = Prepared.append(sql, added);
      const select = Prepared.select(sql, table);
      /** Without a row if other nodes have placed all of them. */
      const placeDue = Prepared.alone(sql, raw(settleText(channel))) as Effect.Effect<
        ReadonlyArray<readonly [last: number, due: number, rung: number]>,
        SqlError.SqlError
      >;
      const head = Prepared.query<readonly [last: number, isNew: number]>(
        sql,
        "SELECT last, EXISTS (SELECT 1 FROM events_new) FROM event_head",
      );
      /** The highest `seq` that this node has seen. Events up to it have their place. */
      let known = 0;
      const turn = yield* Semaphore.make(1);
      /**
       * Places what is committed, and returns the highest `seq`. One that waited for another node may find
       * that its thousand are taken.
       */
      const settle = turn.withPermit(
        Effect.gen(function* () {
          for (let round = 0; ; round++) {
            const [[last, isNew] = [0, 0]] = yield* head();
            known = last;
            if (isNew === 0 || round === 10) return last;
            yield* placeDue;
          }
        }),
      );
      /** After a commit of this node, which nearly always takes one statement instead of three. */
      const settleOwn = Effect.flatMap(
        turn.withPermit(placeDue),
        ([[last, due] = [known, most]]): Effect.Effect<unknown, SqlError.SqlError> => {
          known = last;
          return due < most ? Effect.void : settle;
        },
      );
      /** A transaction reads a snapshot, and cannot place what others commit. */
      const settled = <A>(
        read: Effect.Effect<A, SqlError.SqlError>,
        outside = Effect.andThen(settle, read),
      ) =>
        mapped(
          Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
            Option.isSome(transaction) ? read : outside,
          ),
        );
      const committed = Latch.makeUnsafe();
      yield* committed.await.pipe(
        Effect.andThen(Effect.sync(() => committed.closeUnsafe())),
        Effect.andThen(settleOwn),
        Effect.catch((error) => Effect.logDebug("Cannot place new events", error)),
        Effect.andThen(pause(settleMillis)),
        Effect.forever,
        Effect.forkScoped,
      );
      const seqOf = Prepared.query<readonly [seq: number]>(
        sql,
        "SELECT seq FROM events WHERE id = ?",
      );
      return EventStore.EventStore.of({
        append: (events) => mapped(Effect.andThen(append(events), sql.afterCommit(committed.open))),
        lastSeq: settled(
          Effect.map(head(), ([row]) => row?.[0] ?? 0),
          settle,
        ),
        seqOf: (eventId) =>
          settled(Effect.map(seqOf(eventId), ([row]) => Option.fromNullishOr(row?.[0]))),
        list: ({ kinds, projects }, range) => {
          const rows = select(clause`WHERE ${projects === null ? always : inProjects(projects)}
            AND ${among("kind", kinds)} AND ${within(range)}
            ORDER BY seq ${limit(range.limit)}`);
          return range.until <= known ? mapped(rows) : settled(rows);
        },
        bell: Stream.unwrap(
          Effect.map(listen(channel), (notices) =>
            // Once after each connection: notices before it were missed.
            Stream.concat(
              Stream.succeed(undefined),
              Stream.map(Stream.fromQueue(notices), () => undefined),
            ),
          ),
        ).pipe(Stream.mapError((error: SqlError.SqlError) => StorageErrors.fromSqlError(error))),
        prune: (before, count) =>
          mapped(
            Effect.andThen(
              // On another connection, before this transaction reads its snapshot.
              Effect.updateContext(settle, Context.omit(sql.transactionService)),
              Prepared.count(
                sql,
                clause`DELETE FROM events WHERE seq IN (
                SELECT seq FROM events WHERE seq IN (
                  SELECT seq FROM events ORDER BY seq ${limit(count)}
                ) AND created_at < ${before} ${raw("FOR UPDATE SKIP LOCKED")}
              ) RETURNING 1`,
              ),
            ),
          ),
      });
    }),
  );
