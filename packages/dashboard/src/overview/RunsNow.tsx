import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useNamedIssue } from "../data/issues/issues.ts";
import { type Run, useRun, useRunsNow } from "../data/runs.ts";
import { lengthOf, stateAt } from "../data/runWords.ts";
import { Doing } from "../now/Doing.tsx";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { IssueLink } from "../parts/IssueLink.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import { Panel } from "./Panel.tsx";
import panel from "./Overview.module.css";
import styles from "./RunsNow.module.css";

const RunNow = ({ run: read }: { readonly run: Run }) => {
  const { data: run = read } = useRun(read.id, read);
  const { data: issue } = useNamedIssue(run.issueId);
  const now = useNow();
  const { text, tone, why } = stateAt(run, now);
  return (
    <li className={styles["run"]}>
      <Link
        className={styles["agent"] ?? ""}
        to="/agents/$agentId"
        params={{ agentId: run.agentId }}
      >
        {run.agentId}
      </Link>
      <div className={styles["words"]}>
        {issue === undefined ? null : <IssueLink issue={issue} />}
        <Doing run={run} />
      </div>
      {text === "Running" ? null : (
        <Badge
          text={why === null ? text : `${text}: ${why}`}
          {...(tone === undefined ? {} : { tone })}
        />
      )}
      <Link
        className={styles["length"] ?? ""}
        to="/runs/$runId"
        params={{ runId: run.id }}
        title="Open the run"
      >
        {lengthOf(run.startedAt, now)}
      </Link>
    </li>
  );
};

/** The number of runs shown before the user expands the list, so that the numbers below stay in view. */
const first = 5;

/** The live runs with what they do now. */
export const RunsNow = ({ project }: { readonly project: string | undefined }) => {
  const { data: runs, error } = useRunsNow(project);
  const [isWhole, setWhole] = useState(false);
  const count = runs?.length ?? 0;
  return (
    <Panel
      title="Now"
      wide
      side={
        count === 0 ? null : (
          <span className={panel["side"]}>
            {count} {count === 1 ? "run" : "runs"}
          </span>
        )
      }
    >
      <ErrorNote error={error} />
      {runs === undefined || runs.length > 0 ? (
        <ul className={styles["runs"]}>
          {runs?.slice(0, isWhole ? undefined : first).map((run) => (
            <RunNow key={run.id} run={run} />
          ))}
        </ul>
      ) : (
        <p className={styles["none"]}>No agent works on an issue.</p>
      )}
      {isWhole || count <= first ? null : (
        <Button className={styles["more"]} small variant="quiet" onClick={() => setWhole(true)}>
          Show {count - first} more
        </Button>
      )}
    </Panel>
  );
};
