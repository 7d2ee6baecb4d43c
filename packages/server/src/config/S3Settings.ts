import { join } from "node:path";
import { Effect, Option } from "effect";
import { origin, type Reader, setting } from "./Setting.ts";
import { StartError } from "./StartError.ts";

/** The bucket of attachments. */
export interface S3 {
  readonly bucket: string;
  /** The start of each key; empty if there is none. */
  readonly prefix: string;
  /** The URL of a service other than AWS. */
  readonly endpoint: string | undefined;
}

/** A single PUT of S3 takes 5 GiB. */
const mostBytes = 5 * 1024 ** 3;

const place: Reader<Omit<S3, "endpoint"> | null> = {
  mustBe: '"database" or a bucket ("s3://bucket/prefix")',
  read: (text) => {
    if (text === "database") return Option.some(null);
    const [, bucket, prefix = ""] =
      /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:\w[\w.-]*\/)*\w[\w.-]*))?\/?$/u.exec(
        text,
      ) ?? [];
    return bucket === undefined ? Option.none() : Option.some({ bucket, prefix });
  },
};

/** The settings of the bucket; null without one. */
export const read: Effect.Effect<S3 | null, StartError> = Effect.gen(function* () {
  const s3 = yield* setting("QM_ATTACHMENTS", place, undefined);
  const endpoint = yield* setting("QM_S3_ENDPOINT", origin, undefined);
  if (s3) return { ...s3, endpoint };
  if (s3 === null || endpoint === undefined) return null;
  return yield* new StartError({
    message:
      'QM_ATTACHMENTS must be set, since QM_S3_ENDPOINT is: to a bucket ("s3://bucket/prefix"), or to "database".',
  });
});

/** Fails if attachments of this size cannot be stored in a bucket, or not beside SQLite. */
export const check = (hasDatabase: boolean, maxAttachmentBytes: number) => {
  if (!hasDatabase) {
    return new StartError({
      message:
        "QM_ATTACHMENTS must not name a bucket, since QM_DATABASE_URL is not set: with SQLite attachments are files in QM_DATA_DIR.",
    });
  }
  return maxAttachmentBytes <= mostBytes
    ? Effect.void
    : new StartError({
        message: "QM_MAX_ATTACHMENT_BYTES must be 5 GiB or less, since QM_ATTACHMENTS is a bucket.",
      });
};

/** The options of the storage. Uploads are spooled in the data directory. */
export const optionsOf = (s3: S3 | null, dataDir: string) =>
  s3 === null ? undefined : { ...s3, spool: join(dataDir, "spool") };

/** The URI of a bucket, as the command line of AWS takes it. */
export const uriOf = ({ bucket, prefix }: S3): string =>
  `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
