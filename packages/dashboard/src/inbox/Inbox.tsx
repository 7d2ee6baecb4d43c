import { getRouteApi } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { keyOf, useAnswers } from "../data/inbox/answers.ts";
import { useInbox } from "../data/inbox/inbox.ts";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { itemInFocus, useSteps } from "../parts/steps.ts";
import { Entry } from "./Entry.tsx";
import { choiceKeys, items as selector, type Place, place, settle } from "./focus.ts";
import { InboxFilters } from "./InboxFilters.tsx";
import { listed } from "./items.ts";
import styles from "./Inbox.module.css";

const route = getRouteApi("/inbox");

/** Clicks a button of the focused item, or focuses its text field. */
const act = (name: string) => {
  const item = itemInFocus(selector);
  const area = item?.querySelector<HTMLElement>("[data-write]");
  if (name === "open" && area != null) area.focus();
  else item?.querySelector<HTMLElement>(`[data-${name}]`)?.click();
};

export const Inbox = () => {
  const search = route.useSearch();
  const { data, error, isPending } = useInbox(search);
  const answers = useAnswers();
  const items = listed(data?.items ?? [], answers, search);
  const isFiltered = search.kind !== undefined || search.project !== undefined;

  // When the focused item leaves the list, the focus moves to the item that takes its position.
  const last = useRef<Place | null>(null);
  useLayoutEffect(() => {
    const place = last.current;
    if (place === null || items.some(({ item }) => keyOf(item) === place.key)) return;
    last.current = null;
    if (document.activeElement === document.body) settle(place.index);
  });

  useSteps(selector, "item");
  const section = "Inbox";
  const hidden = true;
  useCommands([
    {
      id: "first",
      title: "Approve or retry",
      section,
      keys: "a",
      hidden,
      run: () => act("first"),
    },
    {
      id: "write",
      title: "Write an answer, a request or a comment",
      section,
      keys: "r",
      hidden,
      run: () => act("open"),
    },
    ...choiceKeys.map((name, index) => ({
      id: `choose ${name}`,
      title: `Choose the ${name} option`,
      section,
      keys: String(index + 1),
      hidden,
      run: () => act(`choice="${index + 1}"`),
    })),
    {
      id: "filter",
      title: "Filter the inbox",
      section,
      icon: "filter",
      keys: "f",
      run: () => document.querySelector<HTMLElement>("[data-filter]")?.click(),
    },
  ]);

  return (
    <>
      <ScreenHead
        title="Inbox"
        count={items.length === 0 ? undefined : `${items.length}${data?.next == null ? "" : "+"}`}
      >
        <InboxFilters search={search} />
      </ScreenHead>
      <ErrorNote error={error} className={styles["state"]} />
      {isPending ? (
        <div className={styles["state"]}>
          <Skeleton />
          <Skeleton width="70%" />
        </div>
      ) : items.length > 0 ? (
        <ul
          className={styles["items"]}
          onFocus={() => {
            last.current = place();
          }}
        >
          {items.map(({ isOver, item }) => (
            <li key={keyOf(item)}>
              <Entry item={item} isOver={isOver} error={answers.get(keyOf(item))?.error ?? null} />
            </li>
          ))}
        </ul>
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
          text="Questions, reviews, failures and stuck work appear here. Create an issue and let an agent work on it."
          command={'quartermaster issue create --project demo --agent agent-1 "Say hello"'}
        />
      )}
    </>
  );
};
