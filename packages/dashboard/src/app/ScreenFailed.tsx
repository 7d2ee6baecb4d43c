import type { ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import styles from "./Shell.module.css";

/** In place of a screen that could not be loaded, as after an update of the server. */
export const ScreenFailed = ({ error }: ErrorComponentProps) => (
  <div className={styles["failed"]}>
    <ErrorNote
      error={error}
      action={
        <Button small onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  </div>
);
