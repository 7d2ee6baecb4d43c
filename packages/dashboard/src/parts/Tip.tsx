import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import { Keys } from "./Keys.tsx";
import styles from "./Tip.module.css";

/** A tooltip. It must not contain anything that is not available elsewhere: touch screens do not show it. */
export const Tip = ({
  children,
  keys,
  text,
}: {
  readonly text: string;
  readonly keys?: string | undefined;
  readonly children: ReactElement;
}) => (
  <Tooltip.Root>
    <Tooltip.Trigger render={children} />
    <Tooltip.Portal>
      <Tooltip.Positioner className={styles["positioner"]} sideOffset={6}>
        <Tooltip.Popup className={styles["tip"]}>
          {text}
          {keys === undefined ? null : <Keys keys={keys} />}
        </Tooltip.Popup>
      </Tooltip.Positioner>
    </Tooltip.Portal>
  </Tooltip.Root>
);
