import type { ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import styles from "./Shell.module.css";

/** The browsers' messages for a missing script, for example after an update of the server. */
const isMissing = (error: unknown) =>
  /dynamically imported module|module script failed|preload CSS/i.test(String(error));

const missing = new Error(
  "This screen could not be loaded. Reload the page to get the current version.",
);

/** In place of a screen that could not be loaded. */
export const ScreenFailed = ({ error }: ErrorComponentProps) => (
  <div className={styles["failed"]}>
    <ErrorNote
      error={isMissing(error) ? missing : error}
      action={
        <Button small onClick={() => location.reload()}>
          Reload
        </Button>
      }
    />
  </div>
);
