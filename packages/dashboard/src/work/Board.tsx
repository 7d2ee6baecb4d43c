import { useCallback, useEffect, useState } from "react";
import {
  type BriefIssue,
  type IssueFilter,
  type Status,
  statuses,
  useIssueRows,
} from "../data/issues/issues.ts";
import { Column } from "./Column.tsx";
import { withDrag } from "./drag.ts";
import { NoneMatch } from "./NoneMatch.tsx";
import styles from "./Board.module.css";

/** The issues by status. */
export const Board = ({
  filter,
  onCreate,
}: {
  readonly filter: IssueFilter;
  readonly onCreate: (() => void) | null;
}) => {
  const { find } = useIssueRows();
  const [dragged, setDragged] = useState<BriefIssue | null>(null);
  useEffect(
    () =>
      withDrag(({ monitorForElements }) =>
        monitorForElements({
          onDragStart: ({ source }) => setDragged(find(String(source.data["issueId"])) ?? null),
          onDrop: () => setDragged(null),
        }),
      ),
    [find],
  );
  const [empty, setEmpty] = useState<ReadonlySet<Status>>(new Set());
  const onEmpty = useCallback((status: Status, isEmpty: boolean) => {
    setEmpty((before) => {
      const after = new Set(before);
      if (isEmpty) after.add(status);
      else after.delete(status);
      return after;
    });
  }, []);
  const shown = filter.status === undefined ? statuses : [filter.status];
  return (
    <div className={styles["board"]}>
      {shown.map((status) => (
        <Column
          key={status}
          status={status}
          filter={filter}
          dragged={dragged}
          onEmpty={onEmpty}
          onCreate={status === "Open" ? onCreate : null}
        />
      ))}
      {shown.every((status) => empty.has(status)) ? (
        <div className={styles["none"]}>
          <NoneMatch />
        </div>
      ) : null}
    </div>
  );
};
