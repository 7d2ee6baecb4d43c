import { Suspense } from "react";
import { lazily } from "./lazily.ts";
import styles from "./Markdown.module.css";

const MarkdownText = lazily(() => import("./MarkdownText.tsx"), "MarkdownText");

/** Rendered Markdown. Shows plain text until the renderer is loaded. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <Suspense fallback={<div className={styles["markdown"]}>{text}</div>}>
    <MarkdownText text={text} />
  </Suspense>
);
