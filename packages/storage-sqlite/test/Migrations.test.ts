import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- only `expect` compares with a file that `vitest -u` writes
import { assert, describe, expect, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as SqliteClient from "../src/client/SqliteClient.ts";
import { manifest } from "../src/migrations/manifest.ts";
import * as Migrations from "../src/migrations/Migrations.ts";
import * as Schema from "../src/migrations/Schema.ts";
import { layerClient, tempFolder } from "./support/TestStorage.ts";

const here = import.meta.dirname;
const source = join(here, "..", "src", "migrations");

const read = (...path: ReadonlyArray<string>) =>
  Effect.promise(() => readFile(join(...path), "utf8"));

/**
 * SQLite's own record of the schema, without the internal tables of FTS5. In the order of creation: of two indexes that
 * seem equally good, a query uses the newer one.
 */
const schema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const rows = yield* sql<{ readonly sql: string }>`
    SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
      AND name NOT GLOB 'issue_text_*' AND name NOT GLOB 'chapter_text_*'
    ORDER BY rowid`;
  return rows.map((row) => row.sql);
});

/** Every object, in order, and every row of a database, also of internal tables, without the time of the migrations. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  const objects = yield* sql<{ readonly type: string; readonly name: string }>`
    SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid`;
  const tables = objects.filter(({ type }) => type === "table");
  const rows = yield* Effect.forEach(tables, ({ name }) => sql`SELECT * FROM ${sql(name)}`);
  return {
    objects,
    rows: tables.map(({ name }, index) => [
      name,
      rows[index]?.map((row) => (name === "migrations" ? { ...row, created_at: null } : row)),
    ]),
  };
});

/** A database of this version, which nothing has checked. */
const migrated = (filename: string) =>
  Layer.provideMerge(
    Layer.effectDiscard(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(Migrations.apply)),
    ),
    SqliteClient.layer({ filename, durability: "normal" }),
  );

const objectsIn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient;
  return Schema.objectsOf((yield* sql.unsafe(Schema.query).values) as ReadonlyArray<Schema.Row>);
});

/**
 * The state after the migration of a database with these issues and the rows that `insert` inserts.
 */
const upgraded =
  <E2 = never>(
    name: keyof typeof manifest,
    issues: ReadonlyArray<{ readonly id: string; readonly status: string; readonly paused: 0 | 1 }>,
    insert: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, E2> = () => Effect.void,
  ) =>
  <A, E>(read: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const names = Object.keys(manifest) as Array<keyof typeof manifest>;
      const upgrade = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient;
        for (const earlier of names.slice(0, names.indexOf(name))) yield* manifest[earlier];
        for (const issue of issues) {
          yield* sql`INSERT INTO issues ${sql.insert({
            ...issue,
            project_id: "p1",
            priority: 2,
            resumed: 0,
            link_count: 0,
            version: 1,
            created_by_type: "User",
            created_by_id: "ada",
            created_at: "2026-11-22T10:00:00.000Z",
            updated_at: "2026-11-22T10:00:00.000Z",
            title: "Mend the roof",
          })}`;
        }
        yield* insert(sql);
        yield* manifest[name];
        return yield* read(sql);
      });
      return yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(upgrade)).pipe(
        Effect.provide(
          SqliteClient.layer({ filename: join(folder, "test.db"), durability: "normal" }),
        ),
      );
    });

describe("Migrations", () => {
  it.effect("shipped migrations never change, and are numbered in order", () =>
    Effect.gen(function* () {
      const names = Object.keys(manifest);
      const files = (yield* Effect.promise(() => readdir(source))).filter((name) =>
        /^\d/.test(name),
      );
      assert.deepStrictEqual(
        files.toSorted(),
        names.map((name) => `${name}.ts`),
      );
      assert.deepStrictEqual(
        names.map((name) => Number(name.slice(0, 4))),
        names.map((_, index) => index + 1),
      );
      const hashes = yield* Effect.forEach(names, (name) =>
        Effect.map(
          read(source, `${name}.ts`),
          (text) => `${createHash("sha256").update(text).digest("hex")}  ${name}`,
        ),
      );
      assert.deepStrictEqual(hashes, (yield* read(here, "migrations.sha256")).trim().split("\n"));
    }),
  );

  it.effect("statements.ts has the schema that migrations create", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const made = yield* Effect.provide(schema, migrated(join(folder, "test.db")));
      const lines = made.map((sql) => `  \`${sql}\`,`);
      const path = "../src/migrations/statements.ts";
      const text = `/** Creates the schema. \`Migrations.test.ts\` writes this file with \`-u\`. */\nexport const statements: ReadonlyArray<string> = [\n${lines.join("\n")}\n];\n`;
      // oxlint-disable-next-line vitest/no-standalone-expect -- the rule does not know `it.effect`
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot(path));
    }),
  );

  it.effect("a new database has every object and every row that migrations create", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const made = yield* Effect.provide(everything, migrated(join(folder, "migrated.db")));
      const created = yield* Effect.provide(everything, layerClient(join(folder, "new.db")));
      assert.deepStrictEqual(created, made);
      assert.isAbove(made.objects.length, 140);
    }),
  );

  it.effect("objects.ts has the objects of the schema, by which a database is compared", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const file = join(folder, "test.db");
      const objects = yield* Effect.provide(objectsIn, migrated(file));
      const lines = Object.entries(objects).map(([name, hash]) => `  "${name}": "${hash}",`);
      const text = `/** The objects of the schema and their hashes. \`Migrations.test.ts\` writes this file with \`-u\`. */\nexport const objects: Readonly<Record<string, string>> = {\n${lines.join("\n")}\n};\n`;
      // oxlint-disable-next-line vitest/no-standalone-expect -- the rule does not know `it.effect`
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot("../src/migrations/objects.ts"));
    }),
  );

  for (const [statement, difference] of [
    [
      "CREATE TRIGGER t AFTER INSERT ON api_keys BEGIN UPDATE api_keys SET role = 'Owner' WHERE id = new.id; END",
      "the trigger t was added",
    ],
    ["CREATE VIEW v AS SELECT 1", "the view v was added"],
    ["DROP TRIGGER questions_asked", "the trigger questions_asked is missing"],
    ["ALTER TABLE api_keys ADD COLUMN more TEXT", "the table api_keys was changed"],
  ] as const) {
    it.effect(`[storage.schema] a database where ${difference} is refused at the start`, () =>
      Effect.gen(function* () {
        const file = join(yield* tempFolder, "test.db");
        yield* Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            sql.withTransaction(sql.unsafe(statement).unprepared),
          ),
          layerClient(file),
        );
        const refused = yield* Effect.flip(
          Effect.provide(SqlClient.SqlClient, layerClient(file), { local: true }),
        );
        assert.include(refused.reason, difference);
      }),
    );
  }

  it.effect("migrations run once, however many clients open the database", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const open = Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM migrations`),
        layerClient(join(folder, "test.db")),
        { local: true },
      );
      const seen = yield* Effect.all([open, open, open, open], { concurrency: "unbounded" });
      for (const rows of seen) assert.lengthOf(rows, Object.keys(manifest).length);
    }),
  );

  it.effect("a migration counts the issues that are there already", () =>
    Effect.gen(function* () {
      const counts = yield* upgraded("0004_issue_counts", [
        { id: "iss_1", status: "Open", paused: 0 },
        { id: "iss_2", status: "Open", paused: 1 },
        { id: "iss_3", status: "Closed", paused: 0 },
      ])((sql) => sql`SELECT project_id, status, count FROM issue_counts ORDER BY count`.values);
      assert.deepStrictEqual(counts, [
        ["p1", "Closed", 1],
        ["p1", "Open", 2],
      ]);
    }),
  );

  it.effect("the reason is unknown for an issue that was paused before", () =>
    Effect.gen(function* () {
      const issues = yield* upgraded("0005_attempts", [
        { id: "iss_1", status: "Open", paused: 0 },
        { id: "iss_2", status: "Open", paused: 1 },
      ])((sql) => sql`SELECT paused_because, attempts, not_before FROM issues ORDER BY id`.values);
      assert.deepStrictEqual(issues, [
        [null, 0, null],
        ["unknown", 0, null],
      ]);
    }),
  );

  it.effect(
    "[keys.migrated] a migration numbers the issues of each project, and gives prefixes",
    () =>
      Effect.gen(function* () {
        const migrated = upgraded("0046_issue_keys", [], (sql) =>
          Effect.gen(function* () {
            for (const [n, projectId] of ["shop", "Shop", "shop"].entries()) {
              yield* sql`INSERT INTO issues ${sql.insert({
                id: `iss_${n + 1}`,
                project_id: projectId,
                status: "Open",
                priority: 2,
                resumed: 0,
                link_count: 0,
                version: 1,
                created_by_type: "User",
                created_by_id: "ada",
                created_at: "2026-11-22T10:00:00.000Z",
                updated_at: "2026-11-22T10:00:00.000Z",
                title: "Mend the roof",
              })}`;
            }
            yield* sql`INSERT INTO issue_counts (project_id, status, count)
            SELECT project_id, status, count(*) FROM issues GROUP BY 1, 2`;
            yield* sql`INSERT INTO paused_projects VALUES ('roof')`;
          }),
        );
        const found = yield* migrated((sql) =>
          Effect.all([
            sql`SELECT id, number FROM issues ORDER BY id`.values,
            sql`SELECT id, prefix FROM projects ORDER BY id`.values,
            sql`SELECT * FROM project_prefixes ORDER BY prefix`.values,
            sql`SELECT project_id, last FROM issue_numbers ORDER BY project_id`.values,
          ]),
        );
        assert.deepStrictEqual(found, [
          [
            ["iss_1", 1],
            ["iss_2", 1],
            ["iss_3", 2],
          ],
          [
            ["Shop", "SHOP"],
            ["roof", "ROOF"],
            ["shop", "SHOP2"],
          ],
          [
            ["ROOF", "roof"],
            ["SHOP", "Shop"],
            ["SHOP2", "shop"],
          ],
          [
            ["Shop", 1],
            ["shop", 2],
          ],
        ]);
      }),
  );

  const server = (id: string, formerStatus: string, details: string | null, entry = "{}") => ({
    id,
    name: id,
    entry,
    status: "error",
    former_status: formerStatus,
    last_verification: details && JSON.stringify({ status: "error", details }),
    known: 1,
    tools_changed: 0,
    generation: 1,
    tools_version: 1,
    created_at: "2026-11-22T10:00:00.000Z",
    updated_at: "2026-11-22T11:00:00.000Z",
  });

  it.effect("a server by stdio from before an upgrade gets the context of calls", () =>
    Effect.gen(function* () {
      const rows = ["stdio", "http"].map((transport) =>
        server(transport, "enabled", null, JSON.stringify({ transport })),
      );
      const read = upgraded("0033_call_settings", [], (sql) =>
        Effect.forEach(rows, (row) => sql`INSERT INTO mcp_servers ${sql.insert(row)}`),
      );
      const found = yield* read(
        (sql) => sql`SELECT id, send_context, record_calls FROM mcp_servers ORDER BY id`.values,
      );
      assert.deepStrictEqual(found, [
        ["http", 0, "errors"],
        ["stdio", 1, "errors"],
      ]);
    }),
  );

  it.effect(
    "a server that failed before an upgrade is due for a retry if it was enabled, and has the reason",
    () =>
      Effect.gen(function* () {
        const rows = [
          server("a", "enabled", null),
          server("b", "disabled", "It exited."),
          { ...server("c", "enabled", null), status: "enabled" },
        ];
        const read = upgraded("0013_outages", [], (sql) =>
          Effect.forEach(rows, (row) => sql`INSERT INTO mcp_servers ${sql.insert(row)}`),
        );
        const found = yield* read((sql) => sql`SELECT outage FROM mcp_servers ORDER BY id`.values);
        const since = "2026-11-22T11:00:00.000Z";
        assert.deepStrictEqual(
          found.map(([outage]) => (outage === null ? null : JSON.parse(String(outage)))),
          [
            { since, reason: "The server failed too often.", attempts: 0, retryAt: since },
            { since, reason: "It exited.", attempts: 0, retryAt: null },
            null,
          ],
        );
      }),
  );

  it.effect("[session.migrated] sessions without a secret end, and sign-in tokens stay", () =>
    Effect.gen(function* () {
      const row = (kind: string) => ({
        hash: `hash of a ${kind}`,
        kind,
        key_id: "key_1",
        created_at: "2026-11-22T10:00:00.000Z",
        expires_at: "2026-11-22T22:00:00.000Z",
        ends_at: "2026-11-29T10:00:00.000Z",
        parent: kind === "token" ? "hash of a cookie" : null,
      });
      const left = yield* upgraded("0021_session_secrets", [], (sql) =>
        Effect.forEach(
          ["cookie", "token", "signIn"],
          (kind) => sql`INSERT INTO sessions ${sql.insert(row(kind))}`,
        ),
      )((sql) => sql`SELECT kind, secret_hash FROM sessions`.values);
      assert.deepStrictEqual(left, [["signIn", null]]);
    }),
  );

  it.effect("usage from before an upgrade is in the sums by day and month", () =>
    Effect.gen(function* () {
      const sums = "requests, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens";
      const row = (model: string, at: string, source: number, counted: number) =>
        `('run_1', ${source}, '${at}', '${model}', 'a', 'p', 'iss_1', 1, 10, 0, 0, 0, 0, 0, 0, ${counted})`;
      const rows = [
        row("m", "2026-11-30T23:00:00.000Z", 0, 1),
        row("m", "2026-12-01T00:00:00.000Z", 0, 1),
        row("n", "2026-12-01T00:00:00.000Z", 0, 1),
        row("o", "2026-12-01T00:00:00.000Z", 2, 0),
      ];
      const read = upgraded("0041_usage_sums", [], (sql) =>
        sql.unsafe(`INSERT INTO usage_hours VALUES ${rows.join(", ")}`),
      );
      const found = yield* read(
        (sql) =>
          sql`SELECT starts, model, runs, first_runs, ${sql.literal(sums)} FROM usage_sums ORDER BY starts, model`
            .values,
      );
      const sumsOf = (requests: number) => [requests, 10 * requests, 0, 0, 0];
      assert.deepStrictEqual(found, [
        ["2026-11", "", 1, 1, ...sumsOf(1)],
        ["2026-11", "m", 1, 1, ...sumsOf(1)],
        ["2026-11-30", "", 1, 1, ...sumsOf(1)],
        ["2026-11-30", "m", 1, 1, ...sumsOf(1)],
        ["2026-12", "", 1, 0, ...sumsOf(2)],
        ["2026-12", "m", 1, 0, ...sumsOf(1)],
        ["2026-12", "n", 1, 1, ...sumsOf(1)],
        ["2026-12-01", "", 1, 0, ...sumsOf(2)],
        ["2026-12-01", "m", 1, 0, ...sumsOf(1)],
        ["2026-12-01", "n", 1, 1, ...sumsOf(1)],
      ]);
    }),
  );

  it.effect("a database of a newer version fails to open and does not change", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const layer = layerClient(join(folder, "test.db"));
      yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(
            sql`INSERT INTO migrations (migration_id, name) VALUES (9000, 'from_the_future')`,
          ),
        ),
        layer,
        { local: true },
      );
      const error = yield* Effect.flip(Effect.provide(Effect.void, layer, { local: true }));
      assert.strictEqual(error._tag, "StorageError");
      assert.match(error.message, /newer version .*9000_from_the_future.*Use that version/);
    }),
  );

  it.effect("a database with other migrations fails to open", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const layer = layerClient(join(folder, "test.db"));
      yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(sql`UPDATE migrations SET name = 'other' WHERE migration_id = 1`),
        ),
        layer,
        { local: true },
      );
      const error = yield* Effect.flip(Effect.provide(Effect.void, layer, { local: true }));
      assert.match(error.message, /are not the migrations of this version/);
    }),
  );
});
