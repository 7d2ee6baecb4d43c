import type { BriefIssue, IssueGraph } from "@quartermaster/client";

/** The root of a blocked chain: an issue that no open issue blocks. */
export interface Root {
  readonly issue: BriefIssue;
  /** The number of open issues that it blocks, directly or through others. */
  readonly blocks: number;
}

const isOpen = ({ status }: BriefIssue) => status !== "Resolved" && status !== "Closed";

/** The roots of blocked chains, sorted by the number of issues that they block. The graphs may overlap. */
export const rootsOf = (
  graphs: ReadonlyArray<Pick<IssueGraph, "nodes" | "edges">>,
): ReadonlyArray<Root> => {
  const open = new Map<string, BriefIssue>();
  const dependents = new Map<string, Set<string>>();
  const blocked = new Set<string>();
  for (const { nodes } of graphs) {
    for (const node of nodes) if (isOpen(node)) open.set(node.id, node);
  }
  for (const { edges } of graphs) {
    for (const { from, to } of edges) {
      if (!open.has(from) || !open.has(to)) continue;
      dependents.set(from, (dependents.get(from) ?? new Set()).add(to));
      blocked.add(to);
    }
  }
  const reachedFrom = (start: string): number => {
    const reached = new Set<string>();
    const rest = [start];
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      for (const next of dependents.get(id) ?? []) {
        if (!reached.has(next)) {
          reached.add(next);
          rest.push(next);
        }
      }
    }
    return reached.size;
  };
  return [...dependents.keys()]
    .filter((id) => !blocked.has(id))
    .flatMap((id) => {
      const issue = open.get(id);
      return issue === undefined ? [] : [{ issue, blocks: reachedFrom(id) }];
    })
    .toSorted((a, b) => b.blocks - a.blocks || (a.issue.id < b.issue.id ? -1 : 1));
};
