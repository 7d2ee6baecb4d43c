import type { ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import styles from "./Shell.module.css";

/**
 * Matches the browsers' messages for a script that no longer exists, for example after the server was
 * updated.
 */
const isMissing = (error: unknown) =>
  /dynamically imported module|module script failed|preload CSS/i.test(String(error));

const missing = new Error(
  "This screen could not be loaded. Reload the page to get the current version.",
);

/** The page shown when a screen fails to load or render. */
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
