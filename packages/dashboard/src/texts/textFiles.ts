import type { RefObject } from "react";
import { type Attachment, type Sending, useUploads } from "../data/issues/upload.ts";
import { replaceText } from "./replaceText.ts";

/** The files that a text gets: each is attached to the issue, and the text refers to it. */
export interface TextFiles {
  readonly sending: ReadonlyArray<Sending>;
  /** Whether an upload is running, so that the text has no reference to its file yet. */
  readonly isBusy: boolean;
  readonly send: (files: ReadonlyArray<File>) => void;
  readonly again: (sending: Sending) => void;
  readonly drop: (id: number) => void;
}

/** The file in Markdown: a picture, or a link. */
export const referenceTo = ({ contentType, downloadUrl, fileName }: Attachment): string => {
  const name = fileName.replaceAll(/[\\[\]`*_<>]/g, (mark) => `\\${mark}`);
  return `${contentType.startsWith("image/") ? "!" : ""}[${name}](${downloadUrl})`;
};

/** Inserts the reference at the caret, on a line of its own. */
const insert = (field: HTMLTextAreaElement | null, attachment: Attachment): void => {
  if (field === null) return;
  const { selectionEnd, value } = field;
  const before = value.slice(0, selectionEnd);
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  replaceText(field, `${gap}${referenceTo(attachment)}\n`, selectionEnd, selectionEnd);
};

export const useTextFiles = (
  issueId: string,
  input: RefObject<HTMLTextAreaElement | null>,
): TextFiles => {
  const uploads = useUploads(issueId, (attachment) => insert(input.current, attachment));
  return { ...uploads, isBusy: uploads.sending.some(({ error }) => error === null) };
};
