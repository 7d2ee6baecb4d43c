import { Suspense } from "react";
import type { Model } from "../data/issues/dependencies.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { lazily } from "../parts/lazily.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { GraphList } from "./GraphList.tsx";
import styles from "./Graph.module.css";

const GraphPicture = lazily(() => import("./GraphPicture.tsx"), "GraphPicture");

const loading = (
  <div className={styles["state"]}>
    <Skeleton height={24} />
    <Skeleton height={24} width="80%" />
    <Skeleton height={24} width="60%" />
  </div>
);

const notesOf = ({ alone, items }: Model, isTruncated: boolean) => [
  `${items.length} issues with dependencies`,
  ...(alone > 0
    ? [
        alone === 1
          ? "1 issue without dependencies is hidden"
          : `${alone} issues without dependencies are hidden`,
      ]
    : []),
  ...(isTruncated ? ["only the nearest and newest 500 issues are shown"] : []),
];

/** The graph as a picture or a list, or the reason why there is none. */
export const GraphContent = ({
  error,
  hasNone,
  isTruncated,
  model,
  view,
}: {
  readonly view: "list" | "picture";
  readonly model: Model | undefined;
  readonly isTruncated: boolean;
  readonly error: unknown;
  /** Whether no project exists yet. */
  readonly hasNone: boolean;
}) => {
  if (error !== null && model === undefined) {
    return (
      <div className={styles["state"]}>
        <ErrorNote error={error} />
      </div>
    );
  }
  if (hasNone) {
    return (
      <EmptyState
        icon="graph"
        title="No issues yet"
        text="This screen shows issues that depend on each other. Create an issue first."
        command={'quartermaster issue create --project demo "Say hello"'}
      />
    );
  }
  if (model === undefined) return loading;
  if (model.items.length === 0) {
    return (
      <EmptyState
        icon="graph"
        title="No dependencies yet"
        text="Agents pick up a blocked issue when its blocker is done. Link two issues to see them here."
        command="quartermaster issue link ISSUE blocked-by OTHER"
      />
    );
  }
  return (
    <>
      <p className={styles["notes"]}>{notesOf(model, isTruncated).join(" · ")}</p>
      {view === "list" ? (
        <GraphList model={model} />
      ) : (
        <Suspense fallback={loading}>
          <GraphPicture model={model} />
        </Suspense>
      )}
    </>
  );
};
