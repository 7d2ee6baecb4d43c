import { Predicate } from "effect";

/**
 * Cleans the texts of servers and other authors before models read them. No text may be mistaken
 * for the service's own, which starts with `[Quartermaster]`, and no text may contain characters
 * that models read and people do not see.
 */

type Members = Readonly<Record<string, unknown>>;

/** The prefix of the service's own messages to a model. */
export const prefix = "[Quartermaster]";

/** A line that starts like a message of the service. Format characters before it are not visible. */
const pretending = /^(?=(?:[^\S\n]|\p{Cf})*\[quartermaster\])/gimu;

/** Marks lines that start like messages of the service as quoted. */
export const quoted = (text: string): string =>
  text.includes("[") ? text.replace(pretending, "> ") : text;

const mayPretend = (json: string): boolean => /\[quartermaster\]/i.test(json);

/** The value as JSON, with every text in it quoted. */
export const quotedJson = (value: unknown): string => {
  const json = JSON.stringify(value);
  return mayPretend(json)
    ? JSON.stringify(JSON.parse(json, (_, member) => quotedText(member)))
    : json;
};

const quotedText = (value: unknown): unknown => (typeof value === "string" ? quoted(value) : value);

/** The members of definitions, and of the schemas in them, that contain prose. */
const prose = new Set(["title", "description"]);

/** The definition of a tool with its prose quoted. */
export const quotedDefinition = (definition: Members): Members => {
  const json = JSON.stringify(definition);
  return mayPretend(json)
    ? JSON.parse(json, (name, member) => (prose.has(name) ? quotedText(member) : member))
    : definition;
};

/** Tags (U+E0000 to U+E007F) and controls of the direction of text. */
const invisible = /[\u{E0000}-\u{E007F}\p{Bidi_Control}]/gu;

/** The first character that people do not see, such as `U+202E`; null for none. */
export const invisibleIn = (text: string): string | null => {
  const [found] = text.match(invisible) ?? [];
  const code = found?.codePointAt(0);
  return code === undefined ? null : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
};

export const withoutInvisible = (text: string): string => text.replace(invisible, "");

/**
 * The members of `_meta` that servers may not set: the service's own members, and members that need
 * MCP Apps.
 */
const isReserved = (name: string): boolean =>
  name.startsWith("quartermaster/") || name === "ui" || name.startsWith("ui/");

/** `_meta` of a server without the members that servers may not set. */
export const ownMeta = (meta: Members): Members =>
  Object.keys(meta).some(isReserved)
    ? Object.fromEntries(Object.entries(meta).filter(([name]) => !isReserved(name)))
    : meta;

/** The object with its own `_meta` of a server; other values as they are. */
export const withOwnMeta = <A extends Members>(value: A): A =>
  Predicate.isReadonlyObject(value["_meta"]) ? { ...value, _meta: ownMeta(value["_meta"]) } : value;
