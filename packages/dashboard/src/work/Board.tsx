import { monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { useEffect, useState } from "react";
import { type BriefIssue, findIssue, type IssueFilter, statuses } from "../data/issues.ts";
import { Column } from "./Column.tsx";
import styles from "./Board.module.css";

/** The issues by status. */
export const Board = ({
  filter,
  onCreate,
}: {
  readonly filter: IssueFilter;
  readonly onCreate: (() => void) | null;
}) => {
  const [dragged, setDragged] = useState<BriefIssue | null>(null);
  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => setDragged(findIssue(String(source.data["issueId"])) ?? null),
        onDrop: () => setDragged(null),
      }),
    [],
  );
  const shown = filter.status === undefined ? statuses : [filter.status];
  return (
    <div className={styles["board"]}>
      {shown.map((status) => (
        <Column
          key={status}
          status={status}
          filter={filter}
          dragged={dragged}
          onCreate={status === "Open" ? onCreate : null}
        />
      ))}
    </div>
  );
};
