import { jsonText } from "./definition.ts";
import { visible } from "./visible.ts";

type Definition = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): Definition =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Definition) : {};

const textsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : []);

/** The meanings of MCP's tool annotations. */
const hints: Readonly<Record<string, string>> = {
  readOnlyHint: "whether it only reads",
  destructiveHint: "whether it may destroy data",
  idempotentHint: "whether a repeated call changes nothing more",
  openWorldHint: "whether it reaches other systems",
};

const titles: Readonly<Record<string, string>> = {
  title: "title",
  instructions: "text",
  description: "description",
  outputSchema: "output schema",
};

const code = (text: string) => `\`${visible(text).replaceAll("`", "'")}\``;

/** The members that differ, with their old and new values; undefined where one side lacks the member. */
const changesOf = (before: Definition, after: Definition) =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, was: before[name], is: after[name] }))
    .filter(({ is, was }) => jsonText(is) !== jsonText(was));

const hintOf = ({ is, name, was }: ReturnType<typeof changesOf>[number]): string => {
  const meaning = hints[name];
  const [about, silence] =
    meaning === undefined ? ["", ""] : [` (${meaning})`, `: the server no longer says ${meaning}`];
  if (is === undefined) return `${code(name)} was removed${silence}.`;
  return was === undefined
    ? `${code(name)} was added${about}: ${code(jsonText(is))}.`
    : `${code(name)} changed${about} from ${code(jsonText(was))} to ${code(jsonText(is))}.`;
};

const argumentsOf = (before: Definition, after: Definition): ReadonlyArray<string> => {
  const required = new Set(textsOf(after["required"]));
  const wasRequired = new Set(textsOf(before["required"]));
  const changed = changesOf(recordOf(before["properties"]), recordOf(after["properties"]));
  const names = new Set(changed.map(({ name }) => name));
  const obliged = [...required, ...wasRequired].filter(
    (name): name is string =>
      typeof name === "string" && required.has(name) !== wasRequired.has(name) && !names.has(name),
  );
  const others = changesOf(before, after).filter(
    ({ name }) => name !== "properties" && name !== "required",
  );
  return [
    ...changed.map(({ is, name, was }) => {
      if (is === undefined) return `The argument ${code(name)} was removed.`;
      const duty = required.has(name) ? "required" : "optional";
      return was === undefined
        ? `The ${duty} argument ${code(name)} was added.`
        : `The argument ${code(name)} changed.`;
    }),
    ...obliged.map(
      (name) =>
        `The argument ${code(name)} is ${required.has(name) ? "now" : "no longer"} required.`,
    ),
    ...(others.length === 0 ? [] : ["Other rules for the arguments changed."]),
  ];
};

const isHidden = (text: string) => visible(text) !== text;

/**
 * The effects of a changed definition as sentences, with code between backticks. Empty for a new or
 * removed definition.
 */
export const effectsOf = (
  before: Definition | null,
  after: Definition | null,
): ReadonlyArray<string> => {
  if (before === null || after === null) return [];
  const sentences = changesOf(before, after).flatMap(({ is, name, was }) => {
    if (name === "annotations") return changesOf(recordOf(was), recordOf(is)).map(hintOf);
    if (name === "inputSchema") return argumentsOf(recordOf(was), recordOf(is));
    const verb = is === undefined ? "was removed" : was === undefined ? "was added" : "changed";
    return `The ${titles[name] ?? code(name)} ${verb}.`;
  });
  const gainsHidden = isHidden(JSON.stringify(after)) && !isHidden(JSON.stringify(before));
  return gainsHidden ? [...sentences, "It now contains invisible characters."] : sentences;
};
