import { Redacted } from "effect";
import { Base64, Base64Url, Hex } from "effect/encoding";
import { literalOf } from "../../ExactNumbers.ts";
import type { Values } from "./Values.ts";

/**
 * Replaces secrets in a server's texts with `[secret NAME]`. It finds the plain value, the value
 * encoded for a URL, for JSON (even JSON in JSON), in base64 and in hex, and prefixes of the first
 * three. It does not find values that are transformed in other ways, for example reversed, split or
 * compressed.
 */
export interface Scrubber {
  text(text: string): string;
  /** Every string in the value, including keys. */
  json<A>(value: A): A;
}

/** Shorter values are too common in ordinary text. */
const minSecret = 6;
/**
 * Shorter prefixes are also too common. A prefix that is a lowercase word must be longer, up to a
 * limit.
 */
const minPrefix = 8;
const maxWord = 12;

interface Form {
  readonly name: string;
  readonly text: string;
  /** The smallest number of characters that are replaced, counted from the start of the text. */
  readonly minLength: number;
}

/** The length of the shortest prefix that is replaced. The scheme of a URL does not count. */
const minPrefixOf = (value: string): number => {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0].length ?? 0;
  const word = /^[A-Za-z]?[a-z]*/.exec(value.slice(scheme))?.[0].length ?? 0;
  return scheme + Math.max(minPrefix, Math.min(word + 1, maxWord));
};

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A value as text and in text formats, and in encodings that a prefix does not survive. */
const encodings = (value: string) => {
  const json = inJson(value);
  // `lengthAt` finds deeper JSON, unless the value starts or ends with an escaped character.
  const nested = [json, inJson(json), inJson(inJson(json))];
  const hex = Hex.encode(value);
  return {
    plain: new Set([value, encodeURIComponent(value), ...nested]),
    encoded: [
      Base64.encode(value).replace(/=+$/, ""),
      Base64Url.encode(value),
      hex,
      hex.toUpperCase(),
    ],
  };
};

/** Every form in which a value is found. */
export const encodedForms = (value: string): ReadonlyArray<string> => {
  const { encoded, plain } = encodings(value);
  return [...plain, ...encoded];
};

const formsOf = (name: string, value: string): ReadonlyArray<Form> => {
  const { encoded, plain } = encodings(value);
  return [
    ...[...plain].map((text) => ({
      name,
      text,
      minLength: Math.min(text.length, minPrefixOf(text)),
    })),
    ...encoded.map((text) => ({ name, text, minLength: text.length })),
  ];
};

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** The position after the backslashes that start at `at`. */
const afterBackslashes = (text: string, at: number): number => {
  let end = at;
  while (text[end] === "\\") end++;
  return end;
};

/**
 * The number of characters of the form at position `at` of `source`; 0 if there are fewer than
 * `minLength`. JSON in JSON has more backslashes, so any number of them matches the backslashes of
 * the form. A partial match does not end with a quote or a backslash, which may belong to the text
 * after it: the remaining text would not be JSON.
 */
const lengthAt = (source: string, at: number, { minLength, text }: Form): number => {
  let end = at;
  let length = 0;
  while (length < text.length && source[end] === text[length]) {
    const afterEscape = afterBackslashes(text, length);
    // After the last backslashes of the form, further ones belong to the following text.
    const isInside = afterEscape > length && afterEscape < text.length;
    length = isInside ? afterEscape : length + 1;
    end = isInside ? afterBackslashes(source, end) : end + 1;
  }
  if (length < minLength) return 0;
  const isCut = length < text.length || source[end] === "\\";
  if (isCut) while (/["\\]/.test(source[end - 1] ?? "")) end--;
  return end - at;
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
        if (length > longest) {
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
    if (value === null || typeof value !== "object" || literalOf(value) !== undefined) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [text(key), json(member)]),
    );
  };
  return { text, json: <A>(value: A) => json(value) as A };
};
