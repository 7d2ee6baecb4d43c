import { MasterKeyFile, MasterKeys, McpServerStore, Rotation } from "@quartermaster/core";
import type { Move } from "@quartermaster/storage-postgres";
import { Portable } from "@quartermaster/storage-sqlite";
import { Console, Effect, Layer, Option, Path, Redacted } from "effect";
import { Base64 } from "effect/encoding";
import * as DatabaseSettings from "../config/DatabaseSettings.ts";
import * as Postgres from "../config/Postgres.ts";
import { keys, secretSetting } from "../config/Setting.ts";
import * as Crypto from "../Crypto.ts";
import * as PrivateFile from "./PrivateFile.ts";

interface Options {
  readonly onTable: (moved: Move.Moved) => Effect.Effect<void>;
  /** Names the source and its state. Default: the SHA-256 of its database. */
  readonly id?: string;
}

/** The keys of QM_SECRET_KEY, and the keys in the data directory that are not among them. */
const readKeys = Effect.fnUntraced(function* (dataDir: string) {
  const path = yield* Path.Path;
  const given = yield* secretSetting("QM_SECRET_KEY", keys, null);
  if (given === null) return yield* DatabaseSettings.missingSecretKey;
  const text = yield* PrivateFile.read(path.join(dataDir, "secret-key"));
  const textOf = (key: Redacted.Redacted<Uint8Array>) => Base64.encode(Redacted.value(key));
  const known = new Set(given.map(textOf));
  const inFile = Option.flatMap(text, (text) => MasterKeyFile.parse(text.trim()));
  const older = Option.getOrElse(inFile, () => []).filter((key) => !known.has(textOf(key)));
  const [newest, ...others] = given;
  return { all: [newest, ...others, ...older] as const, hasFormerKey: older.length > 0 };
});

/** Seals every value under the newest key, and names what no key opens. */
const reseal = Effect.gen(function* () {
  const { rotate } = yield* Rotation.Rotation;
  const store = yield* McpServerStore.McpServerStore;
  const { failed } = yield* rotate;
  const servers = (yield* store.list).filter(({ id }) => failed.includes(id));
  if (servers.length === 0) return;
  yield* Console.error(
    `Secrets of these MCP servers cannot be decrypted, and stay as they are: ${servers.map(({ name }) => name).join(", ")}. ` +
      "Run `quartermaster rotate-key` with the key that they were encrypted under as a second one in QM_SECRET_KEY.",
  );
});

/** Moves the service of a data directory that no server uses to an empty database. */
export const run = Effect.fnUntraced(function* (
  database: DatabaseSettings.Database,
  dataDir: string,
  { id, onTable }: Options,
) {
  const { Move } = yield* Postgres.load;
  const { all, hasFormerKey } = yield* readKeys(dataDir);
  const masterKeys = MasterKeys.MasterKeys.layer(all);
  const source = yield* Portable.open(dataDir);
  const tables = yield* Move.run({
    database,
    source: { ...source, id: id ?? source.id },
    onTable,
    hasFormerKey,
    reseal: Effect.provide(
      reseal,
      Layer.provide(Rotation.Rotation.layer, Layer.provideMerge(masterKeys, Crypto.layer)),
    ),
  });
  return { folders: source.folders, tables };
}, Effect.scoped);
