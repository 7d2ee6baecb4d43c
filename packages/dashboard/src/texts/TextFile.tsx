import { usePicture } from "../data/issues/files.ts";
import type { MarkdownFile } from "../parts/MarkdownText.tsx";
import { FileLink } from "./FileLink.tsx";
import styles from "./Texts.module.css";

/** An attachment to which a text refers: a small picture, or a link that opens the preview. */
export const TextFile = ({ href, id, isPicture, text }: MarkdownFile) => {
  const url = usePicture(id, isPicture);
  const name = text === "" ? "file" : text;
  return (
    <FileLink id={id} fileName={name} downloadUrl={href}>
      {typeof url === "string" ? <img src={url} alt={name} className={styles["picture"]} /> : name}
    </FileLink>
  );
};
