import { classes } from "./classes.ts";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Badge.module.css";

/** A short label beside a title. */
export const Badge = ({
  icon,
  text,
  title,
  tone,
}: {
  readonly text: string;
  readonly icon?: IconName;
  /** The tooltip: the label as a full sentence. */
  readonly title?: string;
  readonly tone?: "warning" | "danger" | "accent" | "success";
}) => (
  <span className={classes(styles["badge"], tone && styles[tone])} title={title}>
    {icon === undefined ? null : <Icon name={icon} size={12} />}
    <span>{text}</span>
  </span>
);
