import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { Keys } from "./Keys.tsx";
import styles from "./Menu.module.css";

/**
 * Focuses the menu before the next key arrives. Base UI decides in a microtask to do it in the next frame, and then leaves
 * the focus where it is inside the menu; so this comes one microtask later.
 */
const focusNow = (popup: HTMLElement | null) => {
  if (popup === null) return;
  queueMicrotask(() =>
    queueMicrotask(() => {
      if (!popup.contains(document.activeElement)) popup.focus({ preventScroll: true });
    }),
  );
};

/**
 * A menu anchored to the element that opened it: a button, or one of many rows. Its children are `MenuItem`
 * and `MenuGroup`. Load it with `lazily`, so that its code arrives when it first opens.
 */
export const Menu = ({
  align = "start",
  anchor,
  children,
  label,
  onClose,
}: {
  readonly anchor: Element | null;
  readonly align?: "start" | "end";
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Base.Root open={anchor !== null} onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Positioner
        className={styles["positioner"]}
        anchor={anchor}
        sideOffset={4}
        align={align}
      >
        <Base.Popup
          ref={focusNow}
          className={styles["popup"]}
          aria-label={label}
          finalFocus={() => (anchor instanceof HTMLElement ? anchor : null)}
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

export interface MenuItemProps {
  readonly icon?: IconName | ReactElement;
  readonly text: string;
  /** The reason why the item is disabled; null or undefined if it is enabled. */
  readonly why?: string | null | undefined;
  readonly keys?: string | undefined;
  readonly checked?: boolean;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

export const MenuItem = ({ checked, danger, icon, keys, onSelect, text, why }: MenuItemProps) => (
  <Base.Item
    className={classes(styles["item"], danger && styles["danger"])}
    disabled={why != null}
    onClick={onSelect}
  >
    {typeof icon === "string" ? <Icon name={icon} /> : icon}
    <span className={styles["text"]}>
      {text}
      {why == null ? null : <span className={styles["why"]}>{why}</span>}
    </span>
    {checked === true ? <Icon name="check" /> : null}
    {keys === undefined ? null : <Keys keys={keys} />}
  </Base.Item>
);

/** A menu item that opens a page in a new tab. */
export const MenuLink = ({
  href,
  icon,
  text,
}: {
  readonly href: string;
  readonly icon: IconName;
  readonly text: string;
}) => (
  <Base.LinkItem
    className={styles["item"]}
    href={href}
    target="_blank"
    rel="noreferrer"
    closeOnClick
  >
    <Icon name={icon} />
    <span className={styles["text"]}>{text}</span>
  </Base.LinkItem>
);

export const MenuGroup = ({
  children,
  label,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) => (
  <Base.Group>
    <Base.GroupLabel className={styles["label"]}>{label}</Base.GroupLabel>
    {children}
  </Base.Group>
);

export const MenuSeparator = () => <Base.Separator className={styles["separator"]} />;

/** A line of information at the end of a menu. */
export const MenuNote = ({ text }: { readonly text: string }) => (
  <div className={styles["label"]}>{text}</div>
);
