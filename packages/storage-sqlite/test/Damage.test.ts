import { chmod, open as openFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { EventStore } from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import * as Child from "./support/Child.ts";
import { tempFolder } from "./support/TestStorage.ts";

const open = (dataDir: string, durability: "full" | "normal" = "full") =>
  Layer.fresh(Layer.merge(Storage.layer({ dataDir, durability }), SeededRandom.layer));

const lastSeq = Effect.flatMap(EventStore.EventStore, (events) => events.lastSeq);

/** A data directory whose process was killed after it stored 20 events. */
const killed = Effect.gen(function* () {
  const dataDir = yield* tempFolder;
  const child = yield* Child.start("writer", dataDir, "a", "20", "stay");
  yield* child.line;
  yield* child.kill;
  return dataDir;
});

/** A data directory whose process shut down cleanly. */
const ended = (durability?: "full" | "normal") =>
  Effect.gen(function* () {
    const dataDir = yield* tempFolder;
    yield* Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      yield* Testing.transact(events.append([yield* Fixtures.eventRow()]));
    }).pipe(Effect.provide(open(dataDir, durability)));
    return dataDir;
  });

const refusal = (dataDir: string) =>
  Effect.map(Effect.flip(Effect.provide(lastSeq, open(dataDir))), ({ message }) => message);

describe("a data directory that was damaged", () => {
  it.live("[server.database.killed] a process that was killed loses nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Effect.provide(lastSeq, open(yield* killed)), 20);
    }).pipe(Effect.scoped),
  );

  it.live("[server.database.log] a removed write-ahead log stops the start", () =>
    Effect.gen(function* () {
      const dataDir = yield* killed;
      yield* Effect.promise(() => rm(join(dataDir, "quartermaster.db-wal")));
      const message = yield* refusal(dataDir);
      assert.match(message, /quartermaster\.db: The database has lost changes: .*event \d+ was/);
      assert.match(message, /Restore a backup .*, or remove .*newest-event/);
      yield* Effect.promise(() => rm(join(dataDir, "newest-event")));
      yield* Effect.provide(lastSeq, open(dataDir));
    }).pipe(Effect.scoped),
  );

  it.live.each(["full", "normal"] as const)(
    "[server.database.emptied] with durability %s, an emptied or zeroed file stops the start",
    (durability) =>
      Effect.gen(function* () {
        const emptied = yield* ended(durability);
        const file = (dataDir: string) => join(dataDir, "quartermaster.db");
        yield* Effect.promise(() => truncate(file(emptied)));
        assert.match(yield* refusal(emptied), /lost changes: it is empty, but event 1 was stored/);
        // A second start also fails.
        assert.match(yield* refusal(emptied), /lost changes: it is empty/);

        const removed = yield* ended(durability);
        yield* Effect.promise(() => rm(file(removed)));
        assert.match(yield* refusal(removed), /lost changes: it is empty/);

        const zeroed = yield* ended(durability);
        const { size } = yield* Effect.promise(() => stat(file(zeroed)));
        yield* Effect.promise(() => writeFile(file(zeroed), new Uint8Array(size)));
        assert.match(yield* refusal(zeroed), /The file is not a database|lost changes/);
      }).pipe(Effect.scoped),
  );

  it.live.each([0, 100, 4096] as const)(
    "[server.database.page] a page zeroed from byte %d stops the start",
    (from) =>
      Effect.gen(function* () {
        const dataDir = yield* ended();
        const path = join(dataDir, "quartermaster.db");
        yield* Effect.promise(async () => {
          const file = await openFile(path, "r+");
          await file.write(new Uint8Array(4096 - (from % 4096)), 0, undefined, from);
          await file.close();
        });
        assert.match(yield* refusal(dataDir), /not a database|damaged|lost changes/);
      }).pipe(Effect.scoped),
  );

  it.live("an unreadable record of the newest event is replaced", () =>
    Effect.gen(function* () {
      const dataDir = yield* ended();
      yield* Effect.promise(() => writeFile(join(dataDir, "newest-event"), "\0\0"));
      yield* Effect.provide(lastSeq, open(dataDir));
      yield* Effect.promise(() => rm(join(dataDir, "quartermaster.db")));
      assert.match(yield* refusal(dataDir), /lost changes/);
    }).pipe(Effect.scoped),
  );
});

describe("files of the data directory", () => {
  it.live(
    "[server.database.private] only their owner can read database files, including files of an earlier version",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* killed;
        const names = (yield* Effect.promise(() => readdir(dataDir))).filter((name) =>
          name.startsWith("quartermaster.db"),
        );
        assert.lengthOf(names, 3);
        const modes = Effect.promise(() =>
          Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777)),
        );
        assert.deepStrictEqual(yield* modes, [0o600, 0o600, 0o600]);
        for (const name of names) yield* Effect.promise(() => chmod(join(dataDir, name), 0o644));
        yield* Effect.andThen(lastSeq, modes).pipe(
          Effect.map((found) => assert.deepStrictEqual(found, [0o600, 0o600, 0o600])),
          Effect.provide(open(dataDir)),
        );
      }).pipe(Effect.scoped),
  );

  it.live(
    "[server.data-dir.reason] a directory that refuses new entries stops the start with the reason",
    () =>
      Effect.gen(function* () {
        assert.match(yield* refusal("/proc/quartermaster/data"), /does not allow files there/);
        const folder = yield* tempFolder;
        yield* Effect.promise(() => writeFile(join(folder, "file"), ""));
        assert.match(yield* refusal(join(folder, "file", "data")), /part of the path is a file/);
      }).pipe(Effect.scoped),
  );
});
