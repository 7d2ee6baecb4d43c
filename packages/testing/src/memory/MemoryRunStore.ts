import { Errors, Run, RunStore, Timestamp } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Graph from "./Graph.ts";
import * as MemoryRunLogStore from "./MemoryRunLogStore.ts";
import * as MemoryUsageStore from "./MemoryUsageStore.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const refuses = (tables: Tables, added: ReadonlyArray<Omit<Run.RunRow, "seq">>): boolean => {
  const issueIds = [
    ...Graph.notEnded(tables),
    ...added.filter((run) => run.status !== "ended"),
  ].map((run) => run.issueId);
  return new Set(issueIds).size < issueIds.length;
};

/** The end of a run, also by its lease; null before it. */
const endAt = ({ endedAt, leaseExpiresAt, status }: Run.RunRow, now: string): string | null =>
  status === "ended" ? endedAt : leaseExpiresAt <= now ? leaseExpiresAt : null;

const statusAt = (run: Run.RunRow, now: string): Run.RunStatus =>
  Run.isLive(run, now) ? run.status : "ended";

/** Removes at most `limit` matching runs with their notes, turns and reports. */
const remove = (tables: Tables, limit: number, where: (run: Run.RunRow) => boolean): number => {
  const count = Rows.prune(tables.runs, limit, where);
  MemoryRunLogStore.removeNotes(tables, ({ runId }) => tables.runs.get(runId) === undefined);
  MemoryUsageStore.removeReports(tables);
  return count;
};

export const layer = Layer.effect(
  RunStore.RunStore,
  Effect.map(Database, (database) =>
    RunStore.RunStore.of({
      insert: (added) =>
        Effect.flatten(
          database.write((tables, locks) => {
            for (const { issueId } of added) locks?.rowOf(issueId, "run");
            if (refuses(tables, added)) {
              return new Errors.StorageError({
                reason: "The issue has a run that has not ended",
                isRetryable: false,
              });
            }
            for (const run of added) {
              tables.runs.set(run.id, Object.assign({}, run, { seq: database.nextSeq() }));
            }
            return Effect.void;
          }),
        ),
      update: (rows) =>
        database.write(({ runs }, locks) => {
          for (const row of rows) {
            locks?.rowOf(row.issueId, "run");
            if (runs.get(row.id) !== undefined) {
              runs.set(row.id, row);
            }
          }
        }),
      get: (runId) => database.read(({ runs }) => Option.fromNullishOr(runs.get(runId))),
      stored: (runId) =>
        database.read(({ issues, runs }) =>
          Option.map(Option.fromNullishOr(runs.get(runId)), (run) => ({
            run,
            isIssueDeleted: issues.get(run.issueId) === undefined,
            isLatest: !Array.from(runs.values()).some(
              ({ issueId, seq }) => issueId === run.issueId && seq > run.seq,
            ),
          })),
        ),
      notEnded: (agentId) =>
        database.read((tables) => Graph.notEnded(tables).filter((run) => run.agentId === agentId)),
      ofWorker: (agentId, worker) =>
        database.read(({ runs }) =>
          Array.from(runs.values())
            .filter((run) => run.agentId === agentId && run.worker === worker)
            .toReversed(),
        ),
      notEndedIn: (projectId) =>
        database.read((tables) =>
          Graph.notEnded(tables).filter((run) => run.projectId === projectId),
        ),
      expired: (now, limit) =>
        database.read((tables) =>
          Graph.notEnded(tables)
            .filter((run) => !Run.isLive(run, now))
            .toSorted((a, b) => (a.leaseExpiresAt < b.leaseExpiresAt ? -1 : 1))
            .slice(0, limit),
        ),
      shortenLeases: (now) =>
        database.write((tables) => {
          const later = (seconds: number) => Timestamp.addSeconds(now, seconds);
          const long = Graph.notEnded(tables).filter(
            (run) => run.leaseExpiresAt > later(run.leaseSeconds + 60),
          );
          for (const run of long) {
            tables.runs.set(run.id, { ...run, leaseExpiresAt: later(run.leaseSeconds) });
          }
          return long.length;
        }),
      hasOther: ({ agentId, id, issueId }) =>
        database.read(({ runs }) =>
          Array.from(runs.values()).some(
            (run) => run.issueId === issueId && run.agentId === agentId && run.id !== id,
          ),
        ),
      ofIssue: (issueId) =>
        database.read((tables) =>
          Option.fromNullishOr(Graph.notEnded(tables).find((run) => run.issueId === issueId)),
        ),
      list: ({ now, projects, status, ...query }, slice) => {
        const visible = Rows.among(projects);
        const is = <A>(wanted: A | undefined, value: A) => wanted === undefined || wanted === value;
        return database.read(({ runs }) =>
          Rows.slice(
            runs.values(),
            slice,
            (run) =>
              visible(run.projectId) &&
              is(query.agentId, run.agentId) &&
              is(query.issueId, run.issueId) &&
              is(query.projectId, run.projectId) &&
              (query.outcome === undefined || run.outcome === query.outcome) &&
              (query.from === undefined || run.startedAt >= query.from) &&
              (query.to === undefined || run.startedAt < query.to) &&
              (query.endedFrom === undefined || (endAt(run, now) ?? "") >= query.endedFrom) &&
              is(status, statusAt(run, now)),
          ),
        );
      },
      removeIn: (projectId, limit) =>
        database.write((tables) =>
          remove(
            tables,
            limit,
            (run) => run.projectId === projectId && tables.issues.get(run.issueId) === undefined,
          ),
        ),
      prune: (before, limit) =>
        database.write((tables) =>
          remove(
            tables,
            limit,
            (run) => run.status === "ended" && run.endedAt !== null && run.endedAt < before,
          ),
        ),
    }),
  ),
);
