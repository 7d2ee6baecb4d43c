import { Button } from "../parts/Button.tsx";
import type { DialogName } from "./IssueDialog.tsx";
import styles from "./Work.module.css";

/** The bar of actions on the selected issues. */
export const BulkBar = ({
  count,
  onChange,
  onClear,
  onDialog,
}: {
  readonly count: number;
  readonly onChange: (anchor: Element) => void;
  readonly onDialog: (name: DialogName) => void;
  readonly onClear: () => void;
}) => (
  <section className={styles["bulk"]} aria-label="Selected issues">
    {count} selected
    <Button small onClick={(event) => onChange(event.currentTarget)}>
      Change
    </Button>
    <Button small onClick={() => onDialog("label")}>
      Label
    </Button>
    <Button small onClick={() => onDialog("assign")}>
      Assign
    </Button>
    <Button small variant="quiet" onClick={onClear}>
      Clear
    </Button>
  </section>
);
