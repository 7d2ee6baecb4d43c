import { Predicate, Schema } from "effect";
import * as Input from "../Input.ts";
import type { ToolDefinition } from "./Tool.ts";

/** The settings of an installed server that say which of its calls are effects, and what follows. */

/** A pattern of names of tools, in which `*` stands for any characters. */
const ToolPattern = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256));

/** RFC 6901. The empty pointer, which points at all arguments, would restrict nothing. */
const JsonPointer = Schema.String.check(
  Schema.isPattern(/^(?=.{1,256}$)(\/([^~/]|~[01])*)+$/su, {
    expected: "a JSON Pointer of 1 to 256 characters, such as /customer/id",
  }),
);

const by = {
  schema: Schema.Array(JsonPointer).check(Schema.isMinLength(1), Schema.isMaxLength(10)),
  description:
    "1 to 10 JSON Pointers into the arguments. Two calls are the same effect if the values at these pointers are equal. Default: all arguments.",
};

export const OnceRule = Schema.Struct({
  tools: Schema.Array(ToolPattern)
    .check(Schema.isMinLength(1), Schema.isMaxLength(50))
    .annotateKey({
      description:
        "1 to 50 names of tools, as the server lists them, up to 256 characters each; `*` stands for any characters. A tool whose accepted definition has `annotations.readOnlyHint: true` counts only if it is named without `*`.",
    }),
  by: Schema.optionalKey(by.schema).annotateKey({ description: by.description }),
}).annotate({
  identifier: "OnceRule",
  description: "Tools of a server whose calls are effects, which happen once per issue.",
});
export interface OnceRule extends Schema.Schema.Type<typeof OnceRule> {}

const OnceRuleInput = Schema.Struct({
  ...OnceRule.fields,
  by: Input.optional(by.schema, { description: by.description }),
}).annotate({
  identifier: "OnceRuleInput",
  description: "A rule of a request: `by` may also be null, which means all arguments.",
});

/** The state of an effect whose result has `isError`: `retry` means failed. */
export const OnceErrors = Schema.Literals(["retry", "unknown"]);
export type OnceErrors = typeof OnceErrors.Type;

/** The callers that may settle an unknown effect: also agents, or only people. */
export const Settle = Schema.Literals(["agent", "person"]);
export type Settle = typeof Settle.Type;

export interface OnceSettings {
  readonly once: ReadonlyArray<OnceRule>;
  readonly onceErrors: OnceErrors;
  readonly settle: Settle;
}

export const defaults: OnceSettings = { once: [], onceErrors: "retry", settle: "agent" };

const rules = Schema.Array(OnceRuleInput).check(Schema.isMaxLength(50));
const onceErrors =
  "The state of an effect whose result has `isError`: `retry` sends an equal call again, `unknown` refuses it until the effect is settled.";
const settle =
  "The callers that may settle an unknown effect: `agent` for agents too, `person` for people only.";

/** The settings in the body of a request. */
export const fields = {
  once: Schema.optionalKey(Schema.NullOr(rules)).annotateKey({
    description:
      "Up to 50 rules. A tool has the first rule that names it without `*`, otherwise the first with a pattern that fits. Null: none, the default.",
  }),
  onceErrors: Schema.optionalKey(Schema.NullOr(OnceErrors)).annotateKey({
    description: `${onceErrors} Null: \`retry\`, the default.`,
  }),
  settle: Schema.optionalKey(Schema.NullOr(Settle)).annotateKey({
    description: `${settle} Null: \`agent\`, the default.`,
  }),
};

/** The settings of a server in responses. */
export const rendered = {
  once: Schema.Array(OnceRule).annotateKey({
    description: "The tools whose calls are effects, which happen once per issue.",
  }),
  onceErrors: OnceErrors.annotateKey({ description: onceErrors }),
  settle: Settle.annotateKey({ description: settle }),
};

type Given = { readonly [K in keyof OnceSettings]?: OnceSettings[K] | null };

/** The settings of a server without its other fields. */
export const of = ({ once, onceErrors, settle }: OnceSettings): OnceSettings => ({
  once,
  onceErrors,
  settle,
});

/** The settings after a change: an omitted setting keeps its value, and null restores the default. */
export const change = (given: Given, current: OnceSettings | null): OnceSettings => {
  const value = <K extends keyof OnceSettings>(name: K): OnceSettings[K] =>
    given[name] === undefined ? (current ?? defaults)[name] : (given[name] ?? defaults[name]);
  return { once: value("once"), onceErrors: value("onceErrors"), settle: value("settle") };
};

export const isEqual = (a: OnceSettings, b: OnceSettings): boolean =>
  JSON.stringify(of(a)) === JSON.stringify(of(b));

/** Whether the pattern fits. Linear: the parts between the stars are found from left to right. */
const fits = (pattern: string, name: string): boolean => {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
};

const isReadOnly = (definition: ToolDefinition | null): boolean => {
  const annotations = definition?.["annotations"];
  return Predicate.isReadonlyObject(annotations) && annotations["readOnlyHint"] === true;
};

/**
 * The rule that covers a tool by its accepted definition; null if none does. A name without `*`
 * counts before all patterns.
 */
export const ruleFor = (
  { once }: Pick<OnceSettings, "once">,
  tool: string,
  accepted: ToolDefinition | null,
): OnceRule | null => {
  const named = once.find(({ tools }) => tools.includes(tool) && !tool.includes("*"));
  if (named !== undefined) return named;
  if (isReadOnly(accepted)) return null;
  return once.find(({ tools }) => tools.some((pattern) => fits(pattern, tool))) ?? null;
};
