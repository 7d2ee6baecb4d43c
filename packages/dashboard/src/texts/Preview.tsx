import { useMemo } from "react";
import {
  type FilePart,
  isDrawn,
  mostShown,
  useFileParts,
  usePicture,
} from "../data/issues/files.ts";
import { Button } from "../parts/Button.tsx";
import { bytes } from "../parts/bytes.ts";
import { classes } from "../parts/classes.ts";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { textOf, whyNone } from "./previews.ts";
import { PreviewText } from "./PreviewText.tsx";
import buttons from "../parts/Button.module.css";
import styles from "./Preview.module.css";

const Picture = ({ fileName, id }: { readonly id: string; readonly fileName: string }) => {
  const url = usePicture(id, true);
  if (url === undefined) return <Skeleton height={200} />;
  return url === null ? (
    <p className={styles["note"]}>The picture is too large for a preview.</p>
  ) : (
    <img src={url} alt={fileName} className={styles["picture"]} />
  );
};

const Content = ({
  fileName,
  hasMore,
  id,
  parts,
}: {
  readonly id: string;
  readonly fileName: string;
  readonly parts: ReadonlyArray<FilePart>;
  readonly hasMore: boolean;
}) => {
  const text = useMemo(() => textOf(parts), [parts]);
  const contentType = parts[0]?.contentType ?? "";
  if (isDrawn(contentType)) return <Picture id={id} fileName={fileName} />;
  const why = whyNone(contentType, fileName, text);
  if (why !== null || text === null) return <p className={styles["note"]}>{why}</p>;
  return (
    <PreviewText contentType={contentType} fileName={fileName} isWhole={!hasMore} text={text} />
  );
};

/** A dialog with the content of a file: nothing in it is executed, and a text is read in parts. */
export const Preview = ({
  downloadUrl,
  fileName,
  id,
  onClose,
  size: knownSize,
}: {
  readonly id: string;
  readonly fileName: string;
  readonly downloadUrl: string;
  /** The size in bytes, if it is known. */
  readonly size?: number | undefined;
  readonly onClose: () => void;
}) => {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = useFileParts(
    id,
    knownSize,
  );
  const parts = data?.pages ?? [];
  const size = parts[0]?.size ?? 0;
  const shown = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  const isText = parts.length > 0 && textOf(parts.slice(0, 1)) !== null;
  return (
    <Dialog open onClose={onClose} title={fileName} className={styles["preview"]}>
      <ErrorNote error={error} />
      {parts.length > 0 ? (
        <Content id={id} fileName={fileName} parts={parts} hasMore={shown < size} />
      ) : error === null ? (
        <Skeleton height={200} />
      ) : null}
      <DialogFoot>
        <span className={styles["size"]}>
          {isText && shown < size ? `${bytes(shown)} of ${bytes(size)}` : bytes(size)}
          {isText && shown < size && shown >= mostShown ? ". The download has the rest." : ""}
        </span>
        {isText && hasNextPage ? (
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        ) : null}
        <a
          href={downloadUrl}
          download={fileName}
          className={classes(buttons["button"], buttons["default"])}
        >
          Download
        </a>
      </DialogFoot>
    </Dialog>
  );
};
