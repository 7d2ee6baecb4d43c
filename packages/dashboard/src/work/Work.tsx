import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useIssueRows } from "../data/issues/issues.ts";
import { useProjects } from "../data/issues/projects.ts";
import { useMay } from "../data/live/session.ts";
import { useScope, useWithin } from "../data/scope.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { useNow } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Tabs } from "../parts/Tabs.tsx";
import { Board } from "./Board.tsx";
import { BulkBar } from "./BulkBar.tsx";
import { Filters } from "./Filters.tsx";
import { IssueList } from "./IssueList.tsx";
import { NoIssues } from "./NoIssues.tsx";
import { remember } from "./remembered.ts";
import { filterOf } from "./search.ts";
import { WorkContext } from "./useWork.tsx";
import { useWorkActions } from "./useWorkActions.ts";
import { useWorkCommands } from "./useWorkCommands.ts";
import { type Layer, WorkLayers } from "./WorkLayers.tsx";
import styles from "./Work.module.css";

const route = getRouteApi("/work");

/** The issues as a board or a list. The URL stores the filters. */
export const Work = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useMay("Editor");
  const { show } = useIssueRows();
  const [layer, setLayer] = useState<Layer | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const hour = Math.floor(useNow() / 3_600_000) * 3_600_000;
  const scope = useScope();
  const project = useWithin(search.project);
  const filter = useMemo(() => filterOf({ ...search, project }, hour), [search, project, hour]);
  const summaries = useProjects().data;
  const projects = (summaries ?? []).map(({ id }) => id);
  const isEmpty = summaries?.every(({ counts }) => Object.values(counts).every((n) => n === 0));

  useEffect(() => {
    // The project of every screen takes precedence when the user comes back.
    remember(scope === null ? search : { ...search, project: undefined });
    show(filter, search.view !== "list");
  }, [filter, scope, search, show]);

  const { actions, ask, chosen, unselect } = useWorkActions(canEdit, setLayer);
  const setView = (view: "board" | "list") =>
    void navigate({ search: { ...search, view: view === "list" ? view : undefined } });

  useWorkCommands(actions, {
    ask,
    create: () => setLayer({ type: "create" }),
    find: () => input.current?.focus(),
    setView,
    unselect,
  });

  const onCreate = canEdit ? () => setLayer({ type: "create" }) : null;
  const empty = <NoIssues onCreate={onCreate} />;

  return (
    <WorkContext value={actions}>
      <div className={styles["screen"]}>
        <Tabs
          label="View"
          value={search.view ?? "board"}
          onChange={setView}
          tabs={[
            {
              value: "board",
              label: "Board",
              icon: "board",
              content: isEmpty === true ? empty : <Board filter={filter} onCreate={onCreate} />,
            },
            {
              value: "list",
              label: "List",
              icon: "list",
              content:
                isEmpty === true ? (
                  empty
                ) : (
                  <IssueList filter={filter} group={search.group} columns={search.columns} />
                ),
            },
          ]}
          render={(list, content) => (
            <>
              <ScreenHead
                title="Work"
                actions={
                  <>
                    {list}
                    {onCreate === null ? null : (
                      <Button variant="primary" onClick={onCreate}>
                        <Icon name="plus" />
                        New issue
                      </Button>
                    )}
                  </>
                }
              >
                <Filters search={search} input={input} />
              </ScreenHead>
              {content}
            </>
          )}
        />
        {chosen.length === 0 ? null : (
          <BulkBar
            count={chosen.length}
            onChange={(anchor) => {
              const [first] = chosen;
              if (first !== undefined) actions.openMenu(first, anchor);
            }}
            onDialog={(name) => setLayer({ type: "dialog", name, issues: chosen })}
            onClear={unselect}
          />
        )}
        <WorkLayers
          layer={layer}
          project={project?.[0] ?? projects[0] ?? "demo"}
          projects={projects}
          onDialog={(name, issues) => setLayer({ type: "dialog", name, issues })}
          // Keeps a dialog that a menu item opened just before the menu closes.
          onClose={(closed) => setLayer((now) => (now === closed ? null : now))}
          onDone={() => {
            setLayer(null);
            unselect();
          }}
        />
      </div>
    </WorkContext>
  );
};
