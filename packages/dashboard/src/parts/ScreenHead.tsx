import type { ReactNode } from "react";
import styles from "./ScreenHead.module.css";

/** The first row of a screen: the way to it, its title, its filters, and at the end what can be done. */
export const ScreenHead = ({
  actions,
  children,
  count,
  isBare = false,
  isOneLine = false,
  path,
  title,
  tooltip,
}: {
  readonly title: string;
  readonly tooltip?: string;
  /** Links to the screens above this one. */
  readonly path?: ReactNode;
  /** The number of items on the screen. */
  readonly count?: number | string | undefined;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether long titles are cut off instead of wrapping the row. */
  readonly isOneLine?: boolean;
  /** Whether tabs follow, which have the line. */
  readonly isBare?: boolean;
}) => (
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
      {title}
    </h1>
    {count === undefined ? null : <span className={styles["count"]}>{count}</span>}
    {children}
    {actions == null ? null : <div className={styles["actions"]}>{actions}</div>}
  </div>
);
