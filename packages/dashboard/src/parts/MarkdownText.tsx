import { type ComponentProps, createContext, type ReactNode, Suspense, use, useMemo } from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { lazily } from "./lazily.ts";
import { lineBreaks } from "./lineBreaks.ts";
import { marks } from "./marks.ts";
import styles from "./Markdown.module.css";

const HighlightedCode = lazily(() => import("./HighlightedCode.tsx"), "HighlightedCode");

const plugins = [remarkGfm, lineBreaks, marks];

/** An attachment to which a text refers. */
export interface MarkdownFile {
  readonly id: string;
  readonly href: string;
  readonly text: string;
  /** Whether the text shows it as a picture. */
  readonly isPicture: boolean;
}

export interface MarkdownProps {
  readonly text: string;
  /** Shows a text that may be the key of an issue, or a mention such as `@ada`. Default: the text itself. */
  readonly mark?: ((text: string) => ReactNode) | undefined;
  /** Shows an attachment of an issue. Default: a link. */
  readonly file?: ((file: MarkdownFile) => ReactNode) | undefined;
  /** Ticks a task, or unticks it. `start` is the place of its list item in the text. Default: tasks cannot be ticked. */
  readonly onTask?: ((start: number, isDone: boolean) => void) | undefined;
}

/** Whether the link leads to another port of this host. The browser would send the session cookie to it. */
const isOtherPort = (href: string): boolean => {
  const { hostname, origin } = new URL(href, location.href);
  return hostname === location.hostname && origin !== location.origin;
};

/** The id of the attachment that a link of this page downloads; undefined for other links. */
const attachmentOf = (href: string): string | undefined => {
  const url = URL.parse(href, location.href);
  return url?.origin === location.origin
    ? /\/api\/projects\/attachments\/(att_[0-9A-Z]{26})\/download$/.exec(url.pathname)?.[1]
    : undefined;
};

const ShownContext = createContext<Omit<MarkdownProps, "text">>({});

/** The place of the list item in the text. */
const ItemContext = createContext<number | undefined>(undefined);

const Item = ({ children, className, node }: ComponentProps<"li"> & ExtraProps) => (
  <ItemContext value={node?.position?.start.offset}>
    <li className={className}>{children}</li>
  </ItemContext>
);

/** The checkbox of a task in a list. */
const Task = ({ checked = false }: ComponentProps<"input">) => {
  const { onTask } = use(ShownContext);
  const start = use(ItemContext);
  return onTask === undefined || start === undefined ? (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? "Done" : "Not done"} />
  ) : (
    <input
      type="checkbox"
      checked={checked}
      aria-label="Done"
      onChange={() => onTask(start, !checked)}
    />
  );
};

const Link = ({ children, href = "" }: ComponentProps<"a">) =>
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

const Anchor = ({ children, href = "" }: ComponentProps<"a">) => {
  const { file } = use(ShownContext);
  const id = attachmentOf(href);
  return id !== undefined && file !== undefined && typeof children === "string" ? (
    file({ id, href, text: children, isPicture: false })
  ) : (
    <Link href={href}>{children}</Link>
  );
};

/** Pictures of the issue are shown; others are links: the page loads no external images. */
const Picture = ({ alt, src }: ComponentProps<"img">) => {
  const { file } = use(ShownContext);
  const href = typeof src === "string" ? src : "";
  const id = attachmentOf(href);
  return id !== undefined && file !== undefined ? (
    file({ id, href, text: alt ?? "", isPicture: true })
  ) : (
    <Link href={href}>{alt || href}</Link>
  );
};

/** Scrollable, so it has to be reachable by keyboard. */
const Block = ({ children }: ComponentProps<"pre">) => <pre tabIndex={0}>{children}</pre>;

const Code = ({ children, className }: ComponentProps<"code">) => {
  const [, language] = /^language-(\S+)$/.exec(className ?? "") ?? [];
  return (
    <code>
      {language === undefined ? (
        children
      ) : (
        <Suspense fallback={children}>
          <HighlightedCode language={language.toLowerCase()} text={String(children)} />
        </Suspense>
      )}
    </code>
  );
};

/** A text that the plugin `marks` marked. */
const Mark = ({ value }: ComponentProps<"data">) => {
  const { mark } = use(ShownContext);
  return mark === undefined ? String(value) : mark(String(value));
};

const components: Components = {
  a: Anchor,
  img: Picture,
  pre: Block,
  code: Code,
  input: Task,
  li: Item,
  data: Mark,
};

/** Renders untrusted Markdown. HTML in it appears as text. */
export const MarkdownText = ({ file, mark, onTask, text }: MarkdownProps) => {
  const shown = useMemo(() => ({ file, mark, onTask }), [file, mark, onTask]);
  return (
    <ShownContext value={shown}>
      <div className={styles["markdown"]}>
        <ReactMarkdown remarkPlugins={plugins} components={components}>
          {text}
        </ReactMarkdown>
      </div>
    </ShownContext>
  );
};
