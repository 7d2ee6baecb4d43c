import { StatsStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

const keyOf = ({ at, bucket, id, kind }: StatsStore.StatsRow) =>
  JSON.stringify([bucket, kind, id, at]);

export const layer = Layer.effect(
  StatsStore.StatsStore,
  Effect.map(Database, (database) =>
    StatsStore.StatsStore.of({
      cursor: (source) => database.read(({ statsCursors }) => statsCursors.get(source) ?? 0),
      list: ({ bucket, from, ids, kind, to }) =>
        database.read(({ statsRows }) =>
          Array.from(statsRows.values()).filter(
            (row) =>
              row.bucket === bucket &&
              row.kind === kind &&
              ids.includes(row.id) &&
              row.at >= from &&
              row.at < to,
          ),
        ),
      put: (source, cursor, rows) =>
        database.write(({ statsCursors, statsRows }) => {
          statsCursors.set(source, cursor);
          for (const row of rows) statsRows.set(keyOf(row), row);
        }),
      staysSince: (ends) =>
        database.read(({ activity }) =>
          ends.map(({ endedAt, issueId }) => {
            const [newest] = Rows.slice(
              activity.values(),
              { after: null, limit: 1, order: "desc" },
              (entry) =>
                entry.issueId === issueId &&
                (entry.kind === "created" || entry.kind === "statusChanged") &&
                entry.createdAt < endedAt,
            );
            return newest?.createdAt ?? null;
          }),
        ),
      handIns: (stays) =>
        database.read(({ activity }) =>
          stays.map(({ issueId, since }) => {
            const entry = Array.from(activity.values()).findLast(
              (one) =>
                one.issueId === issueId && one.kind === "finished" && one.createdAt === since,
            );
            const runId = entry?.data["runId"];
            return typeof runId === "string" ? runId : null;
          }),
        ),
      runs: (ids) => database.read(({ runs }) => ids.flatMap((id) => runs.get(id) ?? [])),
      staying: ({ projects, share, status }) =>
        database.read(({ activity, issues }) => {
          const sinces = new Map<string, string>();
          for (const { createdAt, issueId, kind } of activity.values()) {
            if (kind === "created" || kind === "statusChanged") sinces.set(issueId, createdAt);
          }
          return Array.from(issues.values())
            .filter(
              (issue) =>
                issue.status === status &&
                (projects === null || projects.includes(issue.projectId)) &&
                (issue.seq * 40_503) % 65_536 < Math.ceil(share * 65_536),
            )
            .flatMap(({ id }) => sinces.get(id) ?? []);
        }),
      prune: (before, limit) =>
        database.write(({ statsRows }) => Rows.prune(statsRows, limit, ({ at }) => at < before)),
    }),
  ),
);
