import { Link } from "@tanstack/react-router";
import { useRoots } from "../data/issues/roots.ts";
import { Badge } from "../parts/Badge.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { IssueLink } from "../parts/IssueLink.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { Bar } from "./Bar.tsx";
import { Panel } from "./Panel.tsx";
import { count } from "./words.ts";
import styles from "./Overview.module.css";

const shown = 8;

/** The roots that block most: issues that block others while no open issue blocks them. */
export const StuckWork = ({ project }: { readonly project: string | undefined }) => {
  const { data, error, isPending } = useRoots(project);
  const roots = (data ?? []).slice(0, shown);
  const max = roots[0]?.blocks ?? 0;
  return (
    <Panel title="Stuck work">
      <ErrorNote error={error} />
      {isPending ? (
        <>
          <Skeleton height={20} />
          <Skeleton height={20} width="70%" />
        </>
      ) : roots.length === 0 ? (
        error === null && <p className={styles["none"]}>No open issue is blocked.</p>
      ) : (
        <table className={styles["table"]}>
          <thead>
            <tr>
              <th scope="col">Root</th>
              <th scope="col">Agent</th>
              <th scope="col" colSpan={2}>
                Blocks
              </th>
            </tr>
          </thead>
          <tbody>
            {roots.map(({ blocks, issue }) => (
              <tr key={issue.id}>
                <th scope="row" className={styles["issue"]}>
                  <IssueLink issue={issue} />
                  {issue.paused ? <Badge text="Paused" tone="warning" /> : null}
                </th>
                <td className={styles["agent"]}>{issue.assignedAgentId ?? "None"}</td>
                <td className={styles["barCell"]}>
                  <Bar value={blocks} max={max} color="var(--status-waiting)" />
                </td>
                <td>
                  <Link
                    to="/graph"
                    search={{ issue: issue.id, open: true, view: "list" }}
                    aria-label={`${count(blocks)} blocked issues`}
                  >
                    {count(blocks)}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};
