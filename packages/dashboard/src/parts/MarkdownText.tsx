import type { ComponentProps } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { lineBreaks } from "./lineBreaks.ts";
import styles from "./Markdown.module.css";

const plugins = [remarkGfm, lineBreaks];

/** Whether the link leads to another port of this host: the browser would send the session's cookie there. */
const isOtherPort = (href: string): boolean => {
  const { hostname, origin } = new URL(href, location.href);
  return hostname === location.hostname && origin !== location.origin;
};

const Anchor = ({ children, href = "" }: ComponentProps<"a">) =>
  URL.canParse(href, location.href) && isOtherPort(href) ? (
    <span>
      {children}
      {String(children) === href ? "" : ` (${href})`}
    </span>
  ) : (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  );

/** The page loads no picture of others: a link names it. */
const Picture = ({ alt, src }: ComponentProps<"img">) => {
  const url = typeof src === "string" ? src : "";
  return <Anchor href={url}>{alt || url}</Anchor>;
};

/** It may scroll, so the keyboard has to reach it. */
const Code = ({ children }: ComponentProps<"pre">) => <pre tabIndex={0}>{children}</pre>;

const components: Components = { a: Anchor, img: Picture, pre: Code };

/** Text of others. HTML in it is text. */
export const MarkdownText = ({ text }: { readonly text: string }) => (
  <div className={styles["markdown"]}>
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  </div>
);
