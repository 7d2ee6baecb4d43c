import { variablesIn } from "../../CatalogEntry.ts";

/** Compares the texts of an entry, which contain variables, with the texts of a client. */

/** The URL in the form for comparison: lowercase host, no default port, no trailing slash. */
export const normalized = (url: string): string =>
  url
    .replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase())
    .replace(/^(https:\/\/[^/?#]*):443(?=[/?#]|$)/, "$1")
    .replace(/\/+(?=$|[?#])/, "");

/** The pattern for a text with variables. Each variable is a group. */
export const template = (text: string, flags = "s"): RegExp =>
  new RegExp(
    `^${text
      .split(/(\$\{[^}]*\})/)
      .map((part) =>
        part.startsWith("${") ? "(.+?)" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"),
      )
      .join("")}$`,
    flags,
  );

export type Texts = Readonly<Record<string, string>>;

/** The values of a text's variables in `given`; null if it does not match. */
export const valuesIn = (text: string, given: string, flags?: string): Texts | null => {
  const found = template(text, flags).exec(given);
  return found === null
    ? null
    : Object.fromEntries(variablesIn(text).map((name, at) => [name, found[at + 1] ?? ""]));
};
