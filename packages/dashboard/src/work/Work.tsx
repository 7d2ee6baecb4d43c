import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  type BriefIssue,
  type Status,
  useChangeIssue,
  useIssueRows,
} from "../data/issues/issues.ts";
import { useProjects } from "../data/issues/projects.ts";
import { useMay } from "../data/live/session.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Tabs } from "../parts/Tabs.tsx";
import { Board } from "./Board.tsx";
import { BulkBar } from "./BulkBar.tsx";
import { Filters } from "./Filters.tsx";
import type { DialogName } from "./IssueDialog.tsx";
import { IssueList } from "./IssueList.tsx";
import { NoIssues } from "./NoIssues.tsx";
import { remember } from "./remembered.ts";
import { filterOf } from "./search.ts";
import { type WorkActions, WorkContext } from "./useWork.tsx";
import { useIssueInFocus, useWorkCommands } from "./useWorkCommands.ts";
import { type Layer, WorkLayers } from "./WorkLayers.tsx";
import styles from "./Work.module.css";

const route = getRouteApi("/work");

/** Issues as a board or a list. The URL has the filters. */
export const Work = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useMay("Editor");
  const { mutate: change } = useChangeIssue();
  const { find, show } = useIssueRows();
  const issueInFocus = useIssueInFocus();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [layer, setLayer] = useState<Layer | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const filter = useMemo(() => filterOf(search), [search]);
  const summaries = useProjects().data;
  const projects = (summaries ?? []).map(({ id }) => id);
  const isEmpty = summaries?.every(({ counts }) => Object.values(counts).every((n) => n === 0));

  useEffect(() => {
    remember(search);
    show(filter, search.view !== "list");
  }, [filter, search, show]);

  const select = useCallback((issue: BriefIssue, on?: boolean) => {
    setSelected((before) => {
      const next = new Set(before);
      if (on ?? !before.has(issue.id)) next.add(issue.id);
      else next.delete(issue.id);
      return next;
    });
  }, []);
  const move = useCallback(
    (issues: ReadonlyArray<BriefIssue>, status: Status) => {
      for (const issue of issues) {
        if (issue.status !== status) change({ issue, change: { status } });
      }
      setSelected(new Set());
    },
    [change],
  );
  const issuesOf = useCallback(
    (ids: ReadonlySet<string>) => [...ids].flatMap((id) => find(id) ?? []),
    [find],
  );
  const actions = useMemo(
    (): WorkActions => ({
      selected,
      canEdit,
      select,
      move,
      open: ({ id }) =>
        void navigate({ to: "/issues/$issueId", params: { issueId: id }, search: {} }),
      openMenu: (issue, anchor) =>
        setLayer({
          type: "menu",
          issues: selected.has(issue.id) ? issuesOf(selected) : [issue],
          anchor,
        }),
    }),
    [selected, canEdit, select, move, navigate, issuesOf],
  );

  const chosen = issuesOf(selected);
  const ask = (name: DialogName) => {
    const at = chosen.length > 0 ? null : issueInFocus();
    const issues = at === null ? chosen : [at.issue];
    if (issues.length > 0) setLayer({ type: "dialog", name, issues });
  };
  const setView = (view: "board" | "list") =>
    void navigate({ search: { ...search, view: view === "list" ? view : undefined } });

  useWorkCommands(actions, {
    ask,
    create: () => setLayer({ type: "create" }),
    find: () => input.current?.focus(),
    setView,
    unselect: () => setSelected(new Set()),
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
              content: isEmpty === true ? empty : <IssueList filter={filter} />,
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
                <Filters search={search} projects={projects} input={input} />
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
            onClear={() => setSelected(new Set())}
          />
        )}
        <WorkLayers
          layer={layer}
          project={search.project?.[0] ?? projects[0] ?? "demo"}
          projects={projects}
          onDialog={(name, issues) => setLayer({ type: "dialog", name, issues })}
          // An item of the menu may have opened a dialog.
          onClose={(closed) => setLayer((now) => (now === closed ? null : now))}
          onDone={() => {
            setLayer(null);
            setSelected(new Set());
          }}
        />
      </div>
    </WorkContext>
  );
};
