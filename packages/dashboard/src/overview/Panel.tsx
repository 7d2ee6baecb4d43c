import { type ReactNode, useId } from "react";
import { classes } from "../parts/classes.ts";
import styles from "./Overview.module.css";

/** A section of the overview with a heading. */
export const Panel = ({
  children,
  side,
  title,
  wide = false,
}: {
  readonly title: string;
  /** Content beside the heading. */
  readonly side?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className={classes(styles["panel"], wide && styles["wide"])} aria-labelledby={id}>
      <div className={styles["panelHead"]}>
        <h2 id={id}>{title}</h2>
        {side}
      </div>
      {children}
    </section>
  );
};
