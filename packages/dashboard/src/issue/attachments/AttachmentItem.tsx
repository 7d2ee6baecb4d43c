import { useEffect, useState } from "react";
import { type Attachment, useDetach, useReadAttachment } from "../../data/issues/upload.ts";
import { Icon } from "../../parts/Icon.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { bytes } from "../common/words.ts";
import styles from "./Attachments.module.css";

const isPicture = ({ contentType, size }: Attachment) =>
  /^image\/(png|jpeg|gif|webp|avif)$/.test(contentType) && size <= 10_000_000;

/** The object URL of a preview; null until it is loaded and for files that are not small pictures. */
const usePreview = (attachment: Attachment): string | null => {
  const [url, setUrl] = useState<string | null>(null);
  const readAttachment = useReadAttachment();
  const { id } = attachment;
  const isShown = isPicture(attachment);
  useEffect(() => {
    if (!isShown) return undefined;
    const cancel = new AbortController();
    let made: string | null = null;
    readAttachment(id, cancel.signal).then(
      (blob) => {
        if (cancel.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      () => setUrl(null),
    );
    return () => {
      cancel.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id, isShown, readAttachment]);
  return url;
};

export const AttachmentItem = ({
  attachment,
  canEdit,
}: {
  readonly attachment: Attachment;
  readonly canEdit: boolean;
}) => {
  const detach = useDetach(attachment.issueId);
  const [isAsking, setAsking] = useState(false);
  const preview = usePreview(attachment);
  const { downloadUrl, fileName } = attachment;
  return (
    <li className={styles["file"]}>
      {preview === null ? (
        <span className={styles["fileIcon"]}>
          <Icon name="file" />
        </span>
      ) : (
        <a href={preview} target="_blank" rel="noreferrer" aria-label={`Open ${fileName}`}>
          <img src={preview} alt="" className={styles["picture"]} />
        </a>
      )}
      <span className={styles["words"]}>
        <a href={downloadUrl} download={fileName} className={styles["fileName"]} dir="auto">
          {fileName}
        </a>
        <span className={styles["meta"]}>
          {bytes(attachment.size)} · <RelativeTime iso={attachment.createdAt} prefix="Attached" />
        </span>
      </span>
      {!canEdit ? null : isAsking ? (
        <IconButton
          icon="trash"
          label={`Permanently remove ${fileName}`}
          small
          variant="danger"
          onBlur={() => setAsking(false)}
          onClick={() => detach.mutate(attachment.id)}
          autoFocus
        />
      ) : (
        <IconButton
          icon="close"
          label={`Remove ${fileName}`}
          small
          onClick={() => setAsking(true)}
        />
      )}
    </li>
  );
};
