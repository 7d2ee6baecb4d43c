import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useAgents } from "../data/agents.ts";
import { type ProjectSummary, useProjects } from "../data/issues/projects.ts";
import { useData } from "../data/live/data.ts";
import { Command } from "../parts/Command.tsx";
import { Icon } from "../parts/Icon.tsx";
import styles from "./FirstSteps.module.css";

/** The most issues of a service whose steps stay above the first items. */
const few = 3;

const sumOf = (counts: ProjectSummary["counts"]): number =>
  Object.values(counts).reduce((sum: number, number: number) => sum + number, 0);

/** The project of `quartermaster demo`. */
const demoId = "demo";

/** The steps that are done, and the numbers of issues and of sample issues; null until that is known. */
const useDone = () => {
  const projects = useProjects().data;
  const agents = useAgents({ watch: true }).data;
  if (projects === undefined || agents === undefined) return null;
  const demo = projects.find(({ id }) => id === demoId);
  const counts = projects.map(({ counts }) => counts);
  const issues = counts.reduce((sum, count) => sum + sumOf(count), 0);
  return {
    issues,
    samples: demo === undefined ? 0 : sumOf(demo.counts),
    issue: issues > 0,
    agent: agents.some(({ lastHeartbeatAt }) => lastHeartbeatAt !== null),
    answer: counts.some(({ Closed, Resolved }) => Closed + Resolved > 0),
  };
};

const Step = ({
  children,
  isDone,
  title,
}: {
  readonly children: ReactNode;
  readonly isDone: boolean;
  readonly title: string;
}) => (
  <li className={styles["step"]} data-done={isDone}>
    <Icon name={isDone ? "check" : "issue"} />
    <div>
      <h3 aria-label={isDone ? `${title}, done` : undefined}>{title}</h3>
      {isDone ? null : children}
    </div>
  </li>
);

/** The sample data of a service that has nothing else, and how it is removed. */
const SampleData = ({
  isAboveItems,
  samples,
  server,
}: {
  readonly isAboveItems: boolean;
  readonly samples: number;
  readonly server: string;
}) => {
  const id = useId();
  return (
    <section className={styles["steps"]} data-above={isAboveItems} aria-labelledby={id}>
      <h2 id={id}>Sample data</h2>
      <p>
        The project{" "}
        <Link to="/work" search={{ project: [demoId] }}>
          {demoId}
        </Link>{" "}
        has {samples} sample issues. Three scripted agents work on them until you stop the command.
        Their questions and reviews appear in this inbox. To remove all of it:
      </p>
      <Command line={`npx quartermaster demo --remove --url ${server}`} />
    </section>
  );
};

/**
 * The first steps with a new service. Each ticks itself; nothing once all are done. Above items, only
 * where the service has few issues.
 */
export const FirstSteps = ({ isAboveItems }: { readonly isAboveItems: boolean }) => {
  const { base } = useData();
  const done = useDone();
  const id = useId();
  if (done === null) return null;
  const server = base.replace(/\/$/, "");
  if (done.samples > 0 && done.samples === done.issues) {
    return <SampleData isAboveItems={isAboveItems} samples={done.samples} server={server} />;
  }
  if (done.issue && done.agent && done.answer) return null;
  if (isAboveItems && done.issues > few) return null;
  return (
    <section className={styles["steps"]} data-above={isAboveItems} aria-labelledby={id}>
      <h2 id={id}>First steps</h2>
      <ol>
        <Step title="Create an issue" isDone={done.issue}>
          <Command
            line={`npx quartermaster issue create --project shop --agent agent-1 --url ${server} "Say hello"`}
          />
        </Step>
        <Step title="Run an agent" isDone={done.agent}>
          <Command
            line={`npx quartermaster work --agent agent-1 --url ${server} -- sh -c "cat; echo Hello"`}
          />
        </Step>
        <Step title="Answer it" isDone={done.answer}>
          <p>The agent hands the issue in, and it appears here. Approve it, or request changes.</p>
        </Step>
      </ol>
      {done.issue ? null : (
        <>
          <h3>Fill with sample data</h3>
          <p>
            Three scripted agents work on 40 issues of a project {demoId} until you stop the
            command. This page shows the project as soon as it exists, and how to remove it.
          </p>
          <Command line={`npx quartermaster demo --url ${server}`} />
        </>
      )}
      <p>
        The commands need a key: run <code>npx quartermaster login {server}</code> before.
      </p>
    </section>
  );
};
