import { Redacted } from "effect";
import { Base64, Base64Url, Hex } from "effect/encoding";
import type { Values } from "../Values.ts";

/**
 * Replaces secrets in a server's texts with `[secret NAME]`. It finds the plain value, the value
 * encoded for a URL, for JSON, in base64 and in hex, and prefixes of the first three. It does not
 * find values that are transformed in other ways, for example reversed, split or compressed.
 */
export interface Scrubber {
  text(text: string): string;
  /** Every string in the value, keys included. */
  json<A>(value: A): A;
}

/** Shorter values are too common in ordinary text. */
const minSecret = 6;
/**
 * Shorter prefixes are too common too. A prefix that is a lowercase word must be longer, up to a
 * limit.
 */
const minPrefix = 8;
const maxWord = 12;

interface Form {
  readonly name: string;
  readonly text: string;
  /** The number of characters, from the start of the text, that are replaced at least. */
  readonly minLength: number;
}

/** The length of the shortest prefix that is replaced. The scheme of a URL does not count. */
const minPrefixOf = (value: string): number => {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0].length ?? 0;
  const word = /^[A-Za-z]?[a-z]*/.exec(value.slice(scheme))?.[0].length ?? 0;
  return scheme + Math.max(minPrefix, Math.min(word + 1, maxWord));
};

const formsOf = (name: string, value: string): ReadonlyArray<Form> => {
  const prefixes = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
  const hex = Hex.encode(value);
  const whole = [
    Base64.encode(value).replace(/=+$/, ""),
    Base64Url.encode(value),
    hex,
    hex.toUpperCase(),
  ];
  return [
    ...prefixes.map((text) => ({
      name,
      text,
      minLength: Math.min(text.length, minPrefixOf(text)),
    })),
    ...whole.map((text) => ({ name, text, minLength: text.length })),
  ];
};

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** The number of characters of the form at position `at` of `source`. */
const lengthAt = (source: string, at: number, { text }: Form): number => {
  let length = 0;
  while (length < text.length && source[at + length] === text[length]) length++;
  return length;
};

/** Replaces the values of the variables named in `secret`, of 6 characters or more. */
export const make = (values: Values, secret: ReadonlySet<string>): Scrubber => {
  const byHead = new Map<string, Array<Form>>();
  for (const [name, redacted] of values) {
    const value = Redacted.value(redacted);
    if (!secret.has(name) || value.length < minSecret) continue;
    for (const form of formsOf(name, value)) {
      const head = form.text.slice(0, minSecret);
      byHead.set(head, [...(byHead.get(head) ?? []), form]);
    }
  }
  if (byHead.size === 0) return { text: (text) => text, json: (value) => value };

  const heads = new RegExp([...byHead.keys()].map(escaped).join("|"), "g");
  const text = (source: string): string => {
    let result = "";
    let done = 0;
    heads.lastIndex = 0;
    for (let match = heads.exec(source); match !== null; match = heads.exec(source)) {
      const at = match.index;
      let longest = 0;
      let name = "";
      for (const form of byHead.get(match[0]) ?? []) {
        const length = lengthAt(source, at, form);
        if (length >= form.minLength && length > longest) {
          longest = length;
          name = form.name;
        }
      }
      if (longest > 0) {
        result += `${source.slice(done, at)}[secret ${name}]`;
        done = at + longest;
      }
      heads.lastIndex = longest > 0 ? done : at + 1;
    }
    return result + source.slice(done);
  };
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [text(key), json(member)]),
    );
  };
  return { text, json: <A>(value: A) => json(value) as A };
};
