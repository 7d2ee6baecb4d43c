import type { ComponentProps } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { lineBreaks } from "./lineBreaks.ts";
import styles from "./Markdown.module.css";

const plugins = [remarkGfm, lineBreaks];

/** Whether the link leads to another port of this host. The browser would send the session cookie to it. */
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

/** Replaces images with links: the page loads no external images. */
const Picture = ({ alt, src }: ComponentProps<"img">) => {
  const url = typeof src === "string" ? src : "";
  return <Anchor href={url}>{alt || url}</Anchor>;
};

/** Scrollable, so it has to be reachable by keyboard. */
const Code = ({ children }: ComponentProps<"pre">) => <pre tabIndex={0}>{children}</pre>;

const components: Components = { a: Anchor, img: Picture, pre: Code };

/** Renders untrusted Markdown. HTML in it appears as text. */
export const MarkdownText = ({ text }: { readonly text: string }) => (
  <div className={styles["markdown"]}>
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  </div>
);
