import type { ReactNode } from "react";
import { useTitle } from "./title.ts";
import styles from "./ScreenHead.module.css";

/** The header of a screen: breadcrumbs, title, filters, and actions at the end. */
export const ScreenHead = ({
  actions,
  children,
  count,
  heading,
  isBare = false,
  isOneLine = false,
  path,
  title,
  tabTitle = title,
  tooltip,
}: {
  readonly title: string;
  /** The name of the screen in the title of the tab. Default: its title. */
  readonly tabTitle?: string;
  /** The title with more than text, such as a link. */
  readonly heading?: ReactNode;
  readonly tooltip?: string;
  /** The breadcrumb links. */
  readonly path?: ReactNode;
  /** The number of items on the screen. */
  readonly count?: number | string | undefined;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether a long title is truncated instead of wrapping. */
  readonly isOneLine?: boolean;
  /** Whether the header has no bottom border, because tabs with their own border follow. */
  readonly isBare?: boolean;
}) => {
  useTitle(tabTitle);
  return (
    <div
      className={styles["head"]}
      data-one-line={isOneLine || undefined}
      data-bare={isBare || undefined}
    >
      {path === undefined ? null : (
        <nav className={styles["path"]} aria-label="Path">
          {path}
        </nav>
      )}
      <h1 dir="auto" title={tooltip}>
        {heading ?? title}
      </h1>
      {count === undefined ? null : <span className={styles["count"]}>{count}</span>}
      {children}
      {actions == null ? null : <div className={styles["actions"]}>{actions}</div>}
    </div>
  );
};
