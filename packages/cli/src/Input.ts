import { Effect, FileSystem, Stdio, Stream } from "effect";
import { Toml } from "effect/encoding";
import { usage } from "./CommandError.ts";

/** The input of a command: texts, files and stdin. */

/** All of stdin as text. */
export const stdin = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio;
  return yield* stdio.stdin.pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.mapError(({ reason }) => usage(`stdin cannot be read (${reason._tag}).`)),
  );
});

/** Without the line end that an editor or `echo` adds. */
const withoutLineEnd = (text: string) => text.replace(/\r?\n$/, "");

/** The text of an option or argument; `-` is stdin. */
export const text = (given: string) =>
  given === "-" ? Effect.map(stdin, withoutLineEnd) : Effect.succeed(given);

/**
 * The text of a file without its last line end; `-` is stdin. `name` is the option that names it. The
 * message of a failure has no path: it may be a secret, by mistake.
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

/** A JSON object. The message of a failure has nothing of the text, which may contain secrets. */
export const jsonObject = (name: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => usage(`${name} must be valid JSON.`),
  }).pipe(
    Effect.filterOrFail(isObject, () => usage(`${name} must be a JSON object, such as {"a": 1}.`)),
  );

/** A JSON object, or TOML if the text does not start like an object. */
export const jsonOrToml = (name: string, text: string) =>
  text.trimStart().startsWith("{")
    ? jsonObject(name, text)
    : Effect.mapError(Effect.fromResult(Toml.parse(text)), () =>
        usage(`${name} must be a JSON object, such as {"a": 1}, or TOML.`),
      );
