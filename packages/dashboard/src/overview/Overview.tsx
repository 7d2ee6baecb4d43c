import { getRouteApi, Link } from "@tanstack/react-router";
import { useRef } from "react";
import { useProjects } from "../data/issues/projects.ts";
import { useScope } from "../data/scope.ts";
import { useStats, windows } from "../data/stats.ts";
import { newProjectText, useNewProject } from "../newProject/newProject.ts";
import { Chooser } from "../parts/Chooser.tsx";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { ByAgent } from "./ByAgent.tsx";
import { Feed } from "./Feed.tsx";
import { ModelUsage } from "./ModelUsage.tsx";
import { RunOutcomes } from "./RunOutcomes.tsx";
import { RunsNow } from "./RunsNow.tsx";
import { ServerCalls } from "./ServerCalls.tsx";
import { StuckWork } from "./StuckWork.tsx";
import { Throughput } from "./Throughput.tsx";
import { TimeInStatus } from "./TimeInStatus.tsx";
import { windowNames } from "./words.ts";
import styles from "./Overview.module.css";

const route = getRouteApi("/overview");

/** The statistics and the stuck work. Numbers link to the lists that they count. */
export const Overview = () => {
  const { project: named, window = "24h" } = route.useSearch();
  const scope = useScope();
  const project = named ?? scope ?? undefined;
  const navigate = route.useNavigate();
  const { data: stats, error, isPlaceholderData } = useStats(window, project);
  const projects = useProjects().data ?? [];
  const filter = project === undefined ? undefined : [project];
  const chooser = useRef<HTMLButtonElement>(null);
  const show = (next: (typeof windows)[number]) => (next === "24h" ? undefined : next);

  const newProject = useNewProject();
  const choose = (id: string | undefined) =>
    void navigate({ search: { project: id, window: show(window) } });

  useCommands([
    ...windows.map((one, index) => ({
      id: one,
      title: `Show the last ${windowNames[one]}`,
      section: "Overview",
      keys: String(index + 1),
      run: () => void navigate({ search: { project: named, window: show(one) } }),
    })),
    ...(projects.length === 0 || scope !== null
      ? []
      : [
          {
            id: "project",
            title: "Choose a project",
            section: "Overview",
            keys: "f",
            run: () => chooser.current?.click(),
          },
          {
            id: "all projects",
            title: "Show all projects",
            section: "Overview",
            keys: "0",
            run: () => void navigate({ search: { window: show(window) } }),
          },
        ]),
  ]);

  return (
    <>
      <ScreenHead
        title="Overview"
        actions={
          stats === undefined ? null : (
            <span className={styles["asOf"]}>
              Counted until <RelativeTime iso={stats.asOf} prefix="Counted until" />
            </span>
          )
        }
      >
        {projects.length === 0 || scope !== null ? null : (
          <Chooser
            button={chooser}
            label="Project"
            all="All projects"
            choices={projects.map(({ id }) => id)}
            value={project}
            onSelect={choose}
            action={
              newProject === null
                ? undefined
                : { text: newProjectText, onSelect: () => newProject(choose) }
            }
          />
        )}
        <nav className={styles["windows"]} aria-label="Time">
          {windows.map((one) => (
            <Link
              key={one}
              to="/overview"
              search={{ project: named, window: show(one) }}
              className={styles["window"] ?? ""}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {windowNames[one]}
            </Link>
          ))}
        </nav>
      </ScreenHead>
      <div className={styles["scroller"]} aria-busy={isPlaceholderData}>
        <ErrorNote error={error} />
        {stats === undefined ? (
          error === null ? (
            <>
              <Skeleton height={220} />
              <Skeleton height={120} />
            </>
          ) : null
        ) : (
          <div className={styles["grid"]}>
            <RunsNow project={project} />
            <Throughput stats={stats} project={filter} />
            <StuckWork project={project} />
            <TimeInStatus stats={stats} project={filter} />
            <RunOutcomes stats={stats} project={project} />
            {stats.servers === null ? null : <ServerCalls servers={stats.servers} />}
            <ModelUsage window={window} project={project} wide={stats.servers !== null} />
            <ByAgent stats={stats} project={project} />
            <Feed project={project} />
          </div>
        )}
      </div>
    </>
  );
};
