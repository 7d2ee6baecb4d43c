import { Schema } from "effect";
import type { EnvVar } from "../../CatalogEntry.ts";
import { isLoaderVariable } from "../../LoaderVariables.ts";

/** Arguments, headers and variables of a `server.json`, as texts with `${NAME}` and the variables in them. */

const input = {
  description: Schema.optionalKey(Schema.String),
  isRequired: Schema.optionalKey(Schema.Boolean),
  isSecret: Schema.optionalKey(Schema.Boolean),
  value: Schema.optionalKey(Schema.String),
  default: Schema.optionalKey(Schema.String),
  choices: Schema.optionalKey(Schema.Array(Schema.String)),
};

export const Input = Schema.Struct(input);
type Input = typeof Input.Type;

type Inputs = Readonly<Record<string, Input>>;

const withVariables = {
  ...input,
  variables: Schema.optionalKey(Schema.Record(Schema.String, Input)),
};

/** A header or an environment variable. */
export const Named = Schema.Struct({ name: Schema.NonEmptyString, ...withVariables });
type Named = typeof Named.Type;

export const Argument = Schema.Struct({
  type: Schema.Literals(["positional", "named"]),
  name: Schema.optionalKey(Schema.String),
  valueHint: Schema.optionalKey(Schema.String),
  ...withVariables,
});
export interface Argument extends Schema.Schema.Type<typeof Argument> {}

/** `--api-key` becomes `API_KEY`. */
const variableName = (label: string): string => {
  const name = label
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toUpperCase();
  // A variable such as ENV would not be accepted.
  return (/^[A-Z]/.test(name) && !isLoaderVariable(name) ? name : `VALUE_${name}`).slice(0, 128);
};

const variable = (name: string, given: Input, required: boolean): EnvVar => {
  const { choices = [], default: fallback = null, description = "", isSecret = false } = given;
  const options = choices.length === 0 ? "" : ` One of: ${choices.join(", ")}.`;
  return {
    name,
    description: `${description}${options}`.trim(),
    required: required && fallback === null,
    secret: isSecret,
    default: fallback,
  };
};

interface Filled {
  readonly text: string;
  readonly variables: ReadonlyArray<EnvVar>;
}

/**
 * A text in which `{name}` stands for an input. An input has its own value, or becomes a variable.
 */
export const template = (text: string, inputs: Inputs = {}): Filled => {
  const variables: Array<EnvVar> = [];
  const filled = text.replaceAll(/\{([^{}]+)\}/g, (whole, label: string) => {
    const given = Object.hasOwn(inputs, label) ? inputs[label] : undefined;
    if (given === undefined) return whole;
    if (given.value !== undefined) return given.value;
    const name = variableName(label);
    variables.push(variable(name, given, true));
    return `\${${name}}`;
  });
  return { text: filled, variables };
};

/** An optional input without a value or a default has no text. */
const fill = (label: string, given: Input & { readonly variables?: Inputs }): Filled | null => {
  if (given.value !== undefined) return template(given.value, given.variables);
  if (given.isRequired !== true && given.default === undefined) return null;
  const name = variableName(label);
  return { text: `\${${name}}`, variables: [variable(name, given, true)] };
};

interface Part<A> {
  readonly texts: A;
  readonly variables: ReadonlyArray<EnvVar>;
  /** The names of optional inputs that the texts omit. */
  readonly omitted: ReadonlyArray<string>;
}

/** A program's arguments: `--name=value`, and `-n value` for a short name. */
export const args = (given: ReadonlyArray<Argument>): Part<ReadonlyArray<string>> => {
  const parts = given.map((argument) => {
    const name = argument.type === "named" ? (argument.name ?? "") : "";
    const label = name || (argument.valueHint ?? "argument");
    const filled = fill(label, argument);
    if (filled === null) return { texts: [], variables: [], omitted: [label] };
    const { text, variables } = filled;
    const texts = name === "" ? [text] : name.startsWith("--") ? [`${name}=${text}`] : [name, text];
    return { texts, variables, omitted: [] };
  });
  return {
    texts: parts.flatMap(({ texts }) => texts),
    variables: parts.flatMap(({ variables }) => variables),
    omitted: parts.flatMap(({ omitted }) => omitted),
  };
};

export const headers = (given: ReadonlyArray<Named>): Part<Readonly<Record<string, string>>> => {
  const parts = given.map(({ name, ...header }) => [name, fill(name, header)] as const);
  return {
    texts: Object.fromEntries(
      parts.flatMap(([name, filled]) => (filled === null ? [] : [[name, filled.text] as const])),
    ),
    variables: parts.flatMap(([, filled]) => filled?.variables ?? []),
    omitted: parts.flatMap(([name, filled]) => (filled === null ? [name] : [])),
  };
};

/** Environment variables with a fixed value, or with a value per installed server. */
export const environment = (given: ReadonlyArray<Named>) => {
  const parts = given.map(({ name, ...input }) => {
    if (input.value === undefined) return variable(name, input, input.isRequired === true);
    const { text, variables } = template(input.value, input.variables);
    if (variables.length === 0) return [name, text] as const;
    // An entry has no templates for the environment, so the whole value is a variable.
    const description = `${input.description ?? ""} In the form ${input.value}`.trim();
    const isSecret = input.isSecret === true || variables.some(({ secret }) => secret);
    return variable(name, { description, isSecret }, input.isRequired === true);
  });
  return {
    fixed: Object.fromEntries(parts.filter((part) => "length" in part)),
    variables: parts.filter((part) => "name" in part),
  };
};

/** Merges the inputs with the same name into one variable. */
export const merged = (variables: ReadonlyArray<EnvVar>): ReadonlyArray<EnvVar> => {
  const byName = new Map<string, EnvVar>();
  for (const one of variables) {
    const other = byName.get(one.name);
    byName.set(one.name, {
      ...one,
      ...other,
      required: one.required || other?.required === true,
      secret: one.secret || other?.secret === true,
    });
  }
  return [...byName.values()];
};
