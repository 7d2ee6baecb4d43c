import { Effect, Redacted } from "effect";
import { type Connection, ConnectorError, RpcError } from "../../McpConnector.ts";

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

/** A value as it is, and as it stands in an address and in JSON. */
const formsOf = (value: string): ReadonlyArray<string> => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
];

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Replaces the values of the variables named `secret`, of 6 characters or more, by `[secret NAME]`. */
export const make = (values: Values, secret: ReadonlySet<string>): Scrubber => {
  const names = new Map<string, string>();
  for (const [name, value] of values) {
    const plain = Redacted.value(value);
    if (!secret.has(name) || plain.length < shortest) continue;
    for (const form of formsOf(plain)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return { text: (text) => text, json: (value) => value };

  const longestFirst = [...names.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escaped).join("|"), "g");
  const text = (source: string): string =>
    source.replace(pattern, (form) => `[secret ${names.get(form)}]`);
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

/** The same failure without the secrets. */
export const error = <E extends ConnectorError | RpcError>(scrubber: Scrubber, failure: E): E => {
  const message = scrubber.text(failure.message);
  if (failure._tag === "RpcError") return new RpcError({ code: failure.code, message }) as E;
  const { reason, scope, sent } = failure;
  return new ConnectorError({ reason, message, sent, scope }) as E;
};

/** The same connection, its secrets replaced in everything that the server says. */
export const connection = (scrubber: Scrubber, one: Connection): Connection => ({
  connectMillis: one.connectMillis,
  listTools: one.listTools.pipe(
    Effect.map((tools) => scrubber.json(tools)),
    Effect.mapError((failure) => error(scrubber, failure)),
  ),
  callTool: (name, args, { onProgress, timeoutMillis }) =>
    one
      .callTool(name, args, {
        timeoutMillis,
        onProgress: onProgress && ((progress) => onProgress(scrubber.json(progress))),
      })
      .pipe(
        Effect.map((result) => scrubber.json(result)),
        Effect.mapError((failure) => error(scrubber, failure)),
      ),
  toolsChanged: one.toolsChanged,
  closed: Effect.map(one.closed, (failure) => error(scrubber, failure)),
});
