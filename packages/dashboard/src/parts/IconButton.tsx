import { Button, type ButtonProps } from "./Button.tsx";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { Tip } from "./Tip.tsx";
import styles from "./Button.module.css";

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
  readonly icon: IconName;
  /** The accessible name, also shown as the tooltip. */
  readonly label: string;
  /** The equivalent keyboard shortcut. */
  readonly keys?: string;
}

export const IconButton = ({
  className,
  icon,
  keys,
  label,
  variant = "quiet",
  ...props
}: IconButtonProps) => (
  <Tip text={label} keys={keys}>
    <Button
      {...props}
      aria-label={label}
      variant={variant}
      className={classes(styles["icon"], className)}
    >
      <Icon name={icon} />
    </Button>
  </Tip>
);
