import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import {
  AttachmentContent,
  CallBodyStore,
  EffectStore,
  type Errors,
  EventStore,
  IssueStore,
  MasterKeys,
  McpServerStore,
  Rotation,
  Matching,
  SecretBox,
} from "@quartermaster/core";
import { Portable as Tables } from "@quartermaster/storage-sql";
import { Portable, Storage as Sqlite } from "@quartermaster/storage-sqlite";
import { Fixtures, SeededRandom, Storage as Testing, TestCore } from "@quartermaster/testing";
import { Effect, Layer, Option, Redacted, Stream } from "effect";
import { Aead, Digest } from "effect/crypto";
import { SqlClient } from "effect/sql";
import { Copy, Migrations, Move, PostgresClient, Storage } from "../src/index.ts";
import * as Filled from "./support/Filled.ts";
import { emptySchema, newSchema, options, withServer } from "./support/TestStorage.ts";

const [oldKey, newKey] = [TestCore.masterKey(1), TestCore.masterKey(2)];

let seed = 0;

/** Sealing with these keys, newest first. Each has other ids. */
const sealing = (...[newest, ...others]: Parameters<typeof MasterKeys.MasterKeys.layer>[0]) =>
  SecretBox.SecretBox.layer.pipe(
    Layer.provide(MasterKeys.MasterKeys.layer([newest, ...others])),
    Layer.provide(Layer.merge(Aead.layerWebCrypto, Digest.layerWebCrypto)),
    Layer.provideMerge(Layer.suspend(() => SeededRandom.layerWith({ seed: ++seed }))),
  );

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "quartermaster-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
);

/** A data directory with rows in every table, sealed under the old key. */
const filled = Effect.gen(function* () {
  const dataDir = yield* folder;
  const layer = Layer.merge(Sqlite.layer({ dataDir, durability: "normal" }), sealing(oldKey));
  return { dataDir, facts: yield* Effect.provide(Filled.fill, layer) };
});

const reseal = Effect.asVoid(Rotation.Rotation.use(({ rotate }) => rotate)).pipe(
  Effect.provide(Rotation.Rotation.layerNoDeps),
  Effect.provide(sealing(newKey, oldKey)),
);

/** Moves a data directory, and returns the report by table. */
const move = <E>(
  dataDir: string,
  schema: string,
  sealAgain: Effect.Effect<void, E | Errors.StorageError, Storage.Ports> = reseal,
) =>
  Effect.scoped(
    Effect.flatMap(Portable.open(dataDir), (source) =>
      Move.run({
        database: options(schema),
        source,
        reseal: sealAgain,
        hasFormerKey: false,
        onTable: () => Effect.void,
      }),
    ),
  ).pipe(
    Effect.map(
      (tables) => new Map(tables.map(({ count, digest, table }) => [table, { count, digest }])),
    ),
  );

/** Tables whose cells change under a new key. */
const sealedTables = new Set(["mcp_secrets", "effects", "call_bodies"]);

const withoutSealed = (report: ReadonlyMap<string, unknown>) =>
  [...report].filter(([table]) => !sealedTables.has(table));

/** Checks the content of the service through the stores. */
const checkService = Effect.fnUntraced(function* ({
  attachments,
  issueId,
  removed,
  renamed,
  sealed,
}: Effect.Success<typeof filled>["facts"]) {
  const box = yield* SecretBox.SecretBox;
  const servers = yield* McpServerStore.McpServerStore;
  const effects = yield* EffectStore.EffectStore;
  const bodies = yield* CallBodyStore.CallBodyStore;
  const opened = (name: string, value: Parameters<typeof box.open>[1]) =>
    Effect.map(box.open({ serverId: sealed.serverId, name }, value), Redacted.value);
  const [secret] = yield* servers.secrets(sealed.serverId);
  assert(secret !== undefined);
  assert.strictEqual(yield* opened("NOTES_KEY", secret), Filled.secrets.variable);
  const slot = Option.getOrThrow(yield* effects.get(sealed.effect));
  const result = JSON.parse(slot.result ?? "");
  assert.strictEqual(yield* opened(`effect:${sealed.effect}`, result), Filled.secrets.effect);
  const body = Option.getOrThrow(yield* bodies.get(sealed.body));
  assert.strictEqual(yield* opened(`call:${sealed.body}`, body), Filled.secrets.body);

  const content = yield* AttachmentContent.AttachmentContent;
  for (const [id, size] of attachments) {
    const bytes = Buffer.concat(yield* Stream.runCollect(content.read(id, 0, size)));
    assert.deepStrictEqual(
      bytes,
      Buffer.from(Uint8Array.from({ length: size }, (_, n) => n % 251)),
    );
  }

  const issues = yield* IssueStore.IssueStore;
  const found = (projectId: string, q: string) =>
    Effect.map(
      issues.search(
        { projects: [projectId], words: Matching.wordsOf(q), sort: "created" },
        { after: null, order: "asc", limit: 500 },
      ),
      ({ hits }) => hits.map(({ issue }) => issue.id),
    );
  // In the title; in a comment of the first chapter and of a later one; spread over all.
  for (const q of ["lighthouse", "keeper", "lantern", "lighthouse lantern word5999"]) {
    assert.deepStrictEqual(yield* found("project", q), [issueId], q);
  }
  assert.lengthOf(yield* found("fleet1", "boat"), 83);
  const issue = Option.getOrThrow(yield* issues.get(issueId));
  assert.strictEqual(issue.description, Filled.odd);
  const next = yield* Fixtures.issue({ title: "Next" });
  assert.isAbove(next.seq, removed.seq);
  for (const prefix of ["SHOP", "STORE"]) {
    const ref = Option.getOrThrow(yield* issues.ofKey(prefix, 1));
    assert.deepStrictEqual(ref, { id: renamed, projectId: "shop" });
  }
  assert.strictEqual(Option.getOrThrow(yield* issues.get(renamed)).key, "STORE-1");
  assert.strictEqual((yield* Fixtures.issue({ projectId: "shop" })).number, 3);
});

const checkEvents = Effect.gen(function* () {
  const events = yield* EventStore.EventStore;
  const last = yield* events.lastSeq;
  const all = yield* events.list(
    { kinds: null, projects: null },
    { after: 0, until: last, limit: 500 },
  );
  assert.lengthOf(all, 130);
  const row = yield* Fixtures.eventRow();
  yield* Testing.transact(events.append([row]));
  assert.strictEqual(yield* events.lastSeq, last + 1);
  return row.id;
});

/** Tables that are not copied: they are made again, belong to one engine, or name what is gone. */
const others = {
  sqlite: ["discarded_attachments", "migrations", "process_leases", "search_index"],
  postgres: [
    "attachment_bytes",
    "chapter_text",
    "discarded_attachments",
    "event_head",
    "events_new",
    "guards",
    "issue_guards",
    "issue_text",
    "migrations",
    "moves",
    "process_leases",
    "search_index",
    "usage_differences",
  ],
};

const names = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name);

withServer(() => {
  it.effect("every table of both engines is copied, or known not to be", () =>
    Effect.gen(function* () {
      const copied = Tables.tables.map(({ name }) => name);
      const { sql } = yield* Portable.create(join(yield* folder, "new"));
      const inSqlite = yield* sql<{ readonly name: string }>`SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT GLOB '*_text*' AND name NOT GLOB 'sqlite_*'`;
      assert.sameMembers(names(inSqlite), [...copied, ...others.sqlite]);
      const schema = yield* emptySchema;
      yield* Migrations.run(schema).pipe(Effect.provide(PostgresClient.layer(options(schema))));
      const inPostgres = yield* SqlClient.SqlClient.use(
        (sql) =>
          sql<{
            readonly name: string;
          }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = ${schema}`,
      ).pipe(Effect.provide(PostgresClient.layer(options(schema))));
      assert.sameMembers(names(inPostgres), [...copied, ...others.postgres]);
    }).pipe(Effect.scoped),
  );

  it.effect(
    "[move.verified] [backup.engines] [keys.moved] a service with rows in every table is moved, copied back, and moved again, with equal digests",
    () =>
      Effect.gen(function* () {
        const { dataDir, facts } = yield* filled;
        const [schema, again] = [yield* newSchema, yield* newSchema];
        // Stopped after the tables, it continues with the sealed values.
        assert.strictEqual(
          yield* Effect.flip(move(dataDir, schema, Effect.fail("stopped"))),
          "stopped",
        );
        const refusal = yield* Effect.flip(Layer.build(Storage.layer(options(schema))));
        assert.include(refusal.reason, "was not completely moved");
        const report = yield* move(dataDir, schema);
        assert.deepStrictEqual(
          [...report].flatMap(([table, { count }]) => (count === 0 ? [table] : [])),
          [],
        );
        assert.deepStrictEqual(yield* move(dataDir, schema), report);

        const copied = Effect.fnUntraced(function* (schema: string) {
          const target = join(yield* folder, "copy");
          yield* Effect.scoped(
            Effect.flatMap(Portable.create(target), (to) => Copy.run(options(schema), to)),
          );
          return target;
        });
        const copy = yield* copied(schema);
        assert.deepStrictEqual(withoutSealed(yield* move(copy, again)), withoutSealed(report));
        const sqlite = Layer.merge(Sqlite.layer({ dataDir: copy }), sealing(newKey));
        yield* Effect.provide(checkService(facts), sqlite);
        yield* Effect.provide(checkEvents, sqlite);
        // Of all, only under the newest key.
        const postgres = Layer.merge(Storage.layer(options(again)), sealing(newKey));
        const appended = yield* Effect.provide(
          Effect.andThen(checkService(facts), checkEvents),
          postgres,
        );
        // Events that have no place yet, and counts that are not added up, are copied too.
        const later = yield* copied(again);
        const [counts, seq] = yield* Effect.provide(
          Effect.all([
            IssueStore.IssueStore.use((store) => store.countByStatus(null)),
            EventStore.EventStore.use((store) => store.seqOf(appended)),
          ]),
          Sqlite.layer({ dataDir: later }),
        );
        assert.strictEqual(counts.Open, 256);
        assert.isTrue(Option.isSome(seq));
      }).pipe(Effect.scoped),
  );
});
