import { type CatalogEntry, isStdio, variablesIn } from "../../CatalogEntry.ts";
import type { ClientServer } from "./ClientServer.ts";
import { normalized, type Texts, valuesIn } from "./Templates.ts";

/** The values in a client's configuration for the variables of an entry. */
export interface Matched {
  readonly values: Texts;
  /** Arguments and headers that the entry does not use. */
  readonly ignored: number;
}

/** The values in the client's configuration for the variables of the entry. */
export const valuesFor = (server: ClientServer, { manifest }: CatalogEntry): Matched => {
  if (server.kind === "remote") {
    if (isStdio(manifest)) return { values: {}, ignored: 0 };
    const inUrl = valuesIn(normalized(manifest.url), normalized(server.url)) ?? {};
    return fromHeaders(manifest.headers, server.headers, decoded(inUrl));
  }
  if (!isStdio(manifest)) return { values: {}, ignored: 0 };
  const { ignored, values } = fromArguments(manifest.args, server.args);
  const env = Object.entries(server.env).filter(([name]) => !Object.hasOwn(manifest.env, name));
  return { ignored, values: { ...Object.fromEntries(env), ...values } };
};

const decoded = (values: Texts): Texts =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );

const fromHeaders = (templates: Texts, given: Texts, inUrl: Texts): Matched => {
  const left = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const found = Object.entries(templates).map(([name, text]) => {
    const values = valuesIn(text, left.get(name.toLowerCase())?.trim() ?? "", "is");
    if (values !== null) left.delete(name.toLowerCase());
    return values ?? {};
  });
  const values = Object.fromEntries([inUrl, ...found].flatMap((texts) => Object.entries(texts)));
  return { values, ignored: left.size };
};

/**
 * Matches an entry's arguments with the given arguments: options by name, at any position, and
 * other arguments with a variable to the next argument that is not an option.
 */
const fromArguments = (templates: ReadonlyArray<string>, given: ReadonlyArray<string>): Matched => {
  const left: Array<string | null> = [...given];
  let values: Texts = {};
  const take = (at: number, text: string): boolean => {
    const found = valuesIn(text, left[at] ?? "");
    if (found === null) return false;
    values = { ...values, ...found };
    left[at] = null;
    return true;
  };
  const takeAny = (text: string) => left.findIndex((arg, at) => arg !== null && take(at, text));

  let option: { readonly name: string; readonly at: number } | null = null;
  const later: Array<string> = [];
  for (const text of templates) {
    if (variablesIn(text).length === 0) {
      option = { name: text, at: takeAny(text) };
    } else if (option?.name.startsWith("-")) {
      if (option.at >= 0) take(option.at + 1, text);
      else takeAny(`${option.name}=${text}`);
      option = null;
    } else if (text.startsWith("-")) {
      takeAny(text);
    } else later.push(text);
  }
  for (const text of later)
    left.findIndex((arg, at) => !arg?.startsWith("-") && arg !== null && take(at, text));
  return { values, ignored: left.filter((arg) => arg !== null).length };
};
