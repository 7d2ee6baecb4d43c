import { classes } from "./classes.ts";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Badge.module.css";

/** A short fact beside a title. */
export const Badge = ({
  icon,
  text,
  title,
  tone,
}: {
  readonly text: string;
  readonly icon?: IconName;
  /** The fact as a sentence, on hover. */
  readonly title?: string;
  readonly tone?: "warning" | "danger" | "accent" | "success";
}) => (
  <span className={classes(styles["badge"], tone && styles[tone])} title={title}>
    {icon === undefined ? null : <Icon name={icon} size={12} />}
    <span>{text}</span>
  </span>
);
