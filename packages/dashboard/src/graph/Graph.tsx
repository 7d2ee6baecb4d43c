import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { modelOf } from "../data/dependencies.ts";
import { type GraphScope, useGraph } from "../data/graph.ts";
import { useProjects } from "../data/projects.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Tabs } from "../parts/Tabs.tsx";
import { GraphContent } from "./GraphContent.tsx";
import type { GraphSearch } from "./search.ts";
import styles from "./Graph.module.css";

const ProjectMenu = lazily(() => import("./ProjectMenu.tsx"), "ProjectMenu");

const section = "Graph";

const step = (by: 1 | -1) => {
  const links = [...document.querySelectorAll<HTMLElement>("a[data-row]")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const link = at === -1 ? links[0] : links[at + by];
  link?.focus();
  link?.scrollIntoView({ block: "nearest" });
};

/** The project that the graph is of when the address names none: the one where most issues wait. */
const useDefaultProject = () => {
  const { data, isSuccess } = useProjects();
  const [first] = (data ?? []).toSorted(
    (a, b) => b.counts.WaitingOnDependency - a.counts.WaitingOnDependency,
  );
  return { project: first?.id, hasNone: isSuccess && first === undefined };
};

/** What waits for what, in a project or around an issue. */
export const Graph = () => {
  const search = useSearch({ from: "/graph" });
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const { hasNone, project: first } = useDefaultProject();
  const project = search.project ?? first;
  const scope: GraphScope | undefined =
    search.issue !== undefined
      ? { issueId: search.issue }
      : project === undefined
        ? undefined
        : { projectId: project };
  const { data, error } = useGraph(scope);
  const model = useMemo(() => (data === undefined ? undefined : modelOf(data)), [data]);
  const view = search.view ?? (matchMedia("(max-width: 720px)").matches ? "list" : "picture");
  const set = (change: GraphSearch) =>
    void navigate({ to: "/graph", search: { ...search, ...change } });
  const show = (next: "list" | "picture") => set({ view: next });
  const start = data?.nodes.find(({ id }) => id === search.issue);

  useCommands([
    {
      id: "view",
      title: view === "list" ? "Show the picture" : "Show the list",
      section,
      icon: view === "list" ? "graph" : "list",
      keys: "v",
      run: () => show(view === "list" ? "picture" : "list"),
    },
    { id: "next", title: "Next issue", section, keys: "j", hidden: true, run: () => step(1) },
    { id: "previous", title: "Previous", section, keys: "k", hidden: true, run: () => step(-1) },
  ]);

  const content = (at: "list" | "picture") =>
    at === view ? (
      <GraphContent
        view={at}
        model={model}
        isTruncated={data?.truncated ?? false}
        error={error}
        hasNone={hasNone && search.issue === undefined}
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
          <div className={styles["head"]}>
            <h1>Graph</h1>
            {search.issue === undefined ? (
              <Button
                variant="quiet"
                aria-haspopup="menu"
                aria-label={`Project ${project ?? ""}`}
                onClick={(event) => setAnchor(event.currentTarget)}
              >
                <span className={styles["scope"]}>{project ?? "Project"}</span>
                <Icon name="chevron" size={14} />
              </Button>
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
            <span className={styles["views"]}>{list}</span>
          </div>
          {panels}
          <Suspense>
            {anchor === null ? null : (
              <ProjectMenu
                anchor={anchor}
                current={project}
                onClose={() => setAnchor(null)}
                onSelect={(next) => set({ project: next })}
              />
            )}
          </Suspense>
        </>
      )}
    />
  );
};
