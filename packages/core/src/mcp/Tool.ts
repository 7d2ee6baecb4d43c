import { Schema } from "effect";

/** The definition of a tool, in its server's list. */
export const ToolDefinition = Schema.Record(Schema.String, Schema.Unknown).annotate({
  identifier: "ToolDefinition",
  description: "The definition of a tool, with every property that its server listed.",
});
export type ToolDefinition = typeof ToolDefinition.Type & { readonly name: string };

/** The state of a tool compared with its accepted definition. */
export const ToolState = Schema.Literals([
  "accepted",
  "changed",
  "new",
  "gone",
  "invalid",
  "blocked",
]);
export type ToolState = typeof ToolState.Type;

/** The kinds of pinned definitions in a server's lists. */
export const ToolKind = Schema.Literals(["tool", "prompt"]);
export type ToolKind = typeof ToolKind.Type;

/** A tool or prompt of an installed server. */
export const ServerTool = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The server's own name of the tool." }),
  kind: ToolKind.annotateKey({
    description:
      "`tool`, or `prompt`: a template of messages, which is pinned, accepted and blocked like a tool.",
  }),
  state: ToolState.annotateKey({
    description:
      "`accepted`: agents can call it. `changed` and `new`: withheld until a person accepts it. `gone`: the server no longer lists it. `invalid`: withheld, because clients cannot read its definition. `blocked`: withheld by an Admin.",
  }),
  reason: Schema.NullOr(Schema.String).annotateKey({
    description: "The reason of the state `invalid`; null in other states.",
  }),
  digest: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The SHA-256 hash, in hex, of `current`, or of `accepted` if the server no longer lists the tool. Pass it to accept the tool. Null if there is neither.",
  }),
  tokens: Schema.Int.annotateKey({
    description:
      "Estimated tokens that the definition costs a model: its characters divided by 4. 0 for a prompt, whose definition no model reads.",
  }),
  once: Schema.Boolean.annotateKey({
    description: "Whether calls of the tool are effects, by the server's `once`.",
  }),
  accepted: Schema.NullOr(ToolDefinition).annotateKey({
    description: "The accepted definition; null if there is none.",
  }),
  current: Schema.NullOr(ToolDefinition).annotateKey({
    description:
      "The definition that the server listed last, repaired; null if the server no longer lists it, or if it is too large.",
  }),
}).annotate({ identifier: "ServerTool", description: "A tool or prompt of an installed server." });
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

const texts = new WeakMap<object, string>();

/** Like `canonical`, but once per object: a list of 8 MiB is compared, hashed and measured. */
export const canonicalOf = (definition: ToolDefinition): string => {
  const known = texts.get(definition);
  if (known !== undefined) return known;
  const text = canonical(definition);
  texts.set(definition, text);
  return text;
};

/** An estimate of the tokens that the definition costs a model. */
export const tokensOf = (definition: ToolDefinition): number =>
  Math.ceil(canonicalOf(definition).length / 4);

const Names = (description: string) =>
  Schema.Array(Schema.String.check(Schema.isMaxLength(1_024)))
    .check(Schema.isMaxLength(10_000))
    .annotateKey({ description });

/** The tools and prompts that an Admin accepts, by the digests that the Admin saw. */
export const ToolAcceptance = Schema.Struct({
  tools: Schema.Array(
    Schema.Struct({
      name: Schema.String.check(Schema.isMaxLength(1_024)).annotateKey({
        description: "The server's own name of the tool.",
      }),
      digest: Schema.String.check(Schema.isMaxLength(64)).annotateKey({
        description: "The tool's `digest` in the list of the server's tools.",
      }),
    }),
  )
    .check(Schema.isMaxLength(10_000))
    .annotateKey({
      description:
        "Up to 10,000 tools and prompts. The digest tells a prompt from a tool with its name.",
    }),
  instructions: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(Schema.isMaxLength(64))),
  ).annotateKey({
    description:
      "The `digest` of the server's `instructions`, to accept them as well. Default: the accepted instructions do not change.",
  }),
}).annotate({
  identifier: "ToolAcceptance",
  description: "The body of a request that accepts tools.",
});
export interface ToolAcceptance extends Schema.Schema.Type<typeof ToolAcceptance> {}

/** The tools that an Admin blocks or unblocks. */
export const ToolNames = Schema.Struct({
  names: Names(
    "Up to 10,000 names, as the server lists them, including tools that it has not listed yet.",
  ),
}).annotate({
  identifier: "ToolNames",
  description: "The body of a request that blocks or unblocks tools of a server.",
});
export interface ToolNames extends Schema.Schema.Type<typeof ToolNames> {}

/**
 * The stored form of a tool or prompt, in the server's order with tools first (`position`): the
 * accepted definition and the definition that the server listed last, null for none. `problem` is the reason why the last
 * listed definition is withheld. An Admin can block a tool with any definition.
 */
export interface ToolRow {
  readonly kind: ToolKind;
  readonly name: string;
  readonly position: number;
  readonly accepted: ToolDefinition | null;
  readonly current: ToolDefinition | null;
  readonly problem: string | null;
  readonly blocked: boolean;
}
