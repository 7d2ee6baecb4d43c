import { Popover as Base } from "@base-ui/react/popover";
import { type ReactNode, useRef } from "react";
import styles from "./Popover.module.css";

const fields = "input:not([type=radio]), input:checked, select, textarea, button, a[href]";

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
}) => {
  const popup = useRef<HTMLDivElement>(null);
  return (
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
            ref={popup}
            className={styles["popup"]}
            // Base UI itself would wait for the next frame: keys pressed before it would be lost.
            initialFocus={() => {
              (popup.current?.querySelector<HTMLElement>(fields) ?? popup.current)?.focus();
              return false;
            }}
            finalFocus={() => (anchor instanceof HTMLElement ? anchor : null)}
          >
            <Base.Title className={styles["title"]}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
