import type { StatsWindow } from "../data/stats.ts";
import { useModelUsage } from "../data/usage.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { costOf, tokens } from "../parts/usageWords.ts";
import { Panel } from "./Panel.tsx";
import styles from "./Overview.module.css";

/** The tokens and the cost of agents in the window, by model. */
export const ModelUsage = ({
  project,
  wide,
  window,
}: {
  readonly project: string | undefined;
  readonly window: StatsWindow;
  readonly wide: boolean;
}) => {
  const { data, error } = useModelUsage(window, project);
  return (
    <Panel title="Usage by model" wide={wide}>
      <ErrorNote error={error} />
      {data === undefined || data.length === 0 ? (
        <p className={styles["none"]}>No run has reported tokens.</p>
      ) : (
        <table className={styles["table"]}>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Runs</th>
              <th scope="col">Tokens in</th>
              <th scope="col">Tokens out</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {data
              .toSorted((a, b) => b.inputTokens - a.inputTokens)
              .map((usage) => (
                <tr key={usage.key}>
                  <th scope="row">{usage.key}</th>
                  <td>{usage.runs}</td>
                  <td>{tokens(usage.inputTokens)}</td>
                  <td>{tokens(usage.outputTokens)}</td>
                  <td>{costOf(usage) ?? "–"}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};
