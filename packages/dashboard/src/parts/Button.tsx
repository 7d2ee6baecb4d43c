import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import styles from "./Button.module.css";

export interface ButtonProps extends ComponentProps<"button"> {
  /** `primary` marks the main action of a screen, at most one. Default: `default`. */
  readonly variant?: "default" | "primary" | "quiet" | "danger";
  readonly small?: boolean;
}

export const Button = ({ className, small, variant = "default", ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    className={classes(styles["button"], styles[variant], small && styles["small"], className)}
  />
);
