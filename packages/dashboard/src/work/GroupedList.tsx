import { useCallback, useEffect, useState } from "react";
import { type IssueFilter, priorities, statuses, useIssues } from "../data/issues/issues.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { PriorityIcon, priorityName } from "../parts/PriorityIcon.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import { NoneMatch } from "./NoneMatch.tsx";
import { Row } from "./Row.tsx";
import type { Grouping } from "./search.ts";
import styles from "./GroupedList.module.css";

type Group =
  | { readonly by: "status"; readonly value: (typeof statuses)[number] }
  | { readonly by: "priority"; readonly value: (typeof priorities)[number] };

const groupsOf = (filter: IssueFilter, by: Grouping): ReadonlyArray<Group> => {
  const all: ReadonlyArray<Group> =
    by === "status"
      ? statuses.map((value) => ({ by, value }))
      : priorities.map((value) => ({ by, value }));
  const only: ReadonlyArray<string> | undefined = filter[by];
  const not: ReadonlyArray<string> | undefined = filter.not?.[by];
  return all.filter(
    ({ value }) => only?.includes(value) !== false && not?.includes(value) !== true,
  );
};

const nameOf = (group: Group): string =>
  group.by === "status" ? statusName(group.value) : priorityName(group.value);

/** The issues of one group, with a heading that folds them. Nothing without issues. */
const ListGroup = ({
  filter,
  group,
  onEmpty,
}: {
  readonly filter: IssueFilter;
  readonly group: Group;
  readonly onEmpty: (name: string, isEmpty: boolean) => void;
}) => {
  const [isFolded, setFolded] = useState(false);
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useIssues({
    ...filter,
    [group.by]: [group.value],
  });
  const issues = data?.pages.flatMap(({ items }) => items) ?? [];
  const name = nameOf(group);
  const isEmpty = data !== undefined && issues.length === 0;
  useEffect(() => onEmpty(name, isEmpty), [onEmpty, name, isEmpty]);
  if (isEmpty) return null;
  return (
    <section aria-label={name}>
      <h2 className={styles["head"]}>
        <button type="button" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
          <Icon name="chevron" size={14} />
          {group.by === "status" ? (
            <StatusIcon status={group.value} />
          ) : (
            <PriorityIcon priority={group.value} labelled />
          )}
          {name}
          <span className={styles["count"]}>
            {isPending ? "" : `${issues.length}${hasNextPage ? "+" : ""}`}
          </span>
        </button>
      </h2>
      <ErrorNote error={error} />
      {isPending ? <Skeleton height={24} /> : null}
      {isFolded ? null : issues.map((issue) => <Row key={issue.id} issue={issue} />)}
      {!isFolded && hasNextPage ? (
        <Button
          small
          variant="quiet"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show more of {name}
        </Button>
      ) : null}
    </section>
  );
};

/** The list view in groups. */
export const GroupedList = ({
  by,
  filter,
}: {
  readonly by: Grouping;
  readonly filter: IssueFilter;
}) => {
  const [empty, setEmpty] = useState<ReadonlySet<string>>(new Set());
  const onEmpty = useCallback((name: string, isEmpty: boolean) => {
    setEmpty((before) => {
      if (before.has(name) === isEmpty) return before;
      const after = new Set(before);
      if (isEmpty) after.add(name);
      else after.delete(name);
      return after;
    });
  }, []);
  const groups = groupsOf(filter, by);
  return (
    <div className={styles["groups"]}>
      {groups.map((group) => (
        <ListGroup key={nameOf(group)} filter={filter} group={group} onEmpty={onEmpty} />
      ))}
      {groups.every((group) => empty.has(nameOf(group))) ? <NoneMatch /> : null}
    </div>
  );
};
