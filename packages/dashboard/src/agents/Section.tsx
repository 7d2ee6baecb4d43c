import { type ReactNode, useId } from "react";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import styles from "./AgentPage.module.css";

/** A section of the page with a heading. Shows the error, a placeholder while loading, or the empty text. */
export const Section = ({
  children,
  count,
  empty,
  error,
  isPending,
  title,
}: {
  readonly title: string;
  readonly count?: ReactNode;
  /** The text shown instead of the children; null to show the children. */
  readonly empty: string | null;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly children: ReactNode;
}) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles["section"]}>
      <h2 id={id}>
        {title} <span className={styles["count"]}>{count}</span>
      </h2>
      {error === null || error === undefined ? null : <ErrorNote error={error} />}
      {isPending ? (
        <>
          <Skeleton height={22} />
          <Skeleton height={22} width="70%" />
        </>
      ) : empty !== null ? (
        (error ?? null) === null ? (
          <p className={styles["empty"]}>{empty}</p>
        ) : null
      ) : (
        children
      )}
    </section>
  );
};
