import type { Redacted } from "effect";

/** The values of a server's variables, by name. They exist in the clear only inside `Redacted`. */
export type Values = ReadonlyMap<string, Redacted.Redacted<string>>;

/** Changes to stored values, by name. Null removes a value. */
export type Changes = Readonly<Record<string, Redacted.Redacted<string> | null>>;
