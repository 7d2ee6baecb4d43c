import type { Line } from "../data/logLines.ts";
import { classes } from "../parts/classes.ts";
import { parse } from "./ansi.ts";
import styles from "./RunPage.module.css";

/** A line of a log with its number and the colors of a terminal. */
export const LogLine = ({ line: { n, stream, text } }: { readonly line: Line }) => (
  <div className={styles["line"]} data-stream={stream}>
    <span className={styles["number"]} aria-hidden>
      {n}
    </span>
    <span className={styles["text"]} dir="auto">
      {parse(text).map(({ at, color, isBold, isFaint, text: part }) => (
        <span
          key={at}
          data-color={color ?? undefined}
          className={classes(isBold ? styles["bold"] : "", isFaint ? styles["faint"] : "")}
        >
          {part}
        </span>
      ))}
    </span>
  </div>
);
