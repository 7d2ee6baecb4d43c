import { useCallback } from "react";
import { type BriefIssue, type IssueFilter, useIssues } from "../data/issues/issues.ts";
import { ScreenList } from "../parts/ScreenList.tsx";
import { GroupedList } from "./GroupedList.tsx";
import { NoneMatch } from "./NoneMatch.tsx";
import { Row } from "./Row.tsx";
import { type Column, defaultColumns, type Grouping } from "./search.ts";
import { ColumnsContext } from "./useColumns.ts";

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
  return (
    <ScreenList
      label="Issues"
      items={issues}
      keyOf={keyOf}
      height={40}
      row={row}
      onEnd={onEnd}
      isPending={isPending}
      error={error}
      empty={<NoneMatch />}
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
