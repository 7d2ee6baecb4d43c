import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type BriefIssue, findIssue, type Status, useChangeIssue } from "../data/issues.ts";
import { useProjects } from "../data/projects.ts";
import { useMay } from "../data/session.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Tabs } from "../parts/Tabs.tsx";
import { Board } from "./Board.tsx";
import { BulkBar } from "./BulkBar.tsx";
import { Filters } from "./Filters.tsx";
import { cross, focused, step } from "./focus.ts";
import type { DialogName } from "./IssueDialog.tsx";
import { IssueList } from "./IssueList.tsx";
import { remember } from "./remembered.ts";
import { filterOf } from "./search.ts";
import { type WorkActions, WorkContext } from "./useWork.tsx";
import styles from "./Work.module.css";

const CreateIssue = lazily(() => import("./CreateIssue.tsx"), "CreateIssue");
const IssueDialog = lazily(() => import("./IssueDialog.tsx"), "IssueDialog");
const IssueMenu = lazily(() => import("./IssueMenu.tsx"), "IssueMenu");
const route = getRouteApi("/work");

/** Issues as a board or a list. The URL has the filters. */
export const Work = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useMay("Editor");
  const { mutate: change } = useChangeIssue();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<{ readonly id: string; readonly anchor: Element } | null>(null);
  const [dialog, setDialog] = useState<{
    readonly name: DialogName;
    readonly issues: ReadonlyArray<BriefIssue>;
  } | null>(null);
  const [isCreating, setCreating] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const filter = useMemo(() => filterOf(search), [search]);
  const summaries = useProjects().data;
  const projects = (summaries ?? []).map(({ id }) => id);
  const isEmpty = summaries?.every(({ counts }) => Object.values(counts).every((n) => n === 0));

  useEffect(() => remember(search), [search]);

  // Their keys work immediately.
  useEffect(() => {
    const idle = setTimeout(() => {
      void import("./CreateIssue.tsx");
      void import("./IssueDialog.tsx");
      void import("./IssueMenu.tsx");
    }, 500);
    return () => clearTimeout(idle);
  }, []);

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
  const actions = useMemo(
    (): WorkActions => ({
      selected,
      canEdit,
      select,
      move,
      open: ({ id }) =>
        void navigate({ to: "/issues/$issueId", params: { issueId: id }, search: {} }),
      openMenu: ({ id }, anchor) => setMenu({ id, anchor }),
    }),
    [selected, canEdit, select, move, navigate],
  );

  const chosen = [...selected].flatMap((id) => findIssue(id) ?? []);
  const target = menu === null ? undefined : findIssue(menu.id);
  const targets =
    target === undefined ? [] : selected.has(target.id) && chosen.length > 1 ? chosen : [target];
  const onFocused = (act: (issue: BriefIssue, element: HTMLElement) => void) => {
    const element = focused();
    const issue = element === null ? undefined : findIssue(element.dataset["issue"] ?? "");
    if (element !== null && issue !== undefined) act(issue, element);
  };
  const ask = (name: DialogName) => {
    if (chosen.length > 0) setDialog({ name, issues: chosen });
    else onFocused((issue) => setDialog({ name, issues: [issue] }));
  };
  const setView = (view: "board" | "list") =>
    void navigate({ search: { ...search, view: view === "list" ? view : undefined } });

  const section = "Work";
  useCommands([
    ...(canEdit
      ? [
          {
            id: "create",
            title: "New issue",
            section,
            icon: "plus" as const,
            keys: "c",
            run: () => setCreating(true),
          },
          {
            id: "move",
            title: "Change the issue: move, priority, pause",
            section,
            keys: "m",
            hidden: true,
            run: () =>
              onFocused((issue, element) =>
                actions.openMenu(issue, element.querySelector("[data-more]") ?? element),
              ),
          },
          ...(["assign", "label"] as const).map((name) => ({
            id: name,
            title: name === "assign" ? "Assign the issue" : "Label the issue",
            section,
            keys: name === "assign" ? "a" : "t",
            hidden: true,
            run: () => ask(name),
          })),
          {
            id: "select",
            title: "Select the issue",
            section,
            keys: "x",
            hidden: true,
            run: () => onFocused((issue) => select(issue)),
          },
          {
            id: "unselect",
            title: "Clear the selection",
            section,
            keys: "escape",
            hidden: true,
            run: () => setSelected(new Set()),
          },
        ]
      : []),
    {
      id: "open",
      title: "Open the issue",
      section,
      keys: "enter",
      hidden: true,
      run: () => onFocused(actions.open),
    },
    {
      id: "find",
      title: "Find in issues",
      section,
      icon: "search",
      keys: "/",
      run: () => input.current?.focus(),
    },
    {
      id: "board",
      title: "Show the board",
      section,
      icon: "board",
      keys: "v b",
      run: () => setView("board"),
    },
    {
      id: "list",
      title: "Show the list",
      section,
      icon: "list",
      keys: "v l",
      run: () => setView("list"),
    },
    { id: "next", title: "Next issue", section, keys: "j", hidden: true, run: () => step(1) },
    {
      id: "previous",
      title: "Previous issue",
      section,
      keys: "k",
      hidden: true,
      run: () => step(-1),
    },
    { id: "right", title: "Next column", section, keys: "l", hidden: true, run: () => cross(1) },
    {
      id: "left",
      title: "Previous column",
      section,
      keys: "h",
      hidden: true,
      run: () => cross(-1),
    },
  ]);

  const onCreate = canEdit ? () => setCreating(true) : null;
  const empty = (
    <EmptyState
      icon="issue"
      title="No issues yet"
      text="An issue is a task for an agent. Create one here, or from the command line."
      command={'quartermaster issue create --project demo "Say hello"'}
      action={
        onCreate === null ? null : (
          <Button variant="primary" onClick={onCreate}>
            New issue
          </Button>
        )
      }
    />
  );

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
              <div className={styles["head"]}>
                <h1>Work</h1>
                <Filters search={search} projects={projects} input={input} />
                {list}
                {onCreate === null ? null : (
                  <Button variant="primary" onClick={onCreate}>
                    <Icon name="plus" />
                    New issue
                  </Button>
                )}
              </div>
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
            onDialog={(name) => setDialog({ name, issues: chosen })}
            onClear={() => setSelected(new Set())}
          />
        )}
        <Suspense>
          {menu === null ? null : (
            <IssueMenu
              anchor={menu.anchor}
              issues={targets}
              onClose={() => setMenu(null)}
              onDialog={(name) => setDialog({ name, issues: targets })}
            />
          )}
          {dialog === null ? null : (
            <IssueDialog
              {...dialog}
              onClose={() => setDialog(null)}
              onDone={() => {
                setDialog(null);
                setSelected(new Set());
              }}
            />
          )}
          {isCreating ? (
            <CreateIssue
              project={search.project?.[0] ?? projects[0] ?? "demo"}
              projects={projects}
              onClose={() => setCreating(false)}
            />
          ) : null}
        </Suspense>
      </div>
    </WorkContext>
  );
};
