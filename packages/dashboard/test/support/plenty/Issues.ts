import { agents, description, labelsOf, priorities, titleOf } from "./Texts.ts";

/** Plans of issues. Together they have 457 issues. */

const of = (n: number, more: object = {}) => ({
  ref: `${n}`,
  title: titleOf(n),
  description: n % 4 === 0 ? description : "Keep the public API unchanged.",
  priority: priorities[n % priorities.length],
  labels: labelsOf(n),
  ...more,
});

/** Issues of the agents in turn; each seventh has none. */
const plain = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    of(n, n % 7 === 6 ? {} : { assignedAgentId: agents[n % 6] }),
  );

/** Each issue waits for the one before. */
const chain = (count: number) =>
  Array.from({ length: count }, (_, n) => of(n, n === 0 ? {} : { blockedBy: [`${n - 1}`] }));

/** A tree with cross-links: what a plan of a large change looks like. */
const graph = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    if (n === 0) return of(n, { assignedAgentId: "mira" });
    const blockers = new Set([Math.floor(n / 3), ...(n % 5 === 0 ? [n - 2] : [])]);
    return of(n, { blockedBy: [...blockers].map(String) });
  });

export const plans: Readonly<Record<string, ReadonlyArray<object>>> = {
  shop: plain(120),
  payments: graph(160),
  infra: chain(60),
  mobile: plain(80),
  docs: plain(37),
};
