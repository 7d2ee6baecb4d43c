interface Node {
  readonly type: string;
  readonly value?: string;
  children?: Array<Node>;
}

const broken = (node: Node): Array<Node> => {
  if (node.type !== "text" || node.value === undefined) return [node];
  const lines = node.value.split("\n").map((value): Node => ({ type: "text", value }));
  return lines.flatMap((line, at) => (at === 0 ? [line] : [{ type: "break" }, line]));
};

const breakLines = (node: Node): void => {
  for (const child of node.children ?? []) breakLines(child);
  if (node.children !== undefined) node.children = node.children.flatMap(broken);
};

/** A remark plugin that renders single line breaks, as GitHub does in comments. */
export const lineBreaks = () => breakLines;
