import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useAnswers } from "../data/inbox/answers.ts";
import { useFailures } from "../data/inbox/groups.ts";
import { useInbox } from "../data/inbox/inbox.ts";
import { useWithin } from "../data/scope.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { InboxFilters } from "./InboxFilters.tsx";
import { groupsById, listed } from "./items.ts";
import { NoticeButton } from "./NoticeButton.tsx";
import { Triage } from "./Triage.tsx";
import styles from "./Inbox.module.css";

const route = getRouteApi("/inbox");

/** The items that wait for the user: a list, and one of them beside it. */
export const Inbox = () => {
  const { item, kind, mine, project } = route.useSearch();
  const within = useWithin(project);
  const filter = useMemo(() => ({ kind, mine, project: within }), [kind, mine, within]);
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } =
    useInbox(filter);
  const answers = useAnswers();
  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const items = useMemo(() => listed(loaded, answers, filter), [loaded, answers, filter]);
  const failures = useFailures(filter, loaded);
  const groups = useMemo(() => groupsById(failures), [failures]);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const onEnd = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };

  return (
    <div className={styles["screen"]} data-open={item !== undefined && items.length > 0}>
      <ScreenHead
        title="Inbox"
        count={items.length === 0 ? undefined : `${items.length}${hasNextPage ? "+" : ""}`}
        actions={<NoticeButton />}
      >
        <InboxFilters search={{ kind, mine, project }} />
      </ScreenHead>
      <ErrorNote error={error} className={styles["state"]} />
      {isPending ? (
        <div className={styles["state"]}>
          <Skeleton />
          <Skeleton width="70%" />
        </div>
      ) : items.length > 0 ? (
        <>
          <FirstSteps isAboveItems />
          <Triage items={items} groups={groups} filter={filter} item={item} onEnd={onEnd} />
        </>
      ) : error !== null ? null : isFiltered ? (
        <EmptyState
          icon="filter"
          title="Nothing matches"
          text="No item matches all of these filters. Remove one to see more."
        />
      ) : (
        <EmptyState
          icon="inbox"
          title="Nothing needs your attention"
          text="Questions, reviews, failures and stuck work appear here."
          action={<FirstSteps isAboveItems={false} />}
        />
      )}
    </div>
  );
};
