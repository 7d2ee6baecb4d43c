import type { ReactNode } from "react";
import { Command } from "./Command.tsx";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./EmptyState.module.css";

/** The placeholder of an empty list: the next step, and the equivalent command. */
export const EmptyState = ({
  action,
  command,
  heading: Heading = "h2",
  icon,
  text,
  title,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly command?: string;
  readonly action?: ReactNode;
  /** `h1` if the page has no other heading. */
  readonly heading?: "h1" | "h2";
}) => (
  <div className={styles["empty"]}>
    <Icon name={icon} size={28} />
    <Heading>{title}</Heading>
    <p>{text}</p>
    {action}
    {command === undefined ? null : <Command line={command} />}
  </div>
);
