import { memo, useCallback, useEffect, useRef, useState } from "react";
import {
  type BriefIssue,
  type IssueFilter,
  type Status,
  useIssues,
} from "../data/issues/issues.ts";
import { obstacle } from "../data/issues/lifecycle.ts";
import { useTotal } from "../data/issues/projects.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import { VirtualList } from "../parts/VirtualList.tsx";
import { Card } from "./Card.tsx";
import { withDrag } from "./drag.ts";
import { useWork } from "./useWork.tsx";
import styles from "./Board.module.css";

const keyOf = ({ id }: BriefIssue) => id;

const card = (issue: BriefIssue) => (
  <div className={styles["slot"]}>
    <Card issue={issue} />
  </div>
);

/** A column of the board. While the user drags a card that it cannot accept, it shows the reason. */
export const Column = memo(
  ({
    dragged,
    filter,
    isFolded,
    onCreate,
    onEmpty,
    onFold,
    status,
  }: {
    readonly status: Status;
    readonly filter: IssueFilter;
    readonly dragged: BriefIssue | null;
    readonly onCreate: (() => void) | null;
    readonly onEmpty: (status: Status, isEmpty: boolean) => void;
    readonly isFolded: boolean;
    /** Folds or unfolds the column; null if it cannot fold. */
    readonly onFold: ((status: Status) => void) | null;
  }) => {
    const { move } = useWork();
    const element = useRef<HTMLElement>(null);
    const [isOver, setOver] = useState(false);
    const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useIssues({
      ...filter,
      status: [status],
    });
    const { projectId, sort: _, ...others } = filter;
    const known = useTotal(status, projectId);
    // The server counts only by project and status.
    const total = Object.keys(others).length === 0 ? known : null;
    const issues = data?.pages.flatMap(({ items }) => items) ?? [];
    const why = dragged === null || dragged.status === status ? null : obstacle(dragged, status);

    const isEmpty = data !== undefined && issues.length === 0;
    useEffect(() => onEmpty(status, isEmpty), [onEmpty, status, isEmpty]);

    useEffect(() => {
      const { current } = element;
      if (current === null || dragged === null) return undefined;
      return withDrag(({ dropTargetForElements }) =>
        dropTargetForElements({
          element: current,
          canDrop: () => obstacle(dragged, status) === null,
          onDragEnter: () => setOver(true),
          onDragLeave: () => setOver(false),
          onDrop: () => {
            setOver(false);
            move([dragged], status);
          },
        }),
      );
    }, [dragged, status, move]);

    const onEnd = useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

    const count = isPending ? "" : hasNextPage ? (total ?? `${issues.length}+`) : issues.length;
    const fold = () => onFold?.(status);
    return (
      <section
        ref={element}
        className={styles["column"]}
        data-column={status}
        data-over={isOver}
        aria-label={statusName(status)}
      >
        {isFolded ? (
          <button
            type="button"
            className={styles["folded"]}
            aria-expanded="false"
            title={`Unfold ${statusName(status)}`}
            onClick={fold}
          >
            <StatusIcon status={status} />
            {statusName(status)}
            <span className={styles["count"]}>{count}</span>
          </button>
        ) : (
          <>
            <div className={styles["head"]}>
              <StatusIcon status={status} labelled />
              <h2>{statusName(status)}</h2>
              <span className={styles["count"]}>{count}</span>
              {onFold === null ? null : (
                <IconButton icon="fold" label={`Fold ${statusName(status)}`} small onClick={fold} />
              )}
              {onCreate === null ? null : (
                <IconButton icon="plus" label="New issue" keys="c" small onClick={onCreate} />
              )}
            </div>
            <ErrorNote error={error} className={styles["state"]} />
            {isPending ? (
              <div className={styles["state"]}>
                <Skeleton height={84} />
                <Skeleton height={84} />
              </div>
            ) : (
              <VirtualList
                className={styles["cards"]}
                items={issues}
                keyOf={keyOf}
                row={card}
                height={86}
                gap={6}
                padding={4}
                label={`${statusName(status)} issues`}
                onEnd={onEnd}
              />
            )}
          </>
        )}
        {why === null ? null : <div className={styles["hint"]}>{why}</div>}
      </section>
    );
  },
);
Column.displayName = "Column";
