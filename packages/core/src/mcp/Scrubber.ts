import { Redacted } from "effect";

/** The values of a server's variables, by name. */
export type Values = ReadonlyMap<string, Redacted.Redacted<string>>;

/** Replaces secrets in what a server says. */
export interface Scrubber {
  text(text: string): string;
  /** Every string within, keys too. */
  json<A>(value: A): A;
}

/** Shorter values are too common to be told from ordinary text. */
const shortest = 6;

/** Replaces the values of the variables named `secret`, of 6 characters or more, by `[secret NAME]`. */
export const make = (values: Values, secret: ReadonlySet<string>): Scrubber => {
  const pairs = [...values]
    .filter(([name]) => secret.has(name))
    .map(([name, value]) => ({ name, value: Redacted.value(value) }))
    .filter(({ value }) => value.length >= shortest)
    .flatMap(({ name, value }) =>
      [...new Set([value, encodeURIComponent(value)])].map((form) => ({ name, form })),
    )
    .toSorted((a, b) => b.form.length - a.form.length);
  if (pairs.length === 0) return { text: (text) => text, json: (value) => value };

  const text = (source: string): string =>
    pairs.reduce(
      (scrubbed, { name, form }) => scrubbed.replaceAll(form, `[secret ${name}]`),
      source,
    );
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
