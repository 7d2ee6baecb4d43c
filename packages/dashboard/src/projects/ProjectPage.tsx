import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { statuses } from "../data/issues/issues.ts";
import { useProject, useProjects } from "../data/issues/projects.ts";
import { useData } from "../data/live/data.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Command.tsx";
import { useCommands } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenState } from "../parts/ScreenState.tsx";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import { useToasts } from "../parts/toast.ts";
import { DeleteProject } from "./DeleteProject.tsx";
import { Settings } from "./Settings.tsx";
import { usePause } from "./usePause.ts";
import styles from "./Projects.module.css";

const route = getRouteApi("/projects/$projectId");

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
      <ScreenState error={error} isPending={isPending} />
      {project === undefined ? null : (
        <div className={styles["page"]}>
          <Settings key={project.id} project={project} />
          <aside className={styles["aside"]} aria-label="Issues">
            {counts === undefined ? null : (
              <ul aria-label="Issues by status">
                {statuses.map((status) => (
                  <li key={status}>
                    <Link
                      to="/work"
                      search={{ project: [projectId], status: [status], view: "list" }}
                    >
                      <StatusIcon status={status} labelled />
                      <span>{statusName(status)}</span> <b>{counts[status]}</b>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            {projectId === "demo" ? <SampleNote /> : null}
            {mayDelete ? (
              <Button onClick={() => setDeleting(true)}>
                <Icon name="trash" />
                Delete the project
              </Button>
            ) : null}
          </aside>
        </div>
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
    </>
  );
};
