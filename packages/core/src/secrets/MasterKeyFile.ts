import { Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect";
import { type Digest, SecureRandom } from "effect/crypto";
import { Base64 } from "effect/encoding";
import { type KeyBytes, MasterKeys } from "./MasterKeys.ts";
import * as PrivateFile from "./PrivateFile.ts";

/**
 * The master keys in a file: each 32 bytes in base64, separated by commas, the newest first. The file
 * is created with mode 0600 and one random key.
 */

/** The content that such a file, or a variable with the same content, must have. */
export const mustBe =
  "32 bytes in base64, as `openssl rand -base64 32` prints them " +
  "(or several such keys, separated by commas, the newest first)";

/** The reason why no keys can be read from the file. The message contains no secret. */
export class MasterKeyFileError extends Schema.TaggedError<MasterKeyFileError>()(
  "MasterKeyFileError",
  { message: Schema.String },
) {}

const parseKey = (text: string) =>
  Option.getSuccess(Base64.decode(text)).pipe(
    Option.filter((bytes) => bytes.length === 32),
    Option.map((bytes) => Redacted.make(bytes, { label: "master key" })),
  );

/** The keys in a text, newest first. */
export const parse = (text: string): Option.Option<KeyBytes> => {
  const [first, ...rest] = text.split(",").map((part) => parseKey(part.trim()));
  return Option.map(Option.all([first ?? Option.none(), ...rest]), ([first, ...rest]): KeyBytes => [
    first,
    ...rest,
  ]);
};

/** A new random key, as text. */
export const newKey = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom;
  return Base64.encode(yield* random.randomBytes(32));
});

const create = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 });
  return yield* PrivateFile.create(file, yield* newKey);
});

/** The text of the file. Creates the file and its folder if they do not exist. */
export const textIn = Effect.fn("MasterKeyFile.textIn")(function* (file: string) {
  const text = yield* Option.match(yield* PrivateFile.read(file), {
    onNone: () => create(file),
    onSome: Effect.succeed,
  });
  return text.trim();
});

/** The keys of the file's text. */
export const keysIn = (file: string, text: string): Effect.Effect<KeyBytes, MasterKeyFileError> =>
  Effect.mapError(
    Effect.fromOption(parse(text)),
    () =>
      new MasterKeyFileError({
        message:
          `${file} must hold ${mustBe}: put back the file that was there, ` +
          "since what is encrypted under it cannot be read without it.",
      }),
  );

/**
 * The master keys of the file. The program reads it again while it runs, since `rotate-key` may
 * write new keys. Without this file nothing that is encrypted in storage can be read. Back it up
 * together with the data.
 */
export const layer = (
  file: string,
): Layer.Layer<
  MasterKeys,
  MasterKeyFileError,
  FileSystem.FileSystem | Path.Path | SecureRandom.SecureRandom | Digest.Digest
> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem;
      const text = yield* Effect.mapError(
        textIn(file),
        ({ reason }) =>
          new MasterKeyFileError({
            message: `${file} cannot be read or created (${reason._tag}). Give this user access to it.`,
          }),
      );
      const again = Effect.flatMap(fs.readFileString(file), (text) => keysIn(file, text.trim()));
      return MasterKeys.layerWith(yield* keysIn(file, text), again);
    }),
  );
