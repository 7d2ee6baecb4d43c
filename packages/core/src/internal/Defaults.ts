import { Effect, Schema } from "effect";

/** A key that may be missing in the encoded form, with its default value. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema);
