import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import styles from "./Field.module.css";

interface Named {
  readonly label: string;
  readonly hint?: string;
}

/** A labeled single-line text input. */
export const Field = ({ hint, label, ...props }: Named & ComponentProps<typeof Base.Control>) => (
  <Base.Root className={styles["field"] ?? ""}>
    <Base.Label className={styles["label"]}>{label}</Base.Label>
    <Base.Control {...props} className={styles["input"] ?? ""} />
    {hint === undefined ? null : (
      <Base.Description className={styles["hint"]}>{hint}</Base.Description>
    )}
  </Base.Root>
);

/** A labeled multi-line text input. */
export const TextArea = ({
  className,
  hint,
  label,
  ...props
}: Named & ComponentProps<"textarea">) => (
  <Base.Root className={styles["field"] ?? ""}>
    <Base.Label className={styles["label"]}>{label}</Base.Label>
    <Base.Control
      render={
        <textarea {...props} className={classes(styles["input"], styles["area"], className)} />
      }
    />
    {hint === undefined ? null : (
      <Base.Description className={styles["hint"]}>{hint}</Base.Description>
    )}
  </Base.Root>
);
