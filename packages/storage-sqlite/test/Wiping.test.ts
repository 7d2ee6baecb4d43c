import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { type InstalledServer, McpServerStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import { tempFolder } from "./support/TestStorage.ts";

/** The texts that occur in a file of the folder. */
const findTexts = (folder: string, texts: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name))),
    );
    return texts.filter((text) => files.some((bytes) => bytes.includes(text)));
  });

/** A part that each value contains many times: SQLite stores a long value in several pages. */
const sealed = (secrets: ReadonlyArray<InstalledServer.SecretRow>) =>
  secrets.map((secret) => secret.sealed.slice(0, secret.sealed.indexOf(">") + 1));

/** Secrets of many sizes: some fill whole pages. */
const secretsOf = (serverId: string, generation: string) =>
  Array.from({ length: 66 }, (_, n) =>
    Object.assign({}, Fixtures.secretRow(serverId, `KEY_${n}`), {
      sealed: `<${generation}-${serverId}-${n}>`.repeat(1 + n),
    }),
  );

const open = (dataDir: string) =>
  Layer.fresh(Layer.merge(Storage.layer({ dataDir }), SeededRandom.layer));

/** Two servers with secrets. Returns the secrets of both. */
const installed = Effect.gen(function* () {
  const servers = yield* McpServerStore.McpServerStore;
  const [gone, stays] = [yield* Fixtures.server(), yield* Fixtures.server()];
  const secrets = { gone: secretsOf(gone.id, "old"), stays: secretsOf(stays.id, "old") };
  for (const secret of [...secrets.gone, ...secrets.stays]) {
    yield* Testing.transact(servers.putSecrets([secret]));
  }
  return { gone, stays, secrets };
});

describe("sealed values", () => {
  it.effect(
    "[mcp.uninstall.wiped] an uninstall removes sealed values from every file before it returns",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* tempFolder;
        yield* Effect.gen(function* () {
          const servers = yield* McpServerStore.McpServerStore;
          const { gone, secrets } = yield* installed;
          assert.lengthOf(yield* findTexts(dataDir, sealed(secrets.gone)), 66);
          yield* Testing.transact(servers.remove(gone.id));
          assert.deepStrictEqual(yield* findTexts(dataDir, sealed(secrets.gone)), []);
          assert.lengthOf(yield* findTexts(dataDir, sealed(secrets.stays)), 66);
        }).pipe(Effect.provide(open(dataDir)));
      }).pipe(Effect.scoped),
  );

  it.effect("[rotate.wiped] a rotation removes values that are sealed under the old key", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      yield* Effect.gen(function* () {
        const servers = yield* McpServerStore.McpServerStore;
        const { gone, secrets, stays } = yield* installed;
        const fresh = [...secretsOf(gone.id, "new"), ...secretsOf(stays.id, "new")];
        yield* Testing.transact(
          Effect.forEach(fresh, (secret) => servers.putSecrets([secret]), { discard: true }),
        );
        const old = sealed([...secrets.gone, ...secrets.stays]);
        assert.deepStrictEqual(yield* findTexts(dataDir, old), []);
        assert.lengthOf(yield* findTexts(dataDir, sealed(fresh)), fresh.length);
      }).pipe(Effect.provide(open(dataDir)));
    }).pipe(Effect.scoped),
  );

  it.effect(
    "[mcp.secrets.wiped] an update removes single values, while other changes are stored",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* tempFolder;
        yield* Effect.gen(function* () {
          const servers = yield* McpServerStore.McpServerStore;
          const { gone, secrets } = yield* installed;
          const removed = secrets.gone.filter((_, n) => n % 2 === 0);
          yield* Effect.all(
            [
              ...Array.from({ length: 40 }, () => Fixtures.issue()),
              ...removed.map(({ name }) =>
                Testing.transact(servers.removeSecrets(gone.id, [name])),
              ),
            ],
            { concurrency: "unbounded", discard: true },
          );
          assert.deepStrictEqual(yield* findTexts(dataDir, sealed(removed)), []);
          assert.lengthOf(yield* servers.secrets(gone.id), 33);
        }).pipe(Effect.provide(open(dataDir)));
      }).pipe(Effect.scoped),
  );
});
