import { Schema } from "effect";

/** The definition of a tool, as its server lists it; all properties are retained. */
export const ToolDefinition = Schema.Record(Schema.String, Schema.Unknown).annotate({
  identifier: "ToolDefinition",
  description: "The definition of a tool, with every property that its server listed.",
});
export type ToolDefinition = typeof ToolDefinition.Type & { readonly name: string };

/** How a tool stands to what was accepted at the last verify. */
export const ToolState = Schema.Literals(["accepted", "changed", "new", "gone"]);
export type ToolState = typeof ToolState.Type;

/** A tool of an installed server. */
export const ServerTool = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The tool's name at its server." }),
  state: ToolState.annotateKey({
    description:
      "`accepted`: agents may call it. `changed` and `new`: withheld until a verification accepts it. `gone`: the server no longer lists it.",
  }),
  accepted: Schema.NullOr(ToolDefinition).annotateKey({
    description: "The definition that was accepted; null for none.",
  }),
  current: Schema.NullOr(ToolDefinition).annotateKey({
    description: "The definition that the server listed last; null if it no longer does.",
  }),
}).annotate({ identifier: "ServerTool", description: "A tool of an installed server." });
export interface ServerTool extends Schema.Schema.Type<typeof ServerTool> {}

/** A JSON value with its object keys in order, so that equal values are equal text. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(",")}}`;
};

/**
 * A tool as storage keeps it, in the server's order (`position`): the definition that was accepted
 * and the one last seen, null for none.
 */
export interface ToolRow {
  readonly name: string;
  readonly position: number;
  readonly accepted: ToolDefinition | null;
  readonly current: ToolDefinition | null;
}

export const stateOf = ({
  accepted,
  current,
}: Pick<ToolRow, "accepted" | "current">): ToolState => {
  if (current === null) return "gone";
  if (accepted === null) return "new";
  return canonical(accepted) === canonical(current) ? "accepted" : "changed";
};

/** The rows after the server listed `current`. With `accept`, that is what is accepted from now on. */
export const observe = (
  rows: ReadonlyArray<ToolRow>,
  current: ReadonlyArray<ToolDefinition>,
  accept: boolean,
): ReadonlyArray<ToolRow> => {
  const known = new Map(rows.map((row) => [row.name, row]));
  const names = new Set(current.map(({ name }) => name));
  // Of tools of the same name the first one counts.
  const distinct = current.filter(({ name }) => names.delete(name));
  const listed = distinct.map((definition, position) => ({
    name: definition.name,
    position,
    accepted: accept ? definition : (known.get(definition.name)?.accepted ?? null),
    current: definition,
  }));
  if (accept) return listed;
  const present = new Set(listed.map(({ name }) => name));
  const gone = rows
    .filter((row) => !present.has(row.name) && row.accepted !== null)
    .map((row, index) => ({ ...row, position: listed.length + index, current: null }));
  return [...listed, ...gone];
};
