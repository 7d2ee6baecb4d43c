import type { IssueGraph } from "@quartermaster/client";
import { Effect } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Look from "../Look.ts";
import * as Output from "../Output.ts";
import * as IssueText from "./IssueText.ts";

/** Trees of the blockers and dependents of an issue that the caller may see. */

type LinkType = "BlockedBy" | "Blocks";

/** One side of the graph as a tree. An issue with several paths to it is expanded once. */
const treeOf = (
  look: Look.Look,
  graph: IssueGraph,
  rootId: string,
  side: LinkType,
): ReadonlyArray<string> => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const next = new Map<string, Array<string>>();
  for (const { from, to } of graph.edges) {
    const [at, other] = side === "BlockedBy" ? [to, from] : [from, to];
    next.set(at, [...(next.get(at) ?? []), other]);
  }
  const expanded = new Set<string>();
  const lines: Array<string> = [];
  const expand = (id: string, indent: string) => {
    for (const other of next.get(id) ?? []) {
      const node = nodes.get(other);
      if (node === undefined) continue;
      const isRepeated = expanded.has(other) && next.has(other);
      lines.push(`${indent}${IssueText.line(look, node)}${isRepeated ? " (see above)" : ""}`);
      if (expanded.has(other)) continue;
      expanded.add(other);
      expand(other, `${indent}  `);
    }
  };
  expand(rootId, "  ");
  return lines;
};

const linesOf = (look: Look.Look, graph: IssueGraph): ReadonlyArray<string> => {
  const [root] = graph.nodes;
  const rootId = root?.id ?? "";
  const blockers = treeOf(look, graph, rootId, "BlockedBy");
  const dependents = treeOf(look, graph, rootId, "Blocks");
  const lines = [
    ...(root === undefined ? [] : [IssueText.line(look, root)]),
    ...(blockers.length === 0 ? [] : ["blocked by", ...blockers]),
    ...(dependents.length === 0 ? [] : ["blocks", ...dependents]),
    ...(graph.truncated ? ["There are more issues than these."] : []),
  ];
  return lines.map((line) => Look.cut(line, look.columns));
};

/** `quartermaster issue graph`. */
export const graph = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly issue: string;
    readonly depth: number;
  },
) {
  const access = yield* Connection.open(flags);
  const graph = yield* Api.call(access, (client, options) =>
    client.issues.graph({ issueId: flags.issue, depth: flags.depth }, options),
  );
  yield* Output.one(flags.json, graph, (look) => linesOf(look, graph));
});
