import {
  type BriefIssue,
  priorities,
  statuses,
  useChangeIssue,
  usePauseIssues,
} from "../data/issues/issues.ts";
import { obstacle } from "../data/issues/lifecycle.ts";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../parts/Menu.tsx";
import { PriorityIcon, priorityName } from "../parts/PriorityIcon.tsx";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import type { DialogName } from "./IssueDialog.tsx";
import { useWork } from "./useWork.tsx";

/** The menu of actions on one issue or on all selected issues. It is the keyboard's alternative to dragging. */
export const IssueMenu = ({
  anchor,
  issues,
  onClose,
  onDialog,
}: {
  readonly anchor: Element;
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly onClose: () => void;
  readonly onDialog: (name: DialogName) => void;
}) => {
  const { move } = useWork();
  const change = useChangeIssue();
  const pausing = usePauseIssues();
  const [first] = issues;
  if (first === undefined) return null;
  const isOne = issues.length === 1;
  const resumed = issues.filter(({ paused }) => paused);
  const paused = issues.filter((issue) => !issue.paused && issue.status === "InProgress");
  /** The text of an action on some of the issues: `Pause`, or `Pause 2 issues`. */
  const some = (verb: string, { length }: ReadonlyArray<BriefIssue>) =>
    isOne || length === 0 ? verb : `${verb} ${length} ${length === 1 ? "issue" : "issues"}`;
  return (
    <Menu align="end" anchor={anchor} label="Change the issue" onClose={onClose}>
      <MenuGroup label={isOne ? "Move to" : `Move ${issues.length} issues to`}>
        {statuses.map((status) => (
          <MenuItem
            key={status}
            icon={<StatusIcon status={status} labelled />}
            text={statusName(status)}
            why={isOne ? obstacle(first, status) : null}
            onSelect={() => move(issues, status)}
          />
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuGroup label="Priority">
        {priorities.map((priority) => (
          <MenuItem
            key={priority}
            icon={<PriorityIcon priority={priority} labelled />}
            text={priorityName(priority)}
            checked={isOne && first.priority === priority}
            onSelect={() => {
              for (const issue of issues) change.mutate({ issue, change: { priority } });
            }}
          />
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem icon="agents" text="Assign…" keys="i" onSelect={() => onDialog("assign")} />
      <MenuItem icon="plus" text="Label…" keys="l" onSelect={() => onDialog("label")} />
      <MenuItem icon="board" text="Move to another project…" onSelect={() => onDialog("move")} />
      <MenuSeparator />
      {resumed.length === 0 ? null : (
        <MenuItem
          icon="play"
          text={some("Resume", resumed)}
          onSelect={() => pausing.mutate({ issues: resumed, name: "resume" })}
        />
      )}
      {resumed.length > 0 && paused.length === 0 ? null : (
        <MenuItem
          icon="pause"
          text={some("Pause", paused)}
          why={paused.length > 0 ? null : `No agent is working on ${isOne ? "it" : "them"}`}
          onSelect={() => pausing.mutate({ issues: paused, name: "pause" })}
        />
      )}
      {isOne ? (
        <MenuItem
          icon="close"
          text="Close…"
          why={first.status === "Closed" ? "It is closed" : null}
          onSelect={() => onDialog("close")}
        />
      ) : null}
      <MenuItem icon="trash" text="Delete…" danger onSelect={() => onDialog("delete")} />
    </Menu>
  );
};
