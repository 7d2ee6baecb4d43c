import { ErrorNote } from "./ErrorNote.tsx";
import { Skeleton } from "./Skeleton.tsx";
import styles from "./ScreenState.module.css";

/** The error of a screen, and placeholders while it loads. */
export const ScreenState = ({
  error,
  height = 24,
  isPending,
}: {
  readonly error: Error | null;
  readonly isPending: boolean;
  /** The height of a placeholder, in pixels. */
  readonly height?: number;
}) => (
  <>
    <ErrorNote error={error} className={styles["state"]} />
    {isPending ? (
      <div className={styles["state"]}>
        <Skeleton height={height} />
        <Skeleton height={height} />
        <Skeleton height={height} width="80%" />
      </div>
    ) : null}
  </>
);
