import type { Timestamp } from "../Timestamp.ts";
import { names, type Sums } from "./Usage.ts";
import { UsageKey } from "./UsageErrors.ts";
import type { UsageReport } from "./UsageReport.ts";
import type { ReportRow, SessionRow, UsageRow } from "./UsageStore.ts";

/** The values that the reports of a run add to its sums. */

/** A report with its defaults. */
const complete = (report: UsageReport) => ({
  key: report.key,
  model: report.model,
  provider: report.provider ?? "",
  source: report.source ?? "agent",
  inputTokens: report.inputTokens,
  outputTokens: report.outputTokens,
  cacheReadTokens: report.cacheReadTokens ?? 0,
  cacheWriteTokens: report.cacheWriteTokens ?? 0,
  reasoningTokens: report.reasoningTokens ?? 0,
  requests: report.requests ?? 1,
  costMicros: report.costMicros ?? null,
  cumulative: report.cumulative ?? false,
  session: report.session ?? null,
});
type Complete = ReturnType<typeof complete>;

/** Both sums, name by name. */
const joined = (a: Sums, b: Sums, join: (a: number, b: number) => number): Sums =>
  Object.fromEntries(names.map((name) => [name, join(a[name], b[name])])) as unknown as Sums;

/** A sum that stops at the largest safe integer. */
export const add = (a: Sums, b: Sums): Sums =>
  joined(a, b, (x, y) => Math.min(x + y, Number.MAX_SAFE_INTEGER));

const valuesOf = ({ costMicros, ...report }: Complete): Sums => ({
  requests: report.requests,
  inputTokens: report.inputTokens,
  outputTokens: report.outputTokens,
  cacheReadTokens: report.cacheReadTokens,
  cacheWriteTokens: report.cacheWriteTokens,
  reasoningTokens: report.reasoningTokens,
  costMicros: costMicros ?? 0,
  requestsWithoutCost: costMicros === null ? report.requests : 0,
});

const seriesOf = ({
  model,
  provider,
  session,
  source,
}: Omit<SessionRow, "agentId" | "totals" | "updatedAt">) =>
  JSON.stringify([session, source, provider, model]);

/** The run that reports. */
export interface Reporter {
  readonly id: string;
  readonly agentId: string;
  readonly projectId: string;
  readonly issueId: string;
}

/** The stored reports of the run, and the stored totals of its agent's sessions. */
interface Stored {
  readonly reports: ReadonlyArray<ReportRow>;
  readonly sessions: ReadonlyArray<SessionRow>;
}

interface Counted extends Stored {
  readonly rows: ReadonlyArray<UsageRow>;
}

/** The reports that the run has not counted yet; an error for a key with other values. */
const newOnes = (
  reports: ReadonlyArray<UsageReport>,
  stored: ReadonlyArray<ReportRow>,
): UsageKey | ReadonlyArray<Complete> => {
  const known = new Map(stored.map(({ key, report }) => [key, report]));
  const added: Array<Complete> = [];
  for (const given of reports) {
    const report = complete(given);
    const text = JSON.stringify(report);
    const same = known.get(report.key);
    if (same === undefined) added.push(report);
    else if (same !== text) return new UsageKey({ key: report.key });
    known.set(report.key, text);
  }
  return added;
};

/**
 * Returns the rows to add, or an error for a key that the run counted with other values.
 *
 * Totals of a session count as far as they are larger than the largest totals before, name by name.
 * So the counted sum of a session is its largest total, in whatever order its reports arrive.
 */
export const count = (
  run: Reporter,
  reports: ReadonlyArray<UsageReport>,
  stored: Stored,
  now: Timestamp,
): UsageKey | Counted => {
  const added = newOnes(reports, stored.reports);
  if (added instanceof UsageKey) return added;
  const totals = new Map(stored.sessions.map((row) => [seriesOf(row), row.totals]));
  const sessions = new Map<string, SessionRow>();
  const rows = new Map<string, UsageRow>();
  for (const report of added) {
    const { model, provider, session, source } = report;
    let values = valuesOf(report);
    if (report.cumulative && session !== null) {
      const row = { agentId: run.agentId, session, source, provider, model, updatedAt: now };
      const series = seriesOf(row);
      const before = totals.get(series);
      if (before !== undefined) {
        const largest = joined(before, values, Math.max);
        values = joined(largest, before, (x, y) => x - y);
        totals.set(series, largest);
      } else {
        totals.set(series, values);
      }
      sessions.set(series, { ...row, totals: totals.get(series) ?? values });
    }
    const id = JSON.stringify([source, model]);
    const row = rows.get(id);
    rows.set(id, {
      runId: run.id,
      source,
      at: hourOf(now),
      model,
      agentId: run.agentId,
      projectId: run.projectId,
      issueId: run.issueId,
      ...(row === undefined ? values : add(row, values)),
    });
  }
  return {
    reports: added.map((report) => ({
      runId: run.id,
      key: report.key,
      report: JSON.stringify(report),
    })),
    sessions: [...sessions.values()],
    rows: [...rows.values()],
  };
};

/** The start of the hour, in UTC. */
export const hourOf = (at: Timestamp): Timestamp => `${at.slice(0, 13)}:00:00.000Z`;
