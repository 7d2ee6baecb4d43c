import type { FormEvent, ReactNode } from "react";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import section from "../Section.module.css";
import styles from "./Overview.module.css";

/** A form with a part of the settings of a server: its fields, and buttons that save and discard what was edited. */
export const SettingsForm = ({
  children,
  isChanged,
  onDiscard,
  onSave,
  request,
  save,
  title,
}: {
  readonly title: string;
  /** The text of the button that saves. */
  readonly save: string;
  readonly isChanged: boolean;
  readonly request: {
    readonly error: Error | null;
    readonly isPending: boolean;
    readonly reset: () => void;
  };
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  readonly children: ReactNode;
}) => {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && !request.isPending) onSave();
  };
  const discard = () => {
    onDiscard();
    request.reset();
  };
  return (
    <form className={section["section"]} onSubmit={submit} aria-label={title}>
      <h2>{title}</h2>
      <div className={styles["fields"]}>{children}</div>
      <ErrorNote error={request.error} />
      <div className={styles["foot"]}>
        <Button type="submit" disabled={!isChanged || request.isPending}>
          {save}
        </Button>
        {isChanged ? (
          <Button variant="quiet" onClick={discard}>
            Discard
          </Button>
        ) : null}
      </div>
    </form>
  );
};
