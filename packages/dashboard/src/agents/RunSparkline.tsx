import type { Run } from "../data/agents.ts";
import { endOf, lengthOf } from "../data/runWords.ts";
import { Sparkline } from "../parts/Sparkline.tsx";

const colors = {
  success: "var(--success)",
  danger: "var(--danger)",
  warning: "var(--warning)",
  accent: "var(--accent)",
};

const endedAt = (run: Run) => Date.parse(run.endedAt ?? run.leaseExpiresAt);
const millisOf = (run: Run) => endedAt(run) - Date.parse(run.startedAt);

/** The newest runs of an agent, with their outcomes and durations. */
export const RunSparkline = ({ runs }: { readonly runs: ReadonlyArray<Run> }) => {
  const newest = runs.slice(0, 20);
  const longest = newest.toSorted((a, b) => millisOf(b) - millisOf(a))[0];
  if (longest === undefined) return null;
  const counts = [...Map.groupBy(newest, (run) => endOf(run).text)]
    .map(([text, { length }]) => `${length} ${text.toLowerCase()}`)
    .join(", ");
  return (
    <Sparkline
      label={`Last runs: ${counts}. The longest took ${lengthOf(longest.startedAt, endedAt(longest))}.`}
      newestFirst={newest.map((run) => {
        const { tone } = endOf(run);
        return {
          id: run.id,
          value: millisOf(run),
          color: tone === undefined ? "var(--text-faint)" : colors[tone],
        };
      })}
    />
  );
};
