import type { ReactNode } from "react";
import { Command } from "./Command.tsx";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./EmptyState.module.css";

/** In place of a list without items: the next step, and the command that does the same. */
export const EmptyState = ({
  action,
  command,
  icon,
  text,
  title,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly command?: string;
  readonly action?: ReactNode;
}) => (
  <div className={styles["empty"]}>
    <Icon name={icon} size={28} />
    <h2>{title}</h2>
    <p>{text}</p>
    {action}
    {command === undefined ? null : <Command line={command} />}
  </div>
);
