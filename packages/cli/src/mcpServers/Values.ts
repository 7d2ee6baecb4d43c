import { Effect, Option, Redacted } from "effect";
import { usage } from "../CommandError.ts";
import { variable } from "../Environment.ts";
import * as Input from "../Input.ts";

/**
 * Values of a server's variables. They are secrets, and every process can read the arguments of a
 * process, so a value comes from a file, from stdin or from an environment variable.
 */

export interface Flags {
  /** A JSON file with values by variable. */
  readonly values: Option.Option<string>;
  /** `NAME`, or `NAME=VARIABLE`. */
  readonly env: ReadonlyArray<string>;
  /** `NAME=FILE`. */
  readonly file: ReadonlyArray<string>;
}

export type Values = Readonly<Record<string, Redacted.Redacted | null>>;

const split = (text: string): readonly [string, string | null] => {
  const at = text.indexOf("=");
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
};

const fromFile = Effect.fnUntraced(function* (path: string) {
  const object = yield* Input.jsonObject("--values", yield* Input.file("--values", path));
  const values: Record<string, Redacted.Redacted | null> = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== null && typeof value !== "string") {
      return yield* usage(`The value of ${name} in --values must be a string or null.`);
    }
    values[name] = value === null ? null : Redacted.make(value);
  }
  return values;
});

const fromVariable = Effect.fnUntraced(function* (option: string) {
  const [name, source] = split(option);
  const value = yield* variable(source ?? name);
  if (value !== null) return [name, Redacted.make(value)] as const;
  // The message omits the text after the name: by mistake, it may be the value itself.
  return yield* usage(
    `--env ${name} must name a variable that is set: NAME, or NAME=VARIABLE. It does not take the value itself.`,
  );
});

const fromPath = Effect.fnUntraced(function* (option: string) {
  const [name, path] = split(option);
  if (path === null) return yield* usage("--file must be NAME=FILE, such as TOKEN=token.txt.");
  return [name, Redacted.make(yield* Input.file("--file", path))] as const;
});

/** Reads the values that the options name. Later options take precedence. */
export const read = Effect.fnUntraced(function* ({ env, file, values }: Flags) {
  const fromStdin = [Option.getOrNull(values), ...file.map((option) => split(option)[1])];
  if (fromStdin.filter((source) => source === "-").length > 1) {
    return yield* usage("Only one option can read stdin.");
  }
  return {
    ...(Option.isSome(values) ? yield* fromFile(values.value) : {}),
    ...Object.fromEntries(yield* Effect.forEach(env, fromVariable)),
    ...Object.fromEntries(yield* Effect.forEach(file, fromPath)),
  } satisfies Values;
});

/** The values in the form of a request; undefined if there are none. */
export const revealed = (values: Values): Record<string, string | null> | undefined => {
  const entries = Object.entries(values);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === null ? null : Redacted.value(value)]),
  );
};
