import { useEffect, useRef, useState } from "react";
import { useAttachments, useUploads } from "../../data/issues/upload.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { SendingItem } from "../../texts/SendingItem.tsx";
import { AttachmentItem } from "./AttachmentItem.tsx";
import styles from "./Attachments.module.css";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;

/** The attachments of the issue. Users add files by drop, paste or a file dialog. */
export const Attachments = ({
  canEdit,
  issueId,
}: {
  readonly issueId: string;
  readonly canEdit: boolean;
}) => {
  const { data = [], error } = useAttachments(issueId);
  const { again, drop, send, sending } = useUploads(issueId);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  useEffect(() => {
    if (!canEdit) return undefined;
    const events = new AbortController();
    const { signal } = events;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(false);
      // A text took them.
      if (event.defaultPrevented) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    const onPaste = ({ clipboardData, defaultPrevented }: ClipboardEvent) => {
      if (defaultPrevented) return;
      // Pasted text often comes with a rendered picture of itself: ignore the picture.
      if (clipboardData === null || clipboardData.types.includes("text/plain")) return;
      latest.current([...clipboardData.files]);
    };
    addEventListener("dragover", onOver, { signal });
    addEventListener("dragleave", onLeave, { signal });
    addEventListener("drop", onDrop, { signal });
    addEventListener("paste", onPaste, { signal });
    return () => events.abort();
  }, [canEdit]);

  if (data.length === 0 && sending.length === 0 && !canEdit && error === null) return null;
  return (
    <section className={styles["attachments"]} aria-label="Attachments">
      <ErrorNote error={error} />
      {data.length === 0 && sending.length === 0 ? null : (
        <ul className={styles["files"]}>
          {data.map((attachment) => (
            <AttachmentItem key={attachment.id} attachment={attachment} canEdit={canEdit} />
          ))}
          {sending.map((one) => (
            <SendingItem
              key={one.id}
              sending={one}
              onAgain={() => again(one)}
              onDrop={() => drop(one.id)}
            />
          ))}
        </ul>
      )}
      {canEdit ? (
        <div className={styles["more"]}>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label="Files to attach"
            onChange={({ target }) => {
              send([...(target.files ?? [])]);
              target.value = "";
            }}
          />
          <Button
            small
            variant="quiet"
            className={styles["add"]}
            onClick={() => input.current?.click()}
          >
            <Icon name="attach" size={14} />
            Attach files
          </Button>
          <span className={styles["hint"]}>or drop or paste files here</span>
        </div>
      ) : null}
      {isOver ? <div className={styles["drop"]}>Drop files to attach them</div> : null}
    </section>
  );
};
