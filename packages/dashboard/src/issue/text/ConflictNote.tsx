import { Button } from "../../parts/Button.tsx";
import styles from "./Text.module.css";

/** A conflict between the saved text and the user's draft, with a choice between the two. */
export const ConflictNote = ({
  actual,
  mine,
  onMine,
  onTheirs,
}: {
  readonly actual: string | null;
  readonly mine: string;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}) => (
  <div className={styles["conflict"]} role="alert">
    <p>Someone else changed this text while you edited it. Your version is not saved yet.</p>
    <div className={styles["versions"]}>
      <section aria-label="Saved version">
        <h3>Saved version</h3>
        <pre dir="auto">{actual === null || actual === "" ? "(empty)" : actual}</pre>
        <Button small onClick={onTheirs}>
          Discard my version
        </Button>
      </section>
      <section aria-label="Your version">
        <h3>Your version</h3>
        <pre dir="auto">{mine === "" ? "(empty)" : mine}</pre>
        <Button small variant="primary" onClick={onMine}>
          Save my version
        </Button>
      </section>
    </div>
  </div>
);
