import type { ReactNode } from "react";
import { Tip } from "../../parts/Tip.tsx";
import type { PropertyName } from "../common/properties.ts";
import styles from "./Side.module.css";

/** A property and its value, as a button if it is editable and as text otherwise. */
export const Property = ({
  children,
  keys,
  label,
  name,
  onOpen,
}: {
  readonly name: PropertyName;
  readonly label: string;
  readonly keys: string;
  readonly onOpen: ((name: PropertyName) => void) | null;
  readonly children: ReactNode;
}) => (
  <div className={styles["property"]}>
    <span className={styles["name"]} id={`property-${name}`}>
      {label}
    </span>
    {onOpen === null ? (
      <span className={styles["value"]}>{children}</span>
    ) : (
      <Tip text={`Change: ${label.toLowerCase()}`} keys={keys}>
        <button
          type="button"
          className={styles["value"]}
          id={`value-${name}`}
          aria-labelledby={`property-${name} value-${name}`}
          aria-haspopup="dialog"
          onClick={() => onOpen(name)}
        >
          {children}
        </button>
      </Tip>
    )}
  </div>
);
