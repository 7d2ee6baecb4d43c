import type { ReactNode } from "react";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Diff } from "../parts/Diff.tsx";
import { Icon } from "../parts/Icon.tsx";
import styles from "./Change.module.css";

/** A changed or new definition, with its diff and the buttons to accept or block it. */
export const Change = ({
  after,
  before,
  children,
  isNew,
  isOpen,
  name,
  onAccept,
  onBlock,
}: {
  readonly name: string;
  readonly isNew: boolean;
  readonly isOpen: boolean;
  readonly before: string | null;
  readonly after: string | null;
  /** The effects of the change, in words. */
  readonly children?: ReactNode;
  readonly onAccept: (() => void) | null;
  readonly onBlock: (() => void) | null;
}) => (
  <section className={styles["change"]} aria-label={name}>
    <details className={styles["details"]} open={isOpen}>
      <summary className={styles["summary"]}>
        <Icon name="chevron" size={14} />
        <bdi className={styles["name"]}>{name}</bdi>
        <Badge text={isNew ? "New" : "Changed"} tone={isNew ? "accent" : "warning"} />
      </summary>
      {children}
      <Diff before={before} after={after} label={`What changed in ${name}`} />
    </details>
    <div className={styles["buttons"]}>
      {onAccept === null ? null : (
        <Button small onClick={onAccept}>
          Accept
        </Button>
      )}
      {onBlock === null ? null : (
        <Button small variant="danger" onClick={onBlock}>
          Block
        </Button>
      )}
    </div>
  </section>
);
