import type { Issue, IssueLink } from "@quartermaster/client";
import { Effect } from "effect";
import * as Api from "../Api.ts";
import type { CommandError } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import * as IssueText from "./IssueText.ts";

/** What an issue waits for, and what waits for it, as far as the caller may see it. */

/** Issues of a graph at most. */
const maxNodes = 500;

/** Links that an issue is read with; more are read as a list. */
const linksOfIssue = 100;

interface Edge {
  /** The blocker. */
  readonly from: string;
  /** The dependent. */
  readonly to: string;
}

type Node = Omit<Issue, "description" | "links">;

interface Graph {
  readonly nodes: ReadonlyArray<Node>;
  readonly edges: ReadonlyArray<Edge>;
  /** Whether there are issues beyond the limits. */
  readonly truncated: boolean;
}

type LinkType = "BlockedBy" | "Blocks";

const linksOf = (access: Api.Access, issue: Issue) =>
  issue.links.length < linksOfIssue
    ? Effect.succeed(issue.links)
    : Lists.take(access, Number.MAX_SAFE_INTEGER, (client, options) =>
        client.links.list({ issueId: issue.id, limit: 500 }, options),
      );

const orNull = <A>(effect: Effect.Effect<A, CommandError>) =>
  Effect.catchIf(
    effect,
    ({ kind }) => kind === "notFound",
    () => Effect.succeed(null),
  );

/** An issue with its links; null for one that the caller may not see. */
const visit = (access: Api.Access, issueId: string) =>
  Effect.gen(function* () {
    const issue = yield* Api.call(access, (client, options) =>
      client.issues.get({ issueId }, options),
    );
    return { issue, links: yield* linksOf(access, issue) };
  });

const edgeOf = ({ issueId, linkType, targetIssueId }: IssueLink): Edge =>
  linkType === "Blocks"
    ? { from: issueId, to: targetIssueId }
    : { from: targetIssueId, to: issueId };

/** Follows the links level by level, first to all blockers and then to all dependents. */
const read = Effect.fnUntraced(function* (access: Api.Access, rootId: string, depth: number) {
  const root = yield* visit(access, rootId);
  const nodes = new Map<string, Node>();
  const edges = new Map<string, Edge>();
  let truncated = false;

  const add = ({ description: _, links: __, ...node }: Issue) => nodes.set(node.id, node);

  const follow = Effect.fnUntraced(function* (linkType: LinkType) {
    let level = [root];
    for (let distance = 0; level.length > 0; distance += 1) {
      const followed = level.flatMap(({ links }) =>
        links.filter((link) => link.linkType === linkType),
      );
      for (const link of followed) {
        const edge = edgeOf(link);
        edges.set(`${edge.from} ${edge.to}`, edge);
      }
      const targets = new Set(followed.map(({ targetIssueId }) => targetIssueId));
      const unknown = [...targets].filter((id) => !nodes.has(id));
      const next = distance < depth ? unknown.slice(0, maxNodes - nodes.size) : [];
      truncated ||= next.length < unknown.length;
      const visited = yield* Effect.forEach(next, (id) => orNull(visit(access, id)), {
        concurrency: 8,
      });
      level = visited.filter((visited) => visited !== null);
      for (const { issue } of level) add(issue);
    }
  });

  add(root.issue);
  yield* follow("BlockedBy");
  yield* follow("Blocks");
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()].filter(({ from, to }) => nodes.has(from) && nodes.has(to)),
    truncated,
  } satisfies Graph;
});

/** One side of the graph as a tree. An issue that has more than one way to it is expanded once. */
const treeOf = (graph: Graph, rootId: string, side: LinkType): ReadonlyArray<string> => {
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
      lines.push(`${indent}${IssueText.line(node)}${isRepeated ? " (see above)" : ""}`);
      if (expanded.has(other)) continue;
      expanded.add(other);
      expand(other, `${indent}  `);
    }
  };
  expand(rootId, "  ");
  return lines;
};

const linesOf = (graph: Graph, rootId: string): ReadonlyArray<string> => {
  const [root] = graph.nodes;
  const blockers = treeOf(graph, rootId, "BlockedBy");
  const dependents = treeOf(graph, rootId, "Blocks");
  return [
    ...(root === undefined ? [] : [IssueText.line(root)]),
    ...(blockers.length === 0 ? [] : ["blocked by", ...blockers]),
    ...(dependents.length === 0 ? [] : ["blocks", ...dependents]),
    ...(graph.truncated ? ["There are more issues than these."] : []),
  ];
};

/** `quartermaster issue graph`. */
export const graph = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly issue: string;
    readonly depth: number;
  },
) {
  const access = yield* Connection.open(flags);
  const graph = yield* read(access, flags.issue, flags.depth);
  yield* Output.one(flags.json, graph, linesOf(graph, flags.issue));
});
