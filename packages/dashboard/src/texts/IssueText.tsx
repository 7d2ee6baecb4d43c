import { useIssueOfKey } from "../data/issues/issue.ts";
import { IssueLink } from "../parts/IssueLink.tsx";
import { Markdown } from "../parts/Markdown.tsx";
import type { MarkdownFile, MarkdownProps } from "../parts/MarkdownText.tsx";
import { Mention } from "./Mention.tsx";
import { TextFile } from "./TextFile.tsx";

/** The issue with a key, as a link with its title; the key itself if there is none, or the reader may not see it. */
const KeyLink = ({ issueKey }: { readonly issueKey: string }) => {
  const { data } = useIssueOfKey(issueKey);
  return data === undefined ? issueKey : <IssueLink issue={data} />;
};

const marked = (text: string) =>
  text.startsWith("@") ? <Mention id={text.slice(1)} /> : <KeyLink issueKey={text} />;

const shown = (file: MarkdownFile) => <TextFile {...file} />;

/** Rendered Markdown, in which keys of issues are links, mentions have names, and files have previews. */
export const IssueText = ({ onTask, text }: Pick<MarkdownProps, "onTask" | "text">) => (
  <Markdown text={text} mark={marked} file={shown} onTask={onTask} />
);
