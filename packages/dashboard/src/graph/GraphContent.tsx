import { Suspense, useMemo, useRef, useState } from "react";
import type { Model } from "../data/issues/dependencies.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { FindField } from "../parts/FindField.tsx";
import { lazily } from "../parts/lazily.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { findIn } from "./fold.ts";
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
  isOpenOnly,
  isTruncated,
  model,
  onOpenOnly,
  view,
}: {
  readonly view: "list" | "picture";
  readonly model: Model | undefined;
  readonly isTruncated: boolean;
  readonly error: unknown;
  /** Whether no project exists yet. */
  readonly hasNone: boolean;
  /** Whether resolved issues are hidden. */
  readonly isOpenOnly: boolean;
  readonly onOpenOnly: (only: boolean) => void;
}) => {
  const [text, setText] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const found = useMemo(
    () => (model === undefined ? new Set<string>() : findIn(model, text ?? "")),
    [model, text],
  );
  useCommands([
    {
      id: "find",
      title: "Find in the graph",
      section: "Graph",
      keys: "/",
      run: () => input.current?.focus(),
    },
  ]);
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
  if (model.items.length === 0 && !isOpenOnly) {
    return (
      <EmptyState
        icon="graph"
        title="No dependencies yet"
        text="Agents pick up a blocked issue when its blocker is done. Link two issues to see them here."
        command="quartermaster issue link ISSUE blocked-by OTHER"
      />
    );
  }
  const isSearch = text !== undefined;
  const shown = isSearch
    ? { ...model, items: model.items.filter(({ issue }) => found.has(issue.id)) }
    : model;
  return (
    <>
      <div className={styles["bar"]}>
        <FindField label="Find in the graph" value={text} input={input} onFind={setText} />
        <Button variant="quiet" aria-pressed={isOpenOnly} onClick={() => onOpenOnly(!isOpenOnly)}>
          {isOpenOnly ? "Show resolved" : "Hide resolved"}
        </Button>
        <p className={styles["notes"]}>
          {(isSearch ? [`${found.size} found`] : notesOf(model, isTruncated)).join(" · ")}
        </p>
      </div>
      {view === "list" ? (
        <GraphList model={shown} />
      ) : (
        <Suspense fallback={loading}>
          <GraphPicture key={String(isOpenOnly)} model={model} found={found} />
        </Suspense>
      )}
    </>
  );
};
