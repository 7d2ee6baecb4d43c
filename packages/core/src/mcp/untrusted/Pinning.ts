import { canonicalOf, type ToolKind, type ToolRow, type ToolState } from "../Tool.ts";
import * as Definition from "./Definition.ts";
import * as Prompt from "./Prompt.ts";

/**
 * The pinned definitions of a server's tools and prompts, and their changes by a new list and by an
 * acceptance.
 */

/** Identifies a row of a server: a tool and a prompt may have the same name. */
export const keyOf = ({ kind, name }: Pick<ToolRow, "kind" | "name">): string => `${kind} ${name}`;

/** The names in such keys. */
export const namesOf = (keys: Iterable<string>): ReadonlyArray<string> =>
  Array.from(keys, (key) => key.slice(key.indexOf(" ") + 1));

const rulesOf = { tool: Definition, prompt: Prompt };

/**
 * A row by the rules of this version. Earlier versions stored definitions in the form of their
 * servers.
 */
export const judged = ({ accepted, current, problem, ...row }: ToolRow): ToolRow => {
  const { problemOf, repaired } = rulesOf[row.kind];
  const now = current === null ? null : repaired(current);
  return {
    ...row,
    accepted: accepted === null ? null : repaired(accepted),
    current: now,
    problem: problem ?? (now === null ? null : problemOf(now)),
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

const observeKind = (
  kind: ToolKind,
  rows: ReadonlyArray<ToolRow>,
  { tools }: Definition.Listing,
): ReadonlyArray<ToolRow> => {
  const before = new Map(rows.map((row) => [row.name, row]));
  const listed = tools.map(({ definition, name, problem }) => ({
    kind,
    name,
    position: 0,
    accepted: before.get(name)?.accepted ?? null,
    current: definition,
    problem,
    blocked: before.get(name)?.blocked ?? false,
  }));
  const present = new Set(listed.map(({ name }) => name));
  const gone = rows
    .filter((row) => !present.has(row.name) && (row.accepted !== null || row.blocked))
    .map((row) => ({ ...row, current: null, problem: null }));
  return [...listed, ...gone];
};

/**
 * The rows after the server sent these lists. A list accepts nothing. Prompts that the server did not
 * list do not change.
 */
export const observe = (
  rows: ReadonlyArray<ToolRow>,
  listing: Omit<Definition.ServerListing, "greeting">,
): ReadonlyArray<ToolRow> => {
  const tools = rows.filter(({ kind }) => kind === "tool");
  const prompts = rows.filter(({ kind }) => kind === "prompt");
  return [
    ...observeKind("tool", tools, listing),
    ...(listing.prompts === null ? prompts : observeKind("prompt", prompts, listing.prompts)),
  ].map((row, position) => ({ ...row, position }));
};

const acceptable: ReadonlySet<ToolState> = new Set(["new", "changed"]);

/**
 * The rows after a person accepted the current definitions of the rows with these keys. Removes
 * tools and prompts that the server no longer lists.
 */
export const accept = (
  rows: ReadonlyArray<ToolRow>,
  keys: ReadonlySet<string>,
): ReadonlyArray<ToolRow> =>
  rows
    .filter((row) => !(keys.has(keyOf(row)) && stateOf(row) === "gone"))
    .map((row, position) => ({
      ...row,
      position,
      accepted: keys.has(keyOf(row)) && acceptable.has(stateOf(row)) ? row.current : row.accepted,
    }));

/**
 * The rows after the tools and prompts with these names were blocked or unblocked, including names that the
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
    ...unseen.map((name) => ({
      kind: "tool" as const,
      name,
      accepted: null,
      current: null,
      problem: null,
      blocked,
    })),
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
    const { accepted, blocked, position } = row;
    return (
      keyOf(row) === keyOf(other) &&
      position === other.position &&
      blocked === other.blocked &&
      listedAs(row) === listedAs(other) &&
      (accepted === null || other.accepted === null
        ? accepted === other.accepted
        : canonicalOf(accepted) === canonicalOf(other.accepted))
    );
  });

/**
 * The keys of the rows whose definitions are the same in both lists, so that what a caller saw
 * before still holds.
 */
export const unchanged = (
  before: ReadonlyArray<ToolRow>,
  after: ReadonlyArray<ToolRow>,
): ReadonlySet<string> => {
  const seen = new Map(before.map((row) => [keyOf(row), listedAs(row)]));
  return new Set(after.filter((row) => seen.get(keyOf(row)) === listedAs(row)).map(keyOf));
};
