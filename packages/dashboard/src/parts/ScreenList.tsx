import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";
import { ScreenState } from "./ScreenState.tsx";
import { VirtualList, type VirtualListProps } from "./VirtualList.tsx";
import styles from "./ScreenList.module.css";

export interface ScreenListProps<Item> extends Pick<
  VirtualListProps<Item>,
  "height" | "items" | "keyOf" | "label" | "onEnd" | "row"
> {
  /** Sets `--columns`, the columns of the grid of rows and heads. */
  readonly className?: string | undefined;
  /** The heads of the columns, which narrow windows do not show. */
  readonly heads?: ReadonlyArray<string>;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Shown instead of an empty list. */
  readonly empty: ReactNode;
}

/** The list that fills a screen, while it loads, without items, and after an error as well. */
export const ScreenList = <Item,>({
  className,
  empty,
  error,
  heads,
  isPending,
  ...list
}: ScreenListProps<Item>) => (
  <div className={classes(styles["screen"], className)}>
    <ScreenState error={error} isPending={isPending} />
    {list.items.length > 0 ? (
      <>
        {heads === undefined ? null : (
          <div className={styles["heads"]} aria-hidden="true">
            {heads.map((head) => (
              <span key={head}>{head}</span>
            ))}
          </div>
        )}
        <VirtualList {...list} className={styles["list"]} />
      </>
    ) : isPending || error !== null ? null : (
      empty
    )}
  </div>
);

/** A row of the list. A link in it with `data-item` covers the row; its other links and buttons stay above. */
export const ListRow = ({ className, ...props }: ComponentProps<"article">) => (
  <article {...props} className={classes(styles["row"], className)} />
);

/** The first cell of a row: a name with badges, above its id, key or URL. */
export const RowName = ({
  children,
  detail,
}: {
  readonly children: ReactNode;
  readonly detail: string;
}) => (
  <div className={styles["name"]}>
    <span>{children}</span>
    <code title={detail}>{detail}</code>
  </div>
);
