import { Schema } from "effect";

/** The definition of a tool, as its server lists it. */
export const ToolDefinition = Schema.Record(Schema.String, Schema.Unknown).annotate({
  identifier: "ToolDefinition",
  description: "The definition of a tool, with every property that its server listed.",
});
export type ToolDefinition = typeof ToolDefinition.Type & { readonly name: string };

/** How a tool stands to what was accepted. */
export const ToolState = Schema.Literals([
  "accepted",
  "changed",
  "new",
  "gone",
  "invalid",
  "blocked",
]);
export type ToolState = typeof ToolState.Type;

/** A tool of an installed server. */
export const ServerTool = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The tool's name at its server." }),
  state: ToolState.annotateKey({
    description:
      "`accepted`: agents may call it. `changed` and `new`: withheld until a verification accepts it. `gone`: the server no longer lists it. `invalid`: withheld, because clients could not read its definition. `blocked`: withheld by an Admin, whatever the server lists.",
  }),
  reason: Schema.NullOr(Schema.String).annotateKey({
    description: "Why the tool is `invalid`; null in other states.",
  }),
  accepted: Schema.NullOr(ToolDefinition).annotateKey({
    description: "The definition that was accepted; null for none.",
  }),
  current: Schema.NullOr(ToolDefinition).annotateKey({
    description:
      "The definition that the server listed last, repaired; null if the server no longer lists it, or if it is too large.",
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
 * and the one last seen, null for none. `problem` is why the one last seen is withheld; an Admin blocks a tool
 * whatever its definition is.
 */
export interface ToolRow {
  readonly name: string;
  readonly position: number;
  readonly accepted: ToolDefinition | null;
  readonly current: ToolDefinition | null;
  readonly problem: string | null;
  readonly blocked: boolean;
}
