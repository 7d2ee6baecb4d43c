import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { Issue } from "../data/issues/issue.ts";
import { useProjectNames } from "../data/issues/projects.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { Tip } from "../parts/Tip.tsx";
import type { Action } from "./common/actions.ts";
import type { Siblings } from "./useIssueCommands.ts";
import styles from "./Issue.module.css";

/** Links to the previous and next issue of the list that the user came from. */
const Steps = ({ next, previous }: Siblings) =>
  next === undefined && previous === undefined ? null : (
    <div className={styles["steps"]}>
      {(["previous", "next"] as const).map((name) => {
        const issueId = name === "next" ? next : previous;
        const label = name === "next" ? "Next issue" : "Previous issue";
        const icon = <Icon name="chevron" size={14} />;
        return issueId === undefined ? (
          <span key={name} data-step={name} aria-hidden="true">
            {icon}
          </span>
        ) : (
          <Tip key={name} text={label} keys={name === "next" ? "j" : "k"}>
            <Link
              to="/issues/$issueId"
              params={{ issueId }}
              search={{}}
              replace
              aria-label={label}
              data-step={name}
            >
              {icon}
            </Link>
          </Tip>
        );
      })}
    </div>
  );

/** The top bar: breadcrumbs, the neighboring issues, the primary action and the menu of all actions. */
export const Bar = ({
  actions,
  isReader,
  issue,
  more,
  onMenu,
  siblings,
}: {
  readonly issue: Issue;
  readonly actions: ReadonlyArray<Action>;
  /** Whether the user's role is read-only. */
  readonly isReader: boolean;
  readonly more: RefObject<HTMLButtonElement | null>;
  readonly onMenu: () => void;
  readonly siblings: Siblings;
}) => {
  const [first] = actions;
  const projectName = useProjectNames();
  return (
    <header className={styles["bar"]}>
      <nav aria-label="Breadcrumb">
        <Link to="/work">Work</Link>
        <Icon name="chevron" size={12} />
        <Link to="/work" search={{ project: [issue.projectId] }}>
          <bdi>{projectName(issue.projectId)}</bdi>
        </Link>
        <Icon name="chevron" size={12} />
        <span className={styles["id"]}>{issue.key}</span>
      </nav>
      <Steps {...siblings} />
      {first === undefined ? (
        isReader ? (
          <Badge
            text="Read only"
            title="You have the Viewer role. To change issues you need the Editor role."
          />
        ) : null
      ) : (
        <div className={styles["actions"]}>
          {first.isDanger === true || first.id === "close" ? null : (
            <Button small onClick={first.run}>
              <Icon name={first.icon} size={14} />
              {first.title}
            </Button>
          )}
          <IconButton
            ref={more}
            icon="more"
            label="Actions"
            keys="m"
            aria-haspopup="menu"
            onClick={onMenu}
          />
        </div>
      )}
    </header>
  );
};
