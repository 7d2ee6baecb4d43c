interface Node {
  readonly type: string;
  readonly value?: string;
  readonly data?: object;
  children?: Array<Node>;
}

/** In upper case only: `top-10` is not a key. */
const key = /(?<![\p{L}\p{N}_/.-])[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,14}(?![\p{L}\p{N}_-])/u;

/** As the server recognizes it: neither a mail address nor the scope of a package. */
export const mention =
  /(?<![\p{L}\p{M}\p{N}./@+%=&#-])@(?=([A-Za-z0-9](?:[A-Za-z0-9._:-]*[A-Za-z0-9])?))\1(?![\p{L}\p{M}\p{N}/@])/u;

const marked = new RegExp(`${mention.source}|${key.source}`, "gu");

const split = (node: Node): Array<Node> => {
  if (node.type !== "text" || node.value === undefined) return [node];
  const parts: Array<Node> = [];
  let at = 0;
  for (const { 0: mark, index } of node.value.matchAll(marked)) {
    parts.push({ type: "text", value: node.value.slice(at, index) });
    parts.push({
      type: "mark",
      data: { hName: "data", hProperties: { value: mark } },
      children: [{ type: "text", value: mark }],
    });
    at = index + mark.length;
  }
  return [...parts, { type: "text", value: node.value.slice(at) }];
};

const mark = (node: Node): void => {
  if (node.children === undefined || node.type === "link" || node.type === "linkReference") return;
  for (const child of node.children) mark(child);
  node.children = node.children.flatMap(split);
};

/**
 * A remark plugin that marks what may be the key of an issue, and mentions such as `@ada`, as `data` elements. Code and
 * links stay as they are.
 */
export const marks = () => mark;
