import { canonicalOf, type ToolDefinition, type ToolRow, type ToolState } from "../Tool.ts";
import * as Definition from "./Definition.ts";

/**
 * The pinned definitions of a server's tools, and their changes by a new list and by an acceptance.
 */

const repaired = (definition: ToolDefinition | null): ToolDefinition | null =>
  definition === null ? null : Definition.repaired(definition);

/**
 * A row by the rules of this version. Earlier versions stored definitions in the form of their
 * servers.
 */
export const judged = ({ accepted, current, problem, ...row }: ToolRow): ToolRow => {
  const now = repaired(current);
  return {
    ...row,
    accepted: repaired(accepted),
    current: now,
    problem: problem ?? (now === null ? null : Definition.problemOf(now)),
  };
};

/** The state of a checked row. */
export const stateOf = ({ accepted, blocked, current, problem }: ToolRow): ToolState => {
  if (blocked) return "blocked";
  if (problem !== null) return "invalid";
  if (current === null) return "gone";
  if (accepted === null) return "new";
  return canonicalOf(accepted) === canonicalOf(current) ? "accepted" : "changed";
};

/** The rows after the server listed these tools. A list accepts nothing. */
export const observe = (
  rows: ReadonlyArray<ToolRow>,
  { tools }: Definition.Listing,
): ReadonlyArray<ToolRow> => {
  const before = new Map(rows.map((row) => [row.name, row]));
  const listed = tools.map(({ definition, name, problem }, position) => ({
    name,
    position,
    accepted: before.get(name)?.accepted ?? null,
    current: definition,
    problem,
    blocked: before.get(name)?.blocked ?? false,
  }));
  const present = new Set(listed.map(({ name }) => name));
  const gone = rows
    .filter((row) => !present.has(row.name) && (row.accepted !== null || row.blocked))
    .map((row, index) => ({
      ...row,
      position: listed.length + index,
      current: null,
      problem: null,
    }));
  return [...listed, ...gone];
};

const acceptable: ReadonlySet<ToolState> = new Set(["new", "changed"]);

/**
 * The rows after a person accepted the current definitions of the tools with these names. Removes
 * tools that the server no longer lists.
 */
export const accept = (
  rows: ReadonlyArray<ToolRow>,
  names: ReadonlySet<string>,
): ReadonlyArray<ToolRow> =>
  rows
    .filter((row) => !(names.has(row.name) && stateOf(row) === "gone"))
    .map((row, position) => ({
      ...row,
      position,
      accepted: names.has(row.name) && acceptable.has(stateOf(row)) ? row.current : row.accepted,
    }));

/**
 * The rows after the tools with these names were blocked or unblocked, including names that the
 * server has not listed.
 */
export const block = (
  rows: ReadonlyArray<ToolRow>,
  names: ReadonlySet<string>,
  blocked: boolean,
): ReadonlyArray<ToolRow> => {
  const known = new Set(rows.map(({ name }) => name));
  const unseen = blocked ? [...names].filter((name) => !known.has(name)) : [];
  return [
    ...rows.map((row) => (names.has(row.name) ? { ...row, blocked } : row)),
    ...unseen.map((name) => ({ name, accepted: null, current: null, problem: null, blocked })),
  ]
    .filter(
      (row) => row.blocked || row.accepted !== null || row.current !== null || row.problem !== null,
    )
    .map((row, position) => ({ ...row, position }));
};

const listedAs = ({ current, problem }: ToolRow): string =>
  `${problem}\n${current === null ? "" : canonicalOf(current)}`;

/** Returns whether storage has the same rows. */
export const areSame = (before: ReadonlyArray<ToolRow>, after: ReadonlyArray<ToolRow>): boolean =>
  before.length === after.length &&
  before.every((row, index) => {
    const other = after[index];
    if (other === undefined) return false;
    const { accepted, blocked, name, position } = row;
    return (
      name === other.name &&
      position === other.position &&
      blocked === other.blocked &&
      listedAs(row) === listedAs(other) &&
      (accepted === null || other.accepted === null
        ? accepted === other.accepted
        : canonicalOf(accepted) === canonicalOf(other.accepted))
    );
  });

/**
 * The names of the tools whose definitions are the same in both lists, so that what a caller saw
 * before still holds.
 */
export const unchanged = (
  before: ReadonlyArray<ToolRow>,
  after: ReadonlyArray<ToolRow>,
): ReadonlySet<string> => {
  const seen = new Map(before.map((row) => [row.name, listedAs(row)]));
  return new Set(
    after.filter((row) => seen.get(row.name) === listedAs(row)).map(({ name }) => name),
  );
};
