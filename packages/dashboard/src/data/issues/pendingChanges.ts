import type { BriefIssue } from "@quartermaster/client";

/** The changes that the page shows before the server has saved them, by issue. */
export const pendingChanges = () => {
  const all = new Map<string, ReadonlyArray<Partial<BriefIssue>>>();
  return {
    /** Shows the fields until the returned function is called. */
    add: (id: string, fields: Partial<BriefIssue>): (() => void) => {
      all.set(id, [...(all.get(id) ?? []), fields]);
      return () => {
        const rest = (all.get(id) ?? []).filter((other) => other !== fields);
        if (rest.length === 0) all.delete(id);
        else all.set(id, rest);
      };
    },
    /** The issue as the page shows it: what the server sent, with the changes that it does not have yet. */
    over: <A extends { readonly id: string }>(issue: A): A => {
      const changes = all.get(issue.id);
      return changes === undefined ? issue : Object.assign({}, issue, ...changes);
    },
  };
};
