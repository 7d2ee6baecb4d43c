import { getRouteApi, Link } from "@tanstack/react-router";
import { useNamedIssue } from "../data/issues/issues.ts";
import { useMay } from "../data/live/session.ts";
import { useRunLog } from "../data/runLog.ts";
import { type Run, useRun } from "../data/runs.ts";
import { lengthOf, phaseOf, stateAt } from "../data/runWords.ts";
import { Effects } from "../effects/Effects.tsx";
import { Badge } from "../parts/Badge.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { IssueLink } from "../parts/IssueLink.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { costOf, tokensOf } from "../parts/usageWords.ts";
import { Log } from "./Log.tsx";
import { Timeline } from "./Timeline.tsx";
import styles from "./RunPage.module.css";

const route = getRouteApi("/runs/$runId");

const Facts = ({ run }: { readonly run: Run }) => {
  const now = useNow();
  const { data: issue } = useNamedIssue(run.issueId);
  const { client, host, name, pid } = run.worker;
  const worker = [name, client, host, pid === null ? null : `process ${pid}`]
    .filter((part) => part !== null)
    .join(", ");
  const end = run.endedAt === null ? Date.parse(run.leaseExpiresAt) : Date.parse(run.endedAt);
  return (
    <dl className={styles["facts"]}>
      <dt>Issue</dt>
      <dd>{issue === undefined ? run.issueId : <IssueLink issue={issue} />}</dd>
      <dt>Agent</dt>
      <dd>
        <Link to="/agents/$agentId" params={{ agentId: run.agentId }}>
          {run.agentId}
        </Link>
      </dd>
      <dt>Started</dt>
      <dd>
        <RelativeTime iso={run.startedAt} prefix="Started" />
      </dd>
      <dt>Attempt</dt>
      <dd>{run.attempt}</dd>
      <dt>Duration</dt>
      <dd>{lengthOf(run.startedAt, phaseOf(run, now) === "live" ? now : end)}</dd>
      {worker === "" ? null : (
        <>
          <dt>Worker</dt>
          <dd>{worker}</dd>
        </>
      )}
      {run.exitCode === null ? null : (
        <>
          <dt>Exit code</dt>
          <dd>{run.exitCode}</dd>
        </>
      )}
      {run.usage === null ? null : (
        <>
          <dt>Tokens</dt>
          <dd>{tokensOf(run.usage)}</dd>
          {costOf(run.usage) === null ? null : (
            <>
              <dt>Cost</dt>
              <dd>{costOf(run.usage)}</dd>
            </>
          )}
          <dt>Models</dt>
          <dd>{run.usage.models.join(", ")}</dd>
        </>
      )}
    </dl>
  );
};

const State = ({ run }: { readonly run: Run }) => {
  const { text, tone } = stateAt(run, useNow());
  return <Badge text={text} {...(tone === undefined ? {} : { tone })} />;
};

/** One run: its facts, its output as it comes, and what happened. */
export const RunPage = () => {
  const { runId } = route.useParams();
  const { data: run, error } = useRun(runId);
  const log = useRunLog(run);
  const canEdit = useMay("Editor");
  return (
    <>
      <ScreenHead
        title="Run"
        tooltip={runId}
        path={
          run === undefined ? undefined : (
            <Link to="/agents/$agentId" params={{ agentId: run.agentId }}>
              {run.agentId}
            </Link>
          )
        }
        isOneLine
      >
        {run === undefined ? null : <State run={run} />}
      </ScreenHead>
      {run === undefined ? (
        <div className={styles["note"]}>
          {error === null ? <Skeleton height={24} /> : <ErrorNote error={error} />}
        </div>
      ) : (
        <div className={styles["columns"]}>
          <Log log={log} runId={runId} />
          <aside className={styles["aside"]} aria-label="Facts and timeline">
            {run.note === null ? null : (
              <p className={styles["now"]} dir="auto">
                {run.note}
              </p>
            )}
            <Effects
              issueId={run.issueId}
              runId={runId}
              canEdit={canEdit}
              watch={run.status !== "ended"}
            />
            <Facts run={run} />
            <Timeline run={run} />
          </aside>
        </div>
      )}
    </>
  );
};
