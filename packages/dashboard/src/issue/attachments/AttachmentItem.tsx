import { useState } from "react";
import { isDrawn, usePicture } from "../../data/issues/files.ts";
import { type Attachment, useDetach } from "../../data/issues/upload.ts";
import { bytes } from "../../parts/bytes.ts";
import { Icon } from "../../parts/Icon.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { FilePreview } from "../../texts/FilePreview.tsx";
import styles from "../../texts/Files.module.css";

export const AttachmentItem = ({
  attachment,
  canEdit,
}: {
  readonly attachment: Attachment;
  readonly canEdit: boolean;
}) => {
  const detach = useDetach(attachment.issueId);
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { downloadUrl, fileName, id } = attachment;
  const picture = usePicture(id, isDrawn(attachment.contentType) && attachment.size <= 10_000_000);
  return (
    <li className={styles["file"]}>
      <button
        type="button"
        className={styles["open"]}
        aria-label={`Preview ${fileName}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {typeof picture === "string" ? (
          <img src={picture} alt="" className={styles["picture"]} />
        ) : (
          <span className={styles["fileIcon"]}>
            <Icon name="file" />
          </span>
        )}
      </button>
      <FilePreview
        id={id}
        fileName={fileName}
        downloadUrl={downloadUrl}
        size={attachment.size}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
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
