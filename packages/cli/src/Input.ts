import { Effect, FileSystem, Stdio, Stream } from "effect";
import { Toml } from "effect/encoding";
import { usage } from "./CommandError.ts";

/** The input of commands: texts, files and stdin. */

/** All of stdin as text. */
export const stdin = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio;
  return yield* stdio.stdin.pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.mapError(({ reason }) => usage(`stdin cannot be read (${reason._tag}).`)),
  );
});

/** Removes the final line end that an editor or `echo` adds. */
const withoutLineEnd = (text: string) => text.replace(/\r?\n$/, "");

/** The text of an option or argument; `-` reads stdin. */
export const text = (given: string) =>
  given === "-" ? Effect.map(stdin, withoutLineEnd) : Effect.succeed(given);

/**
 * The text of a file without its last line end; `-` reads stdin. `name` is the option with the
 * path. The error message omits the path: a user may have passed a secret by mistake.
 */
export const file = Effect.fnUntraced(function* (name: string, path: string) {
  if (path === "-") return withoutLineEnd(yield* stdin);
  const fs = yield* FileSystem.FileSystem;
  const content = yield* Effect.mapError(fs.readFileString(path), ({ reason }) =>
    usage(`${name} must name a file that can be read (${reason._tag}).`),
  );
  return withoutLineEnd(content);
});

export type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Parses a JSON object. The error message contains no part of the text, which may contain secrets.
 */
export const jsonObject = (name: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => usage(`${name} must be valid JSON.`),
  }).pipe(
    Effect.filterOrFail(isObject, () => usage(`${name} must be a JSON object, such as {"a": 1}.`)),
  );

/** Parses a JSON object; a text that does not start with `{` is parsed as TOML. */
export const jsonOrToml = (name: string, text: string) =>
  text.trimStart().startsWith("{")
    ? jsonObject(name, text)
    : Effect.mapError(Effect.fromResult(Toml.parse(text)), () =>
        usage(`${name} must be a JSON object, such as {"a": 1}, or TOML.`),
      );
