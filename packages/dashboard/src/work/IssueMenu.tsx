import {
  type BriefIssue,
  priorities,
  statuses,
  useChangeIssue,
  usePauseIssue,
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
  const command = usePauseIssue();
  const [first] = issues;
  if (first === undefined) return null;
  const isOne = issues.length === 1;
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
      {isOne ? (
        <>
          <MenuSeparator />
          {first.paused ? (
            <MenuItem
              icon="play"
              text="Resume"
              onSelect={() => command.mutate({ issue: first, command: { name: "resume" } })}
            />
          ) : (
            <MenuItem
              icon="pause"
              text="Pause"
              why={first.status === "InProgress" ? null : "No agent is working on it"}
              onSelect={() => command.mutate({ issue: first, command: { name: "pause" } })}
            />
          )}
          <MenuItem
            icon="close"
            text="Close…"
            why={first.status === "Closed" ? "It is closed" : null}
            onSelect={() => onDialog("close")}
          />
          <MenuItem icon="warning" text="Delete…" danger onSelect={() => onDialog("delete")} />
        </>
      ) : null}
    </Menu>
  );
};
