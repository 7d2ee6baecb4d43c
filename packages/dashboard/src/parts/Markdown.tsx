import { Suspense } from "react";
import { lazily } from "./lazily.ts";
import styles from "./Markdown.module.css";

const MarkdownText = lazily(() => import("./MarkdownText.tsx"), "MarkdownText");

/** Markdown, as plain text until its code is loaded. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <Suspense fallback={<div className={styles["markdown"]}>{text}</div>}>
    <MarkdownText text={text} />
  </Suspense>
);
