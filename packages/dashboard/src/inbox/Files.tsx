import { useAttachments } from "../data/issues/upload.ts";
import { bytes } from "../parts/bytes.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { FileLink } from "../texts/FileLink.tsx";
import { isPatch, PatchFile } from "./PatchFile.tsx";
import styles from "./Item.module.css";

/** The number of patches that are shown below their names. */
const mostPatches = 3;

/** The files of the issue, the newest first. Patches are shown line by line. */
export const Files = ({ issueId }: { readonly issueId: string }) => {
  const { data = [], error } = useAttachments(issueId);
  if (error !== null) return <ErrorNote error={error} />;
  if (data.length === 0) return null;
  const files = data.toReversed();
  return (
    <section className={styles["part"]} aria-label="Files">
      <h3 className={styles["heading"]}>{files.length === 1 ? "File" : "Files"}</h3>
      <ul className={styles["files"]}>
        {files.map(({ createdAt, downloadUrl, fileName, id, size }) => (
          <li key={id}>
            <Icon name="file" />
            <FileLink id={id} fileName={fileName} downloadUrl={downloadUrl} size={size}>
              {fileName}
            </FileLink>
            <span>
              {bytes(size)} · <RelativeTime iso={createdAt} prefix="Attached" />
            </span>
          </li>
        ))}
      </ul>
      {files
        .filter(isPatch)
        .slice(0, mostPatches)
        .map((file) => (
          <PatchFile key={file.id} file={file} />
        ))}
    </section>
  );
};
