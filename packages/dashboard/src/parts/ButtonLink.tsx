import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import type { ButtonProps } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Button.module.css";

const Anchor = ({
  className,
  small,
  variant = "default",
  ...props
}: ComponentProps<"a"> & Pick<ButtonProps, "small" | "variant">) => (
  <a
    {...props}
    className={classes(styles["button"], styles[variant], small && styles["small"], className)}
  />
);

/** A link that looks like a button. */
export const ButtonLink = createLink(Anchor);
