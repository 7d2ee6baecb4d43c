import { useCommands } from "../parts/commands.ts";
import { choiceKeys, shownItem } from "./choices.ts";

/** Presses a button of the shown item, or focuses its text field. */
const act = (name: string) => {
  const item = shownItem();
  const area = item?.querySelector<HTMLElement>("[data-write]");
  if (name === "open" && area != null) area.focus();
  else item?.querySelector<HTMLElement>(`[data-${name}]`)?.click();
};

const section = "Inbox";
const hidden = true;

/** Registers the keys of the inbox. `can` is null for a user who may only read. */
export const useInboxCommands = (
  on: {
    readonly back: (() => void) | null;
    readonly open: () => void;
    readonly step: (by: 1 | -1) => void;
  },
  can: {
    readonly assign: () => void;
    readonly choose: () => void;
    /** Approves and retries the selected items; null if none is selected. */
    readonly first: (() => void) | null;
    readonly resolve: () => void;
  } | null,
): void => {
  const command = (id: string, title: string, keys: string, run: () => void) => ({
    id,
    title,
    section,
    keys,
    hidden,
    run,
  });
  useCommands([
    command("next", "Next item", "j", () => on.step(1)),
    command("previous", "Previous item", "k", () => on.step(-1)),
    command("open", "Open the issue", "enter", on.open),
    ...(can === null
      ? []
      : [
          command("choose", "Select the item", "x", can.choose),
          command("first", "Approve or retry", "a", () =>
            can.first === null ? act("first") : can.first(),
          ),
          command("retry all", "Retry all failures of this cause", "shift+a", () =>
            act("retry-all"),
          ),
          command("resolve", "Resolve the issue, or finish a mention", "e", can.resolve),
          command("assign", "Assign an agent", "i", can.assign),
          command("write", "Write an answer, a request or a comment", "r", () => act("open")),
          command("snooze", "Snooze", "s", () => {
            const all = document.querySelector<HTMLElement>("[data-snooze-all]");
            if (all === null) act("snooze");
            else all.click();
          }),
          ...choiceKeys.map((name, index) =>
            command(`choose ${name}`, `Choose the ${name} option`, String(index + 1), () =>
              act(`choice="${index + 1}"`),
            ),
          ),
        ]),
    ...(on.back === null
      ? []
      : [command("back", "Back, or clear the selection", "escape", on.back)]),
    {
      id: "filter",
      title: "Filter the inbox",
      section,
      icon: "filter",
      keys: "f",
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.click(),
    },
  ]);
};
