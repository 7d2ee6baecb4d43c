import type { Dependency, Model } from "../data/issues/dependencies.ts";

/** Issues that wait only for one issue and that nothing waits for, shown as one node. */
export interface Fold {
  readonly id: string;
  readonly parent: string;
  readonly count: number;
}

/** The fewest leaves of an issue that are folded. */
const fewest = 5;

const isLeaf = ({ blockers, dependents, isCritical }: Dependency): boolean =>
  dependents.length === 0 && blockers.length === 1 && !isCritical;

/** Folds leaves, except of the issues in `unfolded`. Found issues stay visible. */
export const folded = (
  model: Model,
  unfolded: ReadonlySet<string>,
  found: ReadonlySet<string>,
): { readonly model: Model; readonly folds: ReadonlyArray<Fold> } => {
  const leaves = model.items.flatMap(({ dependents, issue }) => {
    const ids = dependents.filter((id) => {
      const item = model.byId.get(id);
      return item !== undefined && isLeaf(item) && !found.has(id);
    });
    return unfolded.has(issue.id) || ids.length < fewest ? [] : [{ parent: issue.id, ids }];
  });
  const hidden = new Set(leaves.flatMap(({ ids }) => ids));
  return {
    model: {
      ...model,
      items: model.items.filter(({ issue }) => !hidden.has(issue.id)),
      edges: model.edges.filter(({ to }) => !hidden.has(to)),
    },
    folds: leaves.map(({ ids, parent }) => ({ id: `+${parent}`, parent, count: ids.length })),
  };
};

/** The issues whose title or key has the text; none for an empty text. */
export const findIn = ({ items }: Model, text: string): ReadonlySet<string> => {
  const wanted = text.trim().toLowerCase();
  return new Set(
    wanted === ""
      ? []
      : items.flatMap(({ issue: { id, key, title } }) =>
          `${key} ${title}`.toLowerCase().includes(wanted) ? [id] : [],
        ),
  );
};
