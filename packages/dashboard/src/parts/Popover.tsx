import { Popover as Base } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import styles from "./Popover.module.css";

/** A popover anchored to the element that opened it. Load it with `lazily`. */
export const Popover = ({
  anchor,
  children,
  onClose,
  title,
}: {
  readonly anchor: Element;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Base.Root open modal onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Positioner
        className={styles["positioner"]}
        anchor={anchor}
        sideOffset={4}
        align="start"
        collisionPadding={8}
      >
        <Base.Popup
          className={styles["popup"]}
          finalFocus={() => (anchor instanceof HTMLElement ? anchor : null)}
        >
          <Base.Title className={styles["title"]}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
