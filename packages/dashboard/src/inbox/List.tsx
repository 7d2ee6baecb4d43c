import { type Ref, useCallback } from "react";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { VirtualList, type VirtualListHandle } from "../parts/VirtualList.tsx";
import { GroupRow } from "./GroupRow.tsx";
import type { ListRow } from "./items.ts";
import { Row } from "./Row.tsx";
import styles from "./List.module.css";

const idOf = ({ id }: ListRow) => id;

/** The items of the inbox. Only the rows in view are rendered. */
export const List = ({
  chosen,
  onChoose,
  onEnd,
  onOpen,
  onShow,
  ref,
  rows,
  shown,
}: {
  readonly rows: ReadonlyArray<ListRow>;
  readonly chosen: ReadonlySet<string>;
  /** The id of the item beside the list. */
  readonly shown: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onOpen: (item: InboxItem) => void;
  readonly onShow: (id: string) => void;
  readonly onEnd: () => void;
  readonly ref: Ref<VirtualListHandle>;
}) => {
  const row = useCallback(
    (of: ListRow) =>
      "group" in of ? (
        <GroupRow group={of.group} />
      ) : (
        <Row
          id={of.id}
          item={of.item}
          isChosen={chosen.has(of.id)}
          isOver={of.isOver}
          isRefused={of.isRefused}
          isShown={of.id === shown}
          onChoose={onChoose}
          onOpen={onOpen}
          onShow={onShow}
        />
      ),
    [chosen, onChoose, onOpen, onShow, shown],
  );
  return (
    <VirtualList
      ref={ref}
      className={styles["list"]}
      items={rows}
      keyOf={idOf}
      row={row}
      height={44}
      label="Items"
      onEnd={onEnd}
    />
  );
};
