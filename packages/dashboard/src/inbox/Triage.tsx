import { useMutation } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useBulkDecisions } from "../data/inbox/bulk.ts";
import type { InboxGroup } from "../data/inbox/groups.ts";
import type { InboxFilter, InboxItem } from "../data/inbox/inbox.ts";
import { useMay } from "../data/live/session.ts";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import type { VirtualListHandle } from "../parts/VirtualList.tsx";
import { BulkBar } from "./BulkBar.tsx";
import { Item } from "./Item.tsx";
import { type Listed, rowsOf } from "./items.ts";
import type { Layer } from "./Layers.tsx";
import { List } from "./List.tsx";
import { pathOf } from "./places.ts";
import { useChosen } from "./useChosen.ts";
import { useInboxCommands } from "./useInboxCommands.ts";
import { useShown } from "./useShown.ts";
import styles from "./Inbox.module.css";

const Layers = lazily(() => import("./Layers.tsx"), "Layers");

const isNarrow = () => matchMedia("(max-width: 720px)").matches;

/** The list of items with one of them beside it. On a narrow screen `item` in the URL opens it instead of the list. */
export const Triage = ({
  filter,
  groups,
  item: opened,
  items,
  onEnd,
}: {
  readonly items: ReadonlyArray<Listed>;
  /** The groups of failures, by the ids of their items. */
  readonly groups: ReadonlyMap<string, InboxGroup>;
  readonly filter: InboxFilter;
  /** The id of the item in the URL. */
  readonly item: string | undefined;
  readonly onEnd: () => void;
}) => {
  const navigate = useNavigate();
  const router = useRouter();
  const canEdit = useMay("Editor");
  const decisions = useBulkDecisions();
  const list = useRef<VirtualListHandle>(null);
  const { choose, chosen, clear, selected } = useChosen(items);
  const [layer, setLayer] = useState<Layer | null>(null);
  const rows = useMemo(() => rowsOf(items, canEdit ? groups : new Map()), [items, canEdit, groups]);
  const { current, show, stay, step } = useShown(items, rows, list, opened);
  const targets = selected.length > 0 ? selected : current === undefined ? [] : [current.item];

  const { mutate } = useMutation({ mutationFn: (decide: () => Promise<unknown>) => decide() });
  const run = (decide: () => Promise<unknown>) => {
    mutate(decide);
    clear();
  };
  const onShow = useCallback(
    (id: string) => {
      show(id);
      if (isNarrow()) {
        void navigate({ to: "/inbox", search: { ...filter, item: id } });
      }
    },
    [filter, navigate, show],
  );
  const onOpen = useCallback(
    (of: InboxItem) => {
      const path = pathOf(of);
      if (path !== null) void navigate({ to: path });
    },
    [navigate],
  );
  const back = () => {
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: "/inbox", search: { ...filter, item: undefined } });
  };
  const assign = () => {
    const affected = targets.filter(({ issueId }) => issueId !== null);
    if (affected.length > 0) setLayer({ type: "assign", items: affected });
  };
  const first = () => run(() => decisions.approveOrRetry(selected));
  const resolve = () => run(() => decisions.resolve(targets));

  useInboxCommands(
    {
      back: selected.length > 0 ? clear : opened !== undefined && isNarrow() ? back : null,
      open: () => current !== undefined && onOpen(current.item),
      step,
    },
    canEdit
      ? {
          assign,
          choose: () => current !== undefined && choose(current.id),
          first: selected.length > 0 ? first : null,
          resolve,
        }
      : null,
  );

  return (
    <div className={styles["split"]} onInput={stay}>
      <div className={styles["list"]}>
        <List
          ref={list}
          rows={rows}
          chosen={chosen}
          shown={current?.id}
          onChoose={choose}
          onEnd={onEnd}
          onOpen={onOpen}
          onShow={onShow}
        />
        {selected.length === 0 ? null : (
          <BulkBar
            items={selected}
            onFirst={first}
            onResolve={resolve}
            onAssign={assign}
            onSnooze={(anchor) => setLayer({ type: "snooze", items: selected, anchor })}
            onClear={clear}
          />
        )}
      </div>
      {current === undefined ? null : (
        <Item
          key={current.id}
          item={current.item}
          isOver={current.isOver}
          group={groups.get(current.id)}
          onAssign={() => setLayer({ type: "assign", items: [current.item] })}
          onBack={back}
          onSnooze={(anchor) => setLayer({ type: "snooze", items: [current.item], anchor })}
        />
      )}
      <Suspense fallback={<Opening />}>
        {layer === null ? null : <Layers layer={layer} run={run} onClose={() => setLayer(null)} />}
      </Suspense>
    </div>
  );
};
