import { Schema, SchemaTransformation } from "effect";
import * as Text from "../Text.ts";

/**
 * Labels, metadata and references that hosts add to issues, to find them again and to link them to
 * their own records.
 */

export const maxLabels = 32;

/** Up to 32 labels of 1 to 64 characters after trimming. Decodes to distinct, sorted labels. */
export const Labels = Schema.Array(Text.trimmedBetween(1, 64)).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String).check(
      Schema.isMaxLength(maxLabels, { expected: `at most ${maxLabels} labels` }),
    ),
    SchemaTransformation.transform({
      decode: (labels): ReadonlyArray<string> => [...new Set(labels)].toSorted(),
      encode: (labels) => labels,
    }),
  ),
);

const maxMetadata = { keys: 50, key: 64, bytes: 4_096 };

const bytesOf = (metadata: Readonly<Record<string, string>>): number => {
  const encoder = new TextEncoder();
  return Object.entries(metadata)
    .flat()
    .reduce((sum, text) => sum + encoder.encode(text).length, 0);
};

/**
 * Up to 50 texts, with keys of 1 to 64 characters; 4 KiB of UTF-8 in all. Decodes to sorted keys.
 */
export const Metadata = Schema.Record(Schema.String, Text.between(0, maxMetadata.bytes))
  .check(
    Schema.makeFilter(
      (metadata) => {
        const keys = Object.keys(metadata);
        return (
          keys.length <= maxMetadata.keys &&
          keys.every((key) => key !== "" && key.length <= maxMetadata.key && key.isWellFormed())
        );
      },
      { expected: `at most ${maxMetadata.keys} keys of 1 to ${maxMetadata.key} characters` },
    ),
    Schema.makeFilter((metadata) => bytesOf(metadata) <= maxMetadata.bytes, {
      expected: "at most 4 KiB of keys and values",
    }),
  )
  .pipe(
    Schema.decodeTo(
      Schema.Record(Schema.String, Schema.String),
      SchemaTransformation.transform({
        decode: (metadata) =>
          Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))),
        encode: (metadata) => metadata,
      }),
    ),
  );

/** 1 to 256 characters. */
export const ExternalRef = Text.between(1, 256);
