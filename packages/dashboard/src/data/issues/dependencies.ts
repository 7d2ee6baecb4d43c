import type { BriefIssue, IssueGraph } from "@quartermaster/client";

export type { IssueGraph } from "@quartermaster/client";
export type GraphIssue = BriefIssue;

/** A node of the dependency graph, with the numbers that the picture and the list show. */
export interface Dependency {
  readonly issue: GraphIssue;
  /** The number of open issues that depend on it, directly or through others. */
  readonly waiting: number;
  /** The ids of its direct blockers. `dependents` has the ids of the issues that it blocks. */
  readonly blockers: ReadonlyArray<string>;
  readonly dependents: ReadonlyArray<string>;
  readonly isCritical: boolean;
}

export interface Model {
  /** The issues with dependencies, sorted by `waiting`, largest first. */
  readonly items: ReadonlyArray<Dependency>;
  readonly byId: ReadonlyMap<string, Dependency>;
  readonly edges: ReadonlyArray<{
    readonly from: string;
    readonly to: string;
    readonly isCritical: boolean;
  }>;
  /** The longest chain of open issues, starting at its root. Empty if no issue is blocked. */
  readonly critical: ReadonlyArray<GraphIssue>;
  /** The number of issues without dependencies. The model leaves them out. */
  readonly alone: number;
}

const isOpen = ({ status }: GraphIssue) => status !== "Resolved" && status !== "Closed";

/** Sorts the issues topologically: blockers before dependents. */
const sorted = (
  ids: ReadonlyArray<string>,
  blockers: ReadonlyMap<string, ReadonlyArray<string>>,
  dependents: ReadonlyMap<string, ReadonlyArray<string>>,
) => {
  const missing = new Map(ids.map((id) => [id, blockers.get(id)?.length ?? 0]));
  const order = ids.filter((id) => missing.get(id) === 0);
  for (let at = 0; at < order.length; at++) {
    for (const next of dependents.get(order[at] ?? "") ?? []) {
      const rest = (missing.get(next) ?? 0) - 1;
      missing.set(next, rest);
      if (rest === 0) order.push(next);
    }
  }
  return order;
};

/** The longest chain. Among equally long chains, the one that ends first in the topological order. */
const longestChain = (
  order: ReadonlyArray<string>,
  blockers: ReadonlyMap<string, ReadonlyArray<string>>,
) => {
  const lengths = new Map<string, number>();
  const before = new Map<string, string>();
  let last: string | undefined;
  for (const id of order) {
    let length = 1;
    for (const blocker of blockers.get(id) ?? []) {
      const through = (lengths.get(blocker) ?? 0) + 1;
      if (through <= length) continue;
      length = through;
      before.set(id, blocker);
    }
    lengths.set(id, length);
    if (length > 1 && length > (lengths.get(last ?? "") ?? 0)) last = id;
  }
  const chain: Array<string> = [];
  for (let id = last; id !== undefined; id = before.get(id)) chain.unshift(id);
  return chain;
};

const waitingFor = (id: string, dependents: ReadonlyMap<string, ReadonlyArray<string>>) => {
  const found = new Set<string>();
  const rest = [id];
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    for (const next of dependents.get(at) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      rest.push(next);
    }
  }
  return found.size;
};

/** The second ids of the pairs, grouped by the first. */
const endsOf = (pairs: ReadonlyArray<readonly [string, string]>) =>
  new Map(
    [...Map.groupBy(pairs, ([id]) => id)].map(([id, ends]) => [id, ends.map(([, end]) => end)]),
  );

/** The graph without resolved and closed issues. */
export const openOf = ({ edges, nodes, ...graph }: IssueGraph): IssueGraph => {
  const open = new Set(nodes.filter(isOpen).map(({ id }) => id));
  return {
    ...graph,
    nodes: nodes.filter(({ id }) => open.has(id)),
    edges: edges.filter(({ from, to }) => open.has(from) && open.has(to)),
  };
};

export const modelOf = ({ edges, nodes }: IssueGraph): Model => {
  const issues = new Map(nodes.map((issue) => [issue.id, issue]));
  const blockers = endsOf(edges.map(({ from, to }) => [to, from]));
  const dependents = endsOf(edges.map(({ from, to }) => [from, to]));
  const openEdges = edges.filter(({ from, to }) =>
    [from, to].every((id) => {
      const issue = issues.get(id);
      return issue !== undefined && isOpen(issue);
    }),
  );
  const openBlockers = endsOf(openEdges.map(({ from, to }) => [to, from]));
  const openDependents = endsOf(openEdges.map(({ from, to }) => [from, to]));
  const openIds = nodes.filter(isOpen).map(({ id }) => id);
  const chain = longestChain(sorted(openIds, openBlockers, openDependents), openBlockers);
  const links = new Set(chain.slice(1).map((id, index) => `${chain[index]} ${id}`));
  const members = new Set(chain);

  const items = nodes
    .filter(({ id }) => blockers.has(id) || dependents.has(id))
    .map((issue) => ({
      issue,
      waiting: waitingFor(issue.id, openDependents),
      blockers: blockers.get(issue.id) ?? [],
      dependents: dependents.get(issue.id) ?? [],
      isCritical: members.has(issue.id),
    }))
    .toSorted((a, b) => b.waiting - a.waiting || Number(isOpen(b.issue)) - Number(isOpen(a.issue)));
  return {
    items,
    byId: new Map(items.map((item) => [item.issue.id, item])),
    edges: edges.map(({ from, to }) => ({ from, to, isCritical: links.has(`${from} ${to}`) })),
    critical: chain.flatMap((id) => issues.get(id) ?? []),
    alone: nodes.length - items.length,
  };
};
