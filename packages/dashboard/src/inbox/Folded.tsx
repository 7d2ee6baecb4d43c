import { type ReactNode, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { classes } from "../parts/classes.ts";
import { IssueText } from "../texts/IssueText.tsx";
import styles from "./Item.module.css";

const isLong = (text: string) => text.length > 900 || text.split("\n").length > 14;

/** A text under a heading. A long one is cut until the user expands it. */
export const Folded = ({
  heading,
  text,
}: {
  readonly heading: ReactNode;
  readonly text: string;
}) => {
  const [isWhole, setWhole] = useState(false);
  const isCut = isLong(text) && !isWhole;
  return (
    <section className={styles["part"]}>
      <h3 className={styles["heading"]}>{heading}</h3>
      <div className={classes(styles["words"], isCut && styles["cut"])} dir="auto">
        <IssueText text={text} />
      </div>
      {isCut ? (
        <Button small variant="quiet" onClick={() => setWhole(true)}>
          Show all
        </Button>
      ) : null}
    </section>
  );
};
