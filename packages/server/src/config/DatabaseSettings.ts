import { access, constants } from "node:fs/promises";
import { Effect, Option, Redacted } from "effect";
import { flag, keys, oneOf, type Reader, secretSetting, setting, text, whole } from "./Setting.ts";
import { StartError } from "./StartError.ts";

/** A PostgreSQL database that stores everything instead of SQLite. */
export interface Database {
  readonly url: Redacted.Redacted;
  /** The URL of the connection that listens for events; undefined if it is `url`. */
  readonly directUrl: Redacted.Redacted | undefined;
  /** The schema of all tables. */
  readonly schema: string;
  /** The most connections of this server. */
  readonly pool: number;
  /** Whether statements are prepared by name. */
  readonly prepare: boolean;
  /** The PEM file of the certificates that may sign the database's. */
  readonly caFile: string | undefined;
  /** Whether a start migrates the schema. */
  readonly migrate: "auto" | "never";
}

const isPostgresUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^postgres(?:ql)?:$/u.test(url.protocol) &&
    (url.hostname !== "" || url.searchParams.has("host"))
  );
};

const databaseUrl: Reader<Redacted.Redacted> = {
  mustBe: 'the URL of a PostgreSQL database ("postgres://user:password@host:5432/database")',
  read: (text) =>
    isPostgresUrl(text.trim())
      ? Option.some(Redacted.make(text.trim(), { label: "database URL" }))
      : Option.none(),
};

/** PostgreSQL shortens names of more than 63 characters, and the schema's is part of others. */
const schemaName: Reader<string> = {
  mustBe: "1 to 48 lower-case letters, digits and underscores, and no digit first",
  read: (text) => (/^[a-z_][a-z0-9_]{0,47}$/u.test(text) ? Option.some(text) : Option.none()),
};

const requireReadable = (file: string) =>
  Effect.tryPromise({
    try: () => access(file, constants.R_OK),
    catch: () =>
      new StartError({
        message: `QM_DATABASE_CA must name a PEM file that this user may read, but ${file} cannot be read.`,
      }),
  });

/** The settings of the database; null without `QM_DATABASE_URL`, which means SQLite. */
export const read: Effect.Effect<Database | null, StartError> = Effect.gen(function* () {
  const url = yield* secretSetting("QM_DATABASE_URL", databaseUrl, null);
  const directUrl = yield* secretSetting("QM_DATABASE_DIRECT_URL", databaseUrl, undefined);
  const schema = yield* setting("QM_DATABASE_SCHEMA", schemaName, "quartermaster");
  const pool = yield* setting("QM_DATABASE_POOL", whole(2, 1_000), 10);
  const prepare = yield* setting("QM_DATABASE_PREPARE", flag, true);
  const caFile = yield* setting("QM_DATABASE_CA", text, undefined);
  if (caFile !== undefined) yield* requireReadable(caFile);
  const migrate = yield* setting("QM_DATABASE_MIGRATE", oneOf("auto", "never"), "auto" as const);
  return url === null ? null : { url, directUrl, schema, pool, prepare, caFile, migrate };
});

/** The nodes of a database share their master key. */
export const missingSecretKey = new StartError({
  message:
    "QM_SECRET_KEY must be set, since QM_DATABASE_URL is: every server of the database needs " +
    "the same master key. Create one with `openssl rand -base64 32`, set it on every server, and store a copy.",
});

/** Fails without QM_SECRET_KEY. */
export const requireSecretKey: Effect.Effect<void, StartError> = Effect.gen(function* () {
  if ((yield* secretSetting("QM_SECRET_KEY", keys, null)) === null) return yield* missingSecretKey;
});

/** Host, port and path of a URL, without the password. */
export const nameOf = ({ schema, url }: Database): string => {
  const { host, pathname } = new URL(Redacted.value(url));
  return `${host}${pathname}, schema ${schema}`;
};
