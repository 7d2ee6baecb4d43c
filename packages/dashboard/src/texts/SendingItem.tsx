import type { Sending } from "../data/issues/upload.ts";
import { Button } from "../parts/Button.tsx";
import { bytes } from "../parts/bytes.ts";
import { Icon } from "../parts/Icon.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { sentenceOf } from "../parts/sentence.ts";
import styles from "./Files.module.css";

/** A file that is uploading or failed to upload. */
export const SendingItem = ({
  onAgain,
  onDrop,
  sending: { error, file, progress },
}: {
  readonly sending: Sending;
  readonly onAgain: () => void;
  readonly onDrop: () => void;
}) => (
  <li className={styles["file"]} data-failed={error !== null}>
    <span className={styles["fileIcon"]}>
      <Icon name={error === null ? "file" : "warning"} />
    </span>
    <span className={styles["words"]}>
      <span className={styles["fileName"]} dir="auto">
        {file.name}
      </span>
      {error === null ? (
        <progress aria-label={`Upload of ${file.name}`} value={progress} max={1} />
      ) : (
        <span role="alert" className={styles["meta"]}>
          {sentenceOf(error)}
        </span>
      )}
      <span className={styles["meta"]}>{bytes(file.size)}</span>
    </span>
    {error === null ? null : (
      <Button small onClick={onAgain}>
        Try again
      </Button>
    )}
    <IconButton
      icon="close"
      label={error === null ? `Cancel ${file.name}` : `Remove ${file.name}`}
      small
      onClick={onDrop}
    />
  </li>
);
