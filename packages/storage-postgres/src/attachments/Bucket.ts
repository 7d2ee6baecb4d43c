import type { Readable } from "node:stream";
import { Errors } from "@quartermaster/core";
import { Effect, Schedule } from "effect";
import { pause } from "../client/Pause.ts";

/**
 * Objects of an S3 bucket, by the SDK of AWS: it finds credentials in variables, files, roles and web
 * identities. The SDK is an optional peer, so its types are in no declaration.
 */

export interface Options {
  readonly bucket: string;
  /** The start of each key, without a slash at its end. */
  readonly prefix: string;
  /** The URL of a service other than AWS. Its buckets are in the path of its URLs. */
  readonly endpoint?: string | undefined;
}

export interface Upload {
  readonly size: number;
  readonly sha256: Buffer;
  /** Reads the bytes from the start, at each attempt. */
  readonly read: () => Readable;
}

const maxAttempts = 3;
const silentSocketMillis = 10_000;
/** All attempts together, and the body of a response. */
const requestMillis = 10_000;
/** Ends well before the note of the upload: the bytes must not arrive after they were discarded. */
const uploadMillis = 30 * 60_000;

const missingPackage = (cause: unknown) =>
  new Errors.StorageError({
    reason:
      "Attachments in S3 need the package @aws-sdk/client-s3, which is not installed. Install it beside " +
      "Quartermaster: `npm install @aws-sdk/client-s3`, with `--global` if Quartermaster is global",
    isRetryable: false,
    cause,
  });

const silent = new Errors.StorageError({
  reason: "The object store does not respond",
  isRetryable: true,
});

interface Failure {
  readonly name?: string;
  readonly message?: string;
  /** Of Node, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const failureOf = (cause: unknown): Errors.StorageError => {
  const { $metadata, code, message = "", name = "" } = Object(cause) as Failure;
  const status = $metadata?.httpStatusCode;
  // The SDK also calls a reset a timeout.
  if (name === "TimeoutError" && code === undefined) return silent;
  return new Errors.StorageError({
    reason:
      status === undefined
        ? `The object store cannot be used: ${message || code || name}`
        : `The object store refused a request: ${message} (${name}, ${status})`,
    isRetryable: status === undefined || status >= 500 || status === 429,
    cause,
  });
};

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };

export const make = Effect.fnUntraced(function* ({ bucket, endpoint, prefix }: Options) {
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } =
    yield* Effect.tryPromise({
      try: () => import("@aws-sdk/client-s3"),
      catch: missingPackage,
    });
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new S3Client({
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
          logger: silentLogger,
          maxAttempts,
          requestHandler: { connectionTimeout: 3_000, socketTimeout: silentSocketMillis },
          // Services other than AWS refuse checksums that the SDK adds automatically.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
        }),
    ),
    (client) => Effect.sync(() => client.destroy()),
  );
  yield* Effect.tryPromise({
    try: () => client.config.region(),
    catch: (cause) =>
      new Errors.StorageError({
        reason: "The region of the bucket is not known. Set AWS_REGION",
        isRetryable: false,
        cause,
      }),
  });

  const place = (name: string) => ({
    Bucket: bucket,
    Key: prefix === "" ? name : `${prefix}/${name}`,
  });

  /** An interruption closes the socket. */
  const send = <A>(run: (abortSignal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: failureOf });

  const within = <A>(millis: number, request: Effect.Effect<A, Errors.StorageError>) =>
    Effect.raceFirst(request, Effect.andThen(pause(millis), Effect.fail(silent)));

  /** The SDK does not listen to errors of the body, and does not repeat a request that has a stream. */
  const sendBody = ({ read, sha256, size }: Upload, name: string) =>
    send(async (abortSignal) => {
      const Body = read();
      const broken = new AbortController();
      Body.on("error", (cause) => broken.abort(cause));
      const command = new PutObjectCommand({
        ...place(name),
        Body,
        ContentLength: size,
        ChecksumSHA256: sha256.toString("base64"),
      });
      try {
        await client.send(command, { abortSignal: AbortSignal.any([abortSignal, broken.signal]) });
      } finally {
        Body.destroy();
      }
    }).pipe(
      Effect.retry({
        times: maxAttempts - 1,
        schedule: Schedule.exponential("200 millis"),
        while: (error) => error.isRetryable && error !== silent,
      }),
    );

  return {
    /** Stores the whole object or nothing. The bucket compares the bytes with their hash. */
    put: (name: string, upload: Upload) => within(uploadMillis, sendBody(upload, name)),

    /** Returns the bytes from `start` to `end`, or fewer if the object is shorter. */
    get: (name: string, start: number, end: number) =>
      within(
        requestMillis,
        send(async (abortSignal) => {
          const { Body } = await client.send(
            new GetObjectCommand({ ...place(name), Range: `bytes=${start}-${end - 1}` }),
            { abortSignal },
          );
          return (await Body?.transformToByteArray()) ?? new Uint8Array(0);
        }),
      ),

    /** Removes an object, if there is one. */
    remove: (name: string) =>
      within(
        requestMillis,
        send(async (abortSignal) => {
          await client.send(new DeleteObjectCommand(place(name)), { abortSignal });
        }),
      ),
  };
});
