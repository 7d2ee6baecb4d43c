import { Suspense } from "react";
import { lazily } from "./lazily.ts";
import type { MarkdownProps } from "./MarkdownText.tsx";
import styles from "./Markdown.module.css";

const MarkdownText = lazily(() => import("./MarkdownText.tsx"), "MarkdownText");

/** Rendered Markdown. Shows plain text until the renderer is loaded. */
export const Markdown = (props: MarkdownProps) => (
  <Suspense fallback={<div className={styles["markdown"]}>{props.text}</div>}>
    <MarkdownText {...props} />
  </Suspense>
);
