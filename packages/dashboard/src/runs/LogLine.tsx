import { memo } from "react";
import { parse } from "../data/ansi.ts";
import type { Line } from "../data/logLines.ts";
import { classes } from "../parts/classes.ts";
import { Icon } from "../parts/Icon.tsx";
import styles from "./RunPage.module.css";

/** The characters of a line that are shown until the user wants all of it. */
const most = 2_000;

/** A line of a log with its number and the colors of a terminal. A line that heads a block, or is long, opens. */
export const LogLine = memo(
  ({
    isOpen,
    line: { length, missing, n, stream, text },
    onToggle,
  }: {
    readonly line: Line;
    readonly isOpen: boolean;
    readonly onToggle: (n: number) => void;
  }) => {
    if (missing !== undefined) {
      return (
        <div className={classes(styles["line"], styles["missing"])}>
          <span className={styles["number"]} />
          {missing === 1 ? "1 entry was dropped here" : `${missing} entries were dropped here`}
        </div>
      );
    }
    const isCut = text.length > most && !isOpen;
    const more = [
      length === undefined ? null : `${length - 1} more lines`,
      text.length > most ? `${text.length - most} more characters` : null,
    ].filter((part) => part !== null);
    return (
      <div className={styles["line"]} data-stream={stream}>
        <span className={styles["number"]} aria-hidden>
          {n}
        </span>
        <span className={styles["text"]} dir="auto">
          {parse(isCut ? text.slice(0, most) : text).map(
            ({ at, color, isBold, isFaint, text: part }) => (
              <span
                key={at}
                data-color={color ?? undefined}
                className={classes(isBold && styles["bold"], isFaint && styles["faint"])}
              >
                {part}
              </span>
            ),
          )}
          {more.length === 0 ? null : (
            <button
              type="button"
              className={styles["fold"]}
              aria-expanded={isOpen}
              onClick={() => onToggle(n)}
            >
              <Icon name="chevron" size={12} />
              {isOpen ? "Less" : more.join(", ")}
            </button>
          )}
        </span>
      </div>
    );
  },
);
LogLine.displayName = "LogLine";
