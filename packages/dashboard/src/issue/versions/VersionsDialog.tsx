import type { ComponentProps, ReactNode } from "react";
import { Dialog } from "../../parts/Dialog.tsx";
import { Diff } from "../../parts/Diff.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { ShowMore } from "../../parts/ShowMore.tsx";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { Who } from "../common/Who.tsx";
import styles from "./Versions.module.css";

/** A version of a text; null means no text. */
export interface Version {
  readonly version: number;
  readonly text: string | null;
  readonly by: string;
  readonly at: string;
}

/** The versions of a text, newest first, each as the difference from the version before it. */
export const VersionsDialog = ({
  error,
  list,
  none,
  onClose,
  title,
  versions,
}: {
  readonly title: string;
  /** Newest first; undefined until they are loaded. */
  readonly versions: ReadonlyArray<Version> | undefined;
  readonly list: ComponentProps<typeof ShowMore>["list"];
  readonly error: Error | null;
  /** The text without versions. */
  readonly none: ReactNode;
  readonly onClose: () => void;
}) => (
  <Dialog open onClose={onClose} title={title} className={styles["dialog"]}>
    <ErrorNote error={error} />
    {versions === undefined && error === null ? <Skeleton height={80} /> : null}
    {versions?.length === 0 ? <p>{none}</p> : null}
    <ol className={styles["versions"]}>
      {versions?.map(({ at, by, text, version }, index) => {
        const before = versions[index + 1];
        return (
          <li key={version}>
            <p className={styles["by"]}>
              <Who id={by} /> <RelativeTime iso={at} />
            </p>
            {before === undefined && list.hasNextPage ? null : (
              <Diff before={before?.text ?? null} after={text} label={`Version ${version}`} />
            )}
          </li>
        );
      })}
    </ol>
    <ShowMore list={list} text="Show earlier versions" />
  </Dialog>
);
