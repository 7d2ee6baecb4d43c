import { classes } from "./classes.ts";
import type { Line } from "./lines.ts";
import styles from "./Diff.module.css";

const signs = { same: " ", removed: "−", added: "+" } as const;
const tags = { same: "span", removed: "del", added: "ins" } as const;

/** Consecutive lines of a diff. */
export const DiffLines = ({ lines }: { readonly lines: ReadonlyArray<Line> }) => (
  <ol className={styles["lines"]}>
    {lines.map(({ after, before, kind, text }) => {
      const Text = tags[kind];
      return (
        <li key={`${before} ${after}`} className={classes(styles["line"], styles[kind])}>
          <span className={styles["number"]} aria-hidden="true">
            {after ?? before}
          </span>
          <span className={styles["sign"]} aria-hidden="true">
            {signs[kind]}
          </span>
          <Text className={styles["text"]}>{text === "" ? " " : text}</Text>
        </li>
      );
    })}
  </ol>
);
