import { Usage, UsageReport, UsageStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

type Row = UsageStore.UsageRow;

const reportKey = ({ key, runId }: Pick<UsageStore.ReportRow, "key" | "runId">) =>
  JSON.stringify([runId, key]);

const sessionKey = ({ agentId, model, provider, session, source }: UsageStore.SessionRow) =>
  JSON.stringify([agentId, session, source, provider, model]);

const rowKey = ({ at, model, runId, source }: Row) => JSON.stringify([runId, source, at, model]);

const plus = (a: number, b: number) => Math.min(a + b, Number.MAX_SAFE_INTEGER);

const sumsOf = (rows: ReadonlyArray<Usage.Sums>): Usage.Sums => {
  const sums = { ...Usage.none };
  for (const row of rows) for (const name of Usage.names) sums[name] = plus(sums[name], row[name]);
  return sums;
};

/** The rows that count: of each run the rows of its best source. */
const counted = (tables: Tables): ReadonlyArray<Row> => {
  const rows = Array.from(tables.usageRows.values());
  const ranks = new Map<string, number>();
  const rankOf = ({ source }: Row) => UsageReport.sources.indexOf(source);
  for (const row of rows) {
    ranks.set(row.runId, Math.min(ranks.get(row.runId) ?? Number.POSITIVE_INFINITY, rankOf(row)));
  }
  return rows.filter((row) => rankOf(row) === ranks.get(row.runId));
};

const add = (
  tables: Tables,
  { reports, rows, sessions }: Parameters<UsageStore.UsageStore["Service"]["add"]>[0],
) => {
  for (const report of reports) tables.usageReports.set(reportKey(report), report);
  for (const session of sessions) tables.usageSessions.set(sessionKey(session), session);
  for (const row of rows) {
    const stored = tables.usageRows.get(rowKey(row)) ?? { ...row, ...Usage.none };
    tables.usageRows.set(rowKey(row), { ...stored, ...sumsOf([stored, row]) });
  }
};

const ofRuns = (
  tables: Tables,
  runIds: ReadonlyArray<string>,
): ReadonlyMap<string, Usage.RunUsage> => {
  const rows = counted(tables).filter(({ runId }) => runIds.includes(runId));
  return new Map(
    [...Map.groupBy(rows, ({ runId }) => runId)].map(([runId, ofRun]) => {
      const models = [...Map.groupBy(ofRun, ({ model }) => model)].map(([model, some]) => {
        const { inputTokens, outputTokens } = sumsOf(some);
        return { model, tokens: inputTokens + outputTokens };
      });
      const listed = models
        .toSorted((a, b) => b.tokens - a.tokens || (a.model < b.model ? -1 : 1))
        .slice(0, Usage.maxModels);
      return [runId, { ...sumsOf(ofRun), models: listed.map(({ model }) => model) }];
    }),
  );
};

const keysOf: Readonly<
  Record<Usage.GroupBy, (row: Omit<Row, keyof Usage.Sums | "source">) => string>
> = {
  agent: ({ agentId }) => agentId,
  project: ({ projectId }) => projectId,
  model: ({ model }) => model,
  issue: ({ issueId }) => issueId,
  day: ({ at }) => at.slice(0, 10),
};

const groups = (
  tables: Tables,
  { groupBy, projects, ...query }: UsageStore.UsageQuery,
  {
    after,
    limit,
    order,
  }: { readonly after: string | null; readonly limit: number; readonly order: "asc" | "desc" },
): ReadonlyArray<Usage.GroupUsage> => {
  const is = <A>(wanted: A | undefined, value: A) => wanted === undefined || wanted === value;
  const matches = (row: Pick<Row, "agentId" | "at" | "issueId" | "projectId">) =>
    Rows.among(projects)(row.projectId) &&
    is(query.agentId, row.agentId) &&
    is(query.projectId, row.projectId) &&
    is(query.issueId, row.issueId) &&
    (query.from === undefined || row.at >= query.from) &&
    (query.to === undefined || row.at < query.to);
  const keyOf = keysOf[groupBy];
  const reported = new Set(
    [tables.usageRows, tables.usageReports].flatMap((table) =>
      Array.from<{ readonly runId: string }, string>(table.values(), ({ runId }) => runId),
    ),
  );
  const silent = Array.from(tables.runs.values())
    .filter(({ id }) => groupBy !== "model" && !reported.has(id))
    .map(({ id, startedAt, ...run }) => ({ ...run, runId: id, at: startedAt, model: "" }))
    .filter(matches);
  const rows = counted(tables).filter(matches);
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b)) * sign;
  return [...new Set([...rows, ...silent].map(keyOf))]
    .filter((key) => after === null || compare(key, after) > 0)
    .toSorted(compare)
    .slice(0, limit)
    .map((key) => {
      const some = rows.filter((row) => keyOf(row) === key);
      const runsWithoutUsage = silent.filter((run) => keyOf(run) === key).length;
      const runs = new Set(some.map(({ runId }) => runId)).size + runsWithoutUsage;
      return { key, runs, ...sumsOf(some), runsWithoutUsage };
    });
};

/** Removes the reports of runs that do not exist. */
export const removeReports = (tables: Tables): void => {
  for (const report of tables.usageReports.values()) {
    if (tables.runs.get(report.runId) === undefined) tables.usageReports.delete(reportKey(report));
  }
};

export const layer = Layer.effect(
  UsageStore.UsageStore,
  Effect.map(Database, (database) =>
    UsageStore.UsageStore.of({
      reports: (runId, keys) =>
        database.read(({ usageReports }) =>
          [...new Set(keys)].flatMap((key) => usageReports.get(reportKey({ runId, key })) ?? []),
        ),
      sessions: (agentId, sessions) =>
        database.read(({ usageSessions }) =>
          Array.from(usageSessions.values()).filter(
            (row) => row.agentId === agentId && sessions.includes(row.session),
          ),
        ),
      add: (added) => database.write((tables) => add(tables, added)),
      ofRuns: (runIds) => database.read((tables) => ofRuns(tables, runIds)),
      groups: (query, slice) => database.read((tables) => groups(tables, query, slice)),
      prune: (before, limit) =>
        database.write(
          ({ usageRows, usageSessions }) =>
            Rows.prune(usageRows, limit, ({ at }) => at < before) +
            Rows.prune(usageSessions, limit, ({ updatedAt }) => updatedAt < before),
        ),
    }),
  ),
);
