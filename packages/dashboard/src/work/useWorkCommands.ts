import { type BriefIssue, useIssueRows } from "../data/issues/issues.ts";
import { useCommands } from "../parts/commands.ts";
import { itemInFocus, useSteps } from "../parts/steps.ts";
import { columns, cross, issues } from "./focus.ts";
import type { WorkActions } from "./useWork.tsx";

const section = "Work";

/** Returns a function that finds the focused issue and its element. */
export const useIssueInFocus = () => {
  const { find } = useIssueRows();
  return (): { readonly issue: BriefIssue; readonly element: HTMLElement } | null => {
    const element = itemInFocus(issues);
    const issue = element === null ? undefined : find(element.dataset["issue"] ?? "");
    return element === null || issue === undefined ? null : { issue, element };
  };
};

/** Registers the keyboard shortcuts of the board and the list. */
export const useWorkCommands = (
  actions: WorkActions,
  can: {
    readonly ask: (name: "assign" | "label") => void;
    readonly create: () => void;
    readonly find: () => void;
    readonly setView: (view: "board" | "list") => void;
    readonly unselect: () => void;
  },
): void => {
  const issueInFocus = useIssueInFocus();
  const onFocused = (act: (issue: BriefIssue, element: HTMLElement) => void) => {
    const at = issueInFocus();
    if (at !== null) act(at.issue, at.element);
  };
  useSteps(issues, "issue", { within: columns });
  useCommands([
    ...(actions.canEdit
      ? [
          {
            id: "create",
            title: "New issue",
            section,
            icon: "plus" as const,
            keys: "c",
            run: () => can.create(),
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
            keys: name === "assign" ? "i" : "l",
            hidden: true,
            run: () => can.ask(name),
          })),
          {
            id: "select",
            title: "Select the issue",
            section,
            keys: "x",
            hidden: true,
            run: () => onFocused((issue) => actions.select(issue)),
          },
          {
            id: "unselect",
            title: "Clear the selection",
            section,
            keys: "escape",
            hidden: true,
            run: () => can.unselect(),
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
      run: () => can.find(),
    },
    {
      id: "board",
      title: "Show the board",
      section,
      icon: "board",
      keys: "v b",
      run: () => can.setView("board"),
    },
    {
      id: "list",
      title: "Show the list",
      section,
      icon: "list",
      keys: "v l",
      run: () => can.setView("list"),
    },
    {
      id: "right",
      title: "Next column",
      section,
      keys: "arrowright",
      hidden: true,
      run: () => cross(1),
    },
    {
      id: "left",
      title: "Previous column",
      section,
      keys: "arrowleft",
      hidden: true,
      run: () => cross(-1),
    },
  ]);
};
