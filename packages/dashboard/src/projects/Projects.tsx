import { Suspense, useState } from "react";
import { type ProjectSummary, useProjects } from "../data/issues/projects.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenList } from "../parts/ScreenList.tsx";
import { itemInFocus, useSteps } from "../parts/steps.ts";
import { ProjectRow } from "./ProjectRow.tsx";
import { usePause } from "./usePause.ts";
import styles from "./Projects.module.css";

const CreateProject = lazily(() => import("../newProject/CreateProject.tsx"), "CreateProject");

const section = "Projects";
const links = "[data-item]";
const keyOf = ({ id }: ProjectSummary) => id;

/** The projects, with the number of their open issues. */
export const Projects = () => {
  const { data: projects = [], error, isPending } = useProjects();
  const pause = usePause();
  const mayCreate = useMayEverywhere("Editor");
  const [isCreating, setCreating] = useState(false);
  const create = () => setCreating(true);

  useSteps(links, "project");
  useCommands([
    ...(mayCreate
      ? [
          {
            id: "new project",
            title: "New project",
            section,
            icon: "plus" as const,
            keys: "n",
            run: create,
          },
        ]
      : []),
    ...(pause === null
      ? []
      : [
          {
            id: "pause",
            title: "Pause or resume the project",
            section,
            keys: "shift+p",
            hidden: true,
            run: () => {
              const project = projects.find(({ id }) => id === itemInFocus(links)?.dataset["item"]);
              if (project !== undefined) pause(project);
            },
          },
        ]),
  ]);

  const row = (project: ProjectSummary) => (
    <ProjectRow project={project} onPause={pause === null ? null : () => pause(project)} />
  );
  const button = mayCreate ? (
    <Button variant="primary" onClick={create}>
      <Icon name="plus" />
      New project
    </Button>
  ) : null;
  return (
    <>
      <ScreenHead title="Projects" count={projects.length || undefined} actions={button} />
      <ScreenList
        className={styles["list"]}
        label="Projects"
        heads={["Project", "State", "Issues", "Last change"]}
        items={projects}
        keyOf={keyOf}
        height={53}
        row={row}
        isPending={isPending}
        error={error}
        empty={
          <EmptyState
            icon="folder"
            title="No projects yet"
            text="A project has issues, a prefix for their keys, and settings such as a pause. The first issue in a project also creates it."
            command="quartermaster project create shop --name Shop"
            action={button}
          />
        }
      />
      <Suspense fallback={<Opening />}>
        {isCreating ? <CreateProject onClose={() => setCreating(false)} /> : null}
      </Suspense>
    </>
  );
};
