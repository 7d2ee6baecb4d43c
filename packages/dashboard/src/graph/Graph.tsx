import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { modelOf, openOf } from "../data/issues/dependencies.ts";
import { type GraphScope, useGraph } from "../data/issues/graph.ts";
import { projectText, useProjects } from "../data/issues/projects.ts";
import { useScope } from "../data/scope.ts";
import { newProjectText, useNewProject } from "../newProject/newProject.ts";
import { Button } from "../parts/Button.tsx";
import { Chooser } from "../parts/Chooser.tsx";
import { useCommands } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { useSteps } from "../parts/steps.ts";
import { Tabs } from "../parts/Tabs.tsx";
import { GraphContent } from "./GraphContent.tsx";
import type { GraphSearch } from "./search.ts";
import styles from "./Graph.module.css";

const route = getRouteApi("/graph");
const section = "Graph";

/**
 * The projects, and the id of the one to show if the URL names none: the one with the most blocked
 * issues.
 */
const useChoice = () => {
  const { data: projects = [], isSuccess } = useProjects();
  const [first] = projects.toSorted(
    (a, b) => b.counts.WaitingOnDependency - a.counts.WaitingOnDependency,
  );
  return { first: first?.id, projects, hasNone: isSuccess && first === undefined };
};

/** The graph of a project, or around an issue. */
export const Graph = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { first, hasNone, projects } = useChoice();
  const chosen = useScope();
  const project = search.project ?? chosen ?? first;
  const scope: GraphScope | undefined =
    search.issue !== undefined
      ? { issueId: search.issue }
      : project === undefined
        ? undefined
        : { projectId: project };
  const { data, error } = useGraph(scope);
  const model = useMemo(
    () => (data === undefined ? undefined : modelOf(search.open === true ? openOf(data) : data)),
    [data, search.open],
  );
  const view = search.view ?? (matchMedia("(max-width: 720px)").matches ? "list" : "picture");
  const set = (change: GraphSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const newProject = useNewProject();
  const choose = (next: string | undefined) => set({ project: next });
  const show = (next: "list" | "picture") => set({ view: next });
  const shown = projects.find(({ id }) => id === project);
  const start = data?.nodes.find(({ id }) => id === search.issue);

  useSteps("a[data-row]", "issue");
  useCommands([
    {
      id: "view",
      title: view === "list" ? "Show as a diagram" : "Show as a list",
      section,
      icon: view === "list" ? "graph" : "list",
      keys: "v",
      run: () => show(view === "list" ? "picture" : "list"),
    },
  ]);

  const content = (at: "list" | "picture") =>
    at === view ? (
      <GraphContent
        view={at}
        model={model}
        isTruncated={data?.truncated ?? false}
        error={error}
        hasNone={hasNone && search.issue === undefined}
        isOpenOnly={search.open === true}
        onOpenOnly={(only) => set({ open: only ? true : undefined })}
      />
    ) : null;

  return (
    <Tabs
      label="View"
      value={view}
      onChange={show}
      tabs={[
        { value: "picture", label: "Graph", icon: "graph", content: content("picture") },
        { value: "list", label: "List", icon: "list", content: content("list") },
      ]}
      render={(list, panels) => (
        <>
          <ScreenHead title="Graph" isOneLine actions={list}>
            {search.issue === undefined ? (
              <Chooser
                label="Project"
                choices={projects.map(projectText)}
                value={shown === undefined ? project : projectText(shown)}
                onSelect={(text) => choose(projects.find((one) => projectText(one) === text)?.id)}
                action={
                  newProject === null
                    ? undefined
                    : { text: newProjectText, onSelect: () => newProject(choose) }
                }
              />
            ) : (
              <Button
                variant="quiet"
                onClick={() => set({ issue: undefined, project: start?.projectId })}
              >
                <span className={styles["scope"]} dir="auto">
                  Around {start?.title ?? "an issue"}
                </span>
                <Icon name="close" size={14} />
              </Button>
            )}
          </ScreenHead>
          {panels}
        </>
      )}
    />
  );
};
