import { Effect } from "effect";
import { isKey } from "../../access/IssueKeys.ts";
import { InvalidRequest } from "../../CommonErrors.ts";
import { DependencyCycle, namedCycle } from "../IssueErrors.ts";
import type { PlannedIssue } from "../Plan.ts";

/** The references in a plan: issues of the plan by ref, and existing issues by id or key. */

const isExisting = (name: string): boolean => name.startsWith("iss_") || isKey(name);

/** The issues with ids instead of keys. A ref has precedence over a key. */
export const withIds = Effect.fnUntraced(function* <E, R>(
  issues: ReadonlyArray<PlannedIssue>,
  idOf: (key: string) => Effect.Effect<string, E, R>,
) {
  const ids = new Map(issues.map(({ ref }) => [ref, ref]));
  for (const name of issues.flatMap(blockersOf)) {
    if (isKey(name) && !ids.has(name)) ids.set(name, yield* idOf(name));
  }
  const replaced = (name: string) => ids.get(name) ?? name;
  return issues.map((issue): PlannedIssue => ({
    ...issue,
    ...(issue.blockedBy == null ? {} : { blockedBy: issue.blockedBy.map(replaced) }),
    ...(issue.blockedByIssueId == null
      ? {}
      : { blockedByIssueId: replaced(issue.blockedByIssueId) }),
  }));
});

/** Each blocker of the issue once, with the field that names it first. */
const namesOf = ({ blockedBy, blockedByIssueId }: PlannedIssue) =>
  new Map([
    ...(blockedByIssueId == null ? [] : [[blockedByIssueId, "blockedByIssueId"] as const]),
    ...(blockedBy ?? []).map((name) => [name, "blockedBy"] as const),
  ]);

/** The distinct blockers of the issue. */
export const blockersOf = (issue: PlannedIssue): ReadonlyArray<string> => [
  ...namesOf(issue).keys(),
];

/** The names of existing issues, by the path of the field that names them first. */
export const idsOf = (issues: ReadonlyArray<PlannedIssue>): ReadonlyMap<string, string> => {
  const refs = new Set(issues.map(({ ref }) => ref));
  const paths = new Map<string, string>();
  for (const [index, issue] of issues.entries()) {
    for (const [name, field] of namesOf(issue)) {
      if (isExisting(name) && !refs.has(name) && !paths.has(name))
        paths.set(name, `issues.${index}.${field}`);
    }
  }
  return paths;
};

/**
 * Fails if two issues have the same ref or external reference, or if a blocker is neither a ref nor
 * an id or key.
 */
export const check = (issues: ReadonlyArray<PlannedIssue>): Effect.Effect<void, InvalidRequest> => {
  const errors: Array<InvalidRequest["errors"][number]> = [];
  const refs = new Set<string>();
  const externalRefs = new Set<string>();
  for (const [index, { externalRef, ref }] of issues.entries()) {
    if (refs.has(ref)) {
      errors.push({
        path: `issues.${index}.ref`,
        message: "Another issue of the plan has this ref.",
      });
    }
    refs.add(ref);
    if (externalRef == null) continue;
    if (externalRefs.has(externalRef)) {
      errors.push({
        path: `issues.${index}.externalRef`,
        message: "Another issue of the plan has this externalRef.",
      });
    }
    externalRefs.add(externalRef);
  }
  for (const [index, issue] of issues.entries()) {
    for (const [name, field] of namesOf(issue)) {
      if (isExisting(name) || refs.has(name)) continue;
      errors.push({
        path: `issues.${index}.${field}`,
        message: `Name a ref of the plan, or the id or key of an issue, not ${JSON.stringify(name.slice(0, 64))}.`,
      });
    }
  }
  return errors.length === 0 ? Effect.void : Effect.fail(new InvalidRequest({ errors }));
};

/** Fails if issues of the plan wait for each other. The cycle starts and stops at the same ref. */
export const checkAcyclic = (
  issues: ReadonlyArray<PlannedIssue>,
): Effect.Effect<void, DependencyCycle> => {
  const blockers = new Map(issues.map((issue) => [issue.ref, blockersOf(issue)]));
  const finished = new Set<string>();
  /** `path` contains the dependents of the issue, each of which waits for the next. */
  const find = (ref: string, path: ReadonlyArray<string>): ReadonlyArray<string> | null => {
    const start = path.indexOf(ref);
    const here = [...path, ref];
    if (start >= 0) return here.slice(start).toReversed();
    if (finished.has(ref)) return null;
    for (const blocker of blockers.get(ref) ?? []) {
      const cycle = find(blocker, here);
      if (cycle !== null) return cycle;
    }
    finished.add(ref);
    return null;
  };
  for (const { ref } of issues) {
    const cycle = find(ref, []);
    if (cycle !== null) return Effect.fail(new DependencyCycle({ cycle: namedCycle(cycle) }));
  }
  return Effect.void;
};
