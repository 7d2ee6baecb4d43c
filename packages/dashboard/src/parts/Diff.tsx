import { useMemo, useState } from "react";
import { DiffLines } from "./DiffLines.tsx";
import { compareLines, firstOf, partsOf } from "./lines.ts";
import { visible } from "./visible.ts";
import styles from "./Diff.module.css";

/** The number of lines rendered before the user expands the diff. */
const firstLines = 400;

/**
 * A line-by-line diff of two texts; null means no text. Unchanged lines away from changes are collapsed.
 * Invisible characters appear as escapes such as `\u{200b}`.
 */
export const Diff = ({
  after,
  before,
  context = 3,
  label,
}: {
  readonly before: string | null;
  readonly after: string | null;
  /** The accessible name. */
  readonly label: string;
  readonly context?: number;
}) => {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(
    () =>
      compareLines(
        before === null ? null : visible(before),
        after === null ? null : visible(after),
      ),
    [before, after],
  );
  const added = lines.filter(({ kind }) => kind === "added").length;
  const removed = lines.filter(({ kind }) => kind === "removed").length;
  const { left, parts } = firstOf(
    partsOf(lines, isWhole ? lines.length : context),
    isWhole ? lines.length : firstLines,
  );
  const showWhole = () => setWhole(true);

  return (
    <figure className={styles["diff"]} aria-label={label}>
      <figcaption className={styles["caption"]}>
        {added + removed === 0 ? (
          "No differences"
        ) : (
          <>
            <span className={styles["plus"]}>+{added}</span>
            <span className={styles["minus"]}>−{removed}</span>
            <span>{added + removed === 1 ? "line" : "lines"}</span>
          </>
        )}
      </figcaption>
      {parts.map((part, index) =>
        "hidden" in part ? (
          <button
            // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
            key={index}
            type="button"
            className={styles["more"]}
            onClick={showWhole}
          >
            {part.hidden} unchanged lines
          </button>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <DiffLines key={index} lines={part.lines} />
        ),
      )}
      {left === 0 ? null : (
        <button type="button" className={styles["more"]} onClick={showWhole}>
          Show {left} more lines
        </button>
      )}
    </figure>
  );
};
