import { useCallback } from "react";
import { type BriefIssue, type IssueFilter, useIssues } from "../data/issues/issues.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { VirtualList } from "../parts/VirtualList.tsx";
import { GroupedList } from "./GroupedList.tsx";
import { NoneMatch } from "./NoneMatch.tsx";
import { Row } from "./Row.tsx";
import { type Column, defaultColumns, type Grouping } from "./search.ts";
import { ColumnsContext } from "./useColumns.ts";
import styles from "./Work.module.css";

const keyOf = ({ id }: BriefIssue) => id;
const row = (issue: BriefIssue) => <Row issue={issue} />;

/** The list view, without groups. */
const FlatList = ({ filter }: { readonly filter: IssueFilter }) => {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } =
    useIssues(filter);
  const issues = data?.pages.flatMap(({ items }) => items) ?? [];
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (error !== null && data === undefined) {
    return (
      <div className={styles["state"]}>
        <ErrorNote error={error} />
      </div>
    );
  }
  return isPending ? (
    <div className={styles["state"]}>
      <Skeleton height={24} />
      <Skeleton height={24} />
      <Skeleton height={24} />
    </div>
  ) : issues.length === 0 ? (
    <NoneMatch />
  ) : (
    <VirtualList
      className={styles["list"]}
      items={issues}
      keyOf={keyOf}
      row={row}
      height={40}
      label="Issues"
      onEnd={onEnd}
    />
  );
};

/** The list view, in groups if there are any. */
export const IssueList = ({
  columns = defaultColumns,
  filter,
  group,
}: {
  readonly filter: IssueFilter;
  readonly group: Grouping | undefined;
  readonly columns: ReadonlyArray<Column> | undefined;
}) => (
  <ColumnsContext value={columns}>
    {group === undefined ? (
      <FlatList filter={filter} />
    ) : (
      <GroupedList key={group} by={group} filter={filter} />
    )}
  </ColumnsContext>
);
