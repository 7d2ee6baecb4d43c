import { useRouter } from "@tanstack/react-router";
import type { Issue } from "../data/issues/issue.ts";
import { useCommands } from "../parts/commands.ts";
import type { Action } from "./common/actions.ts";
import type { Picked } from "./layers/Pickers.tsx";

const section = "Issue";

/** The neighbors of the issue in the list that the user came from. */
export interface Siblings {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** Registers the keyboard shortcuts of the page. `can` is null for a read-only user. */
export const useIssueCommands = (
  { id, projectId }: Issue,
  siblings: Siblings,
  actions: ReadonlyArray<Action>,
  can: {
    readonly comment: () => void;
    readonly edit: () => void;
    readonly menu: () => void;
    readonly pick: (picked: Picked) => void;
  } | null,
): void => {
  const router = useRouter();
  const pick = (picked: Picked, title: string, keys: string) => ({
    id: `pick ${picked}`,
    title,
    section,
    keys,
    run: () => can?.pick(picked),
  });
  useCommands([
    ...(can === null
      ? []
      : [
          { id: "comment", title: "Comment", section, keys: "r", run: can.comment },
          { id: "edit", title: "Edit the description", section, keys: "e", run: can.edit },
          pick("status", "Change the status", "s"),
          pick("priority", "Change the priority", "p"),
          pick("agent", "Assign an agent", "i"),
          pick("person", "Assign a person", "shift+i"),
          pick("labels", "Change the labels", "l"),
          pick("BlockedBy", "Add a blocker", "b"),
          pick("Blocks", "Add a blocked issue", "shift+b"),
          { id: "menu", title: "All actions", section, keys: "m", hidden: true, run: can.menu },
          ...actions.map(({ icon, id: name, keys, run, title }) => ({
            id: name,
            title: `${title.replace("…", "")} the issue`.replace(
              /(until|deferral|again|now|changes|project) the issue$/,
              "$1",
            ),
            section,
            icon,
            ...(keys === undefined ? {} : { keys }),
            run,
          })),
        ]),
    ...(["next", "previous"] as const).flatMap((name) => {
      const issueId = siblings[name];
      return issueId === undefined
        ? []
        : {
            id: name,
            title: `${name === "next" ? "Next" : "Previous"} issue`,
            section,
            keys: name === "next" ? "j" : "k",
            hidden: true,
            // Replaces the history entry, so that going back leads to the list.
            run: () =>
              void router.navigate({
                to: "/issues/$issueId",
                params: { issueId },
                search: {},
                replace: true,
              }),
          };
    }),
    {
      id: "graph",
      title: "Show the issue's graph",
      section,
      icon: "graph",
      keys: "shift+g",
      run: () => void router.navigate({ to: "/graph", search: { issue: id } }),
    },
    {
      id: "copy",
      title: "Copy the issue's URL",
      section,
      icon: "copy",
      run: () => void navigator.clipboard?.writeText(location.href.split("?")[0] ?? id),
    },
    {
      id: "back",
      title: "Back",
      section,
      keys: "escape",
      hidden: true,
      run: () => {
        if (router.history.canGoBack()) router.history.back();
        else void router.navigate({ to: "/work", search: { project: [projectId] } });
      },
    },
  ]);
};
