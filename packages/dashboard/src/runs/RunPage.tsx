import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
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

const Fact = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Facts = ({ run }: { readonly run: Run }) => {
  const now = useNow();
  const { client, host, name, pid } = run.worker;
  const worker = [name, client, host, pid === null ? null : `process ${pid}`]
    .filter((part) => part !== null)
    .join(", ");
  const end = run.endedAt === null ? Date.parse(run.leaseExpiresAt) : Date.parse(run.endedAt);
  const cost = run.usage === null ? null : costOf(run.usage);
  return (
    <dl className={styles["facts"]} aria-label="Facts">
      <Fact name="State">
        <State run={run} />
      </Fact>
      <Fact name="Agent">
        <Link to="/agents/$agentId" params={{ agentId: run.agentId }}>
          {run.agentId}
        </Link>
      </Fact>
      <Fact name="Attempt">{run.attempt}</Fact>
      <Fact name="Started">
        <RelativeTime iso={run.startedAt} prefix="Started" />
      </Fact>
      <Fact name="Duration">
        {lengthOf(run.startedAt, phaseOf(run, now) === "live" ? now : end)}
      </Fact>
      {worker === "" ? null : <Fact name="Worker">{worker}</Fact>}
      {run.exitCode === null ? null : <Fact name="Exit code">{run.exitCode}</Fact>}
      {run.usage === null ? null : (
        <>
          <Fact name="Tokens">{tokensOf(run.usage)}</Fact>
          {cost === null ? null : <Fact name="Cost">{cost}</Fact>}
          <Fact name="Models">{run.usage.models.join(", ")}</Fact>
        </>
      )}
    </dl>
  );
};

const State = ({ run }: { readonly run: Run }) => {
  const { text, tone, why } = stateAt(run, useNow());
  return (
    <Badge
      text={why === null ? text : `${text}: ${why}`}
      {...(tone === undefined ? {} : { tone })}
    />
  );
};

const Head = ({ run }: { readonly run: Run }) => {
  const { data: issue } = useNamedIssue(run.issueId);
  return (
    <ScreenHead
      title="Run"
      tabTitle={issue === undefined ? "Run" : `Run of ${issue.key}`}
      heading={issue === undefined ? undefined : <IssueLink issue={issue} />}
      tooltip={run.id}
      path={
        <Link to="/agents/$agentId" params={{ agentId: run.agentId }}>
          {run.agentId}
        </Link>
      }
      isOneLine
    />
  );
};

/** One run: its facts, its output as it comes, and what happened. */
export const RunPage = () => {
  const { runId } = route.useParams();
  const { data: run, error } = useRun(runId);
  const log = useRunLog(run);
  const canEdit = useMay("Editor");
  if (run === undefined) {
    return (
      <>
        <ScreenHead title="Run" tooltip={runId} />
        <div className={styles["note"]}>
          {error === null ? <Skeleton height={24} /> : <ErrorNote error={error} />}
        </div>
      </>
    );
  }
  return (
    <>
      <Head run={run} />
      <Facts run={run} />
      <div className={styles["columns"]}>
        <Log log={log} runId={runId} />
        <aside className={styles["aside"]} aria-label="Now and timeline">
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
          <Timeline run={run} />
        </aside>
      </div>
    </>
  );
};
