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
import { useFolded } from "./folded.ts";
import { NoneMatch } from "./NoneMatch.tsx";
import styles from "./Board.module.css";

const isDone = (status: Status) => status === "Resolved" || status === "Closed";

/** The CSS width of a column. Columns of finished work are narrower. */
const width = (status: Status, isFolded: boolean) =>
  isFolded ? "46px" : isDone(status) ? "var(--done-column)" : "var(--column)";

/** The board: one column per status. */
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
  const { folded, toggle } = useFolded();
  const shown = statuses.filter(
    (status) =>
      filter.status?.includes(status) !== false && filter.not?.status?.includes(status) !== true,
  );
  const isFolded = (status: Status) => shown.length > 1 && folded.has(status);
  return (
    <div
      className={styles["board"]}
      style={{ gridTemplateColumns: shown.map((one) => width(one, isFolded(one))).join(" ") }}
    >
      {shown.map((status) => (
        <Column
          key={status}
          status={status}
          filter={filter}
          dragged={dragged}
          onEmpty={onEmpty}
          onCreate={status === "Open" ? onCreate : null}
          isFolded={isFolded(status)}
          onFold={shown.length > 1 && isDone(status) ? toggle : null}
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
