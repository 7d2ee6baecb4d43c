import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useProject, useProjects } from "../data/issues/projects.ts";
import { useData } from "../data/live/data.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Command.tsx";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { useToasts } from "../parts/toast.ts";
import { DeleteProject } from "./DeleteProject.tsx";
import { Settings } from "./Settings.tsx";
import { usePause } from "./usePause.ts";
import styles from "./Projects.module.css";

const route = getRouteApi("/projects/$projectId");

const statuses = [
  ["Open", "open"],
  ["InProgress", "in progress"],
  ["WaitingOnDependency", "waiting"],
  ["PendingReview", "in review"],
  ["Resolved", "resolved"],
  ["Closed", "closed"],
] as const;

/** The command that removes the project of `quartermaster demo`. */
const SampleNote = () => {
  const { base } = useData();
  return (
    <div className={styles["form"]}>
      <p>Sample data of the command demo is removed, with its three agents, by:</p>
      <Command line={`npx quartermaster demo --remove --url ${base.replace(/\/$/, "")}`} />
    </div>
  );
};

/** A project: its issues by status, its pause and its settings. */
export const ProjectPage = () => {
  const { projectId } = route.useParams();
  const [isDeleting, setDeleting] = useState(false);
  const { data: project, error, isPending } = useProject(projectId, isDeleting);
  const counts = useProjects().data?.find(({ id }) => id === projectId)?.counts;
  const pause = usePause();
  const toggle = () => project !== undefined && pause?.(project);
  const mayDelete = useMayEverywhere("Admin");
  const navigate = useNavigate();
  const { toast } = useToasts();

  useCommands(
    pause === null || project === undefined
      ? []
      : [
          {
            id: "pause",
            title: project.paused ? "Resume the project" : "Pause the project",
            section: "Project",
            icon: project.paused ? "play" : "pause",
            keys: "shift+p",
            run: () => pause(project),
          },
        ],
  );

  return (
    <>
      <ScreenHead
        title={project?.name ?? projectId}
        path={<Link to="/projects">Projects</Link>}
        actions={
          pause === null || project === undefined ? null : (
            <Button onClick={toggle}>
              <Icon name={project.paused ? "play" : "pause"} />
              {project.paused ? "Resume" : "Pause"}
            </Button>
          )
        }
      >
        {project?.paused === true ? <Badge text="Paused" tone="warning" /> : null}
      </ScreenHead>
      <div className={styles["page"]}>
        <ErrorNote error={error} />
        {isPending ? <Skeleton height={120} /> : null}
        {counts === undefined ? null : (
          <ul className={styles["counts"]} aria-label="Issues by status">
            {statuses.map(([status, words]) => (
              <li key={status}>
                <Link to="/work" search={{ project: [projectId], status: [status], view: "list" }}>
                  <b>{counts[status]}</b> {words}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {project === undefined ? null : <Settings key={project.id} project={project} />}
        {projectId === "demo" ? <SampleNote /> : null}
        {project === undefined || !mayDelete ? null : (
          <Button onClick={() => setDeleting(true)}>
            <Icon name="trash" />
            Delete the project
          </Button>
        )}
        {project !== undefined && isDeleting ? (
          <DeleteProject
            project={project}
            onClose={() => setDeleting(false)}
            onDeleted={() => {
              toast(`${project.name ?? project.id} deleted`);
              return navigate({ to: "/projects" });
            }}
          />
        ) : null}
      </div>
    </>
  );
};
