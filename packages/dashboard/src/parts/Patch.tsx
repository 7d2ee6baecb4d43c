import { useMemo, useState } from "react";
import { DiffLines } from "./DiffLines.tsx";
import { patchParts } from "./patch.ts";
import styles from "./Diff.module.css";

/** The number of parts rendered before the user expands the patch. */
const firstParts = 40;

/** A patch in the unified format, line by line. */
export const Patch = ({
  label,
  text,
}: {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
}) => {
  const parts = useMemo(() => patchParts(text), [text]);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? parts : parts.slice(0, firstParts);
  return (
    <figure className={styles["diff"]} aria-label={label}>
      {shown.map((part, index) =>
        "heading" in part ? (
          // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
          <div key={index} className={styles["heading"]}>
            {part.heading}
          </div>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <DiffLines key={index} lines={part.lines} />
        ),
      )}
      {shown.length === parts.length ? null : (
        <button type="button" className={styles["more"]} onClick={() => setWhole(true)}>
          Show the whole patch
        </button>
      )}
    </figure>
  );
};
