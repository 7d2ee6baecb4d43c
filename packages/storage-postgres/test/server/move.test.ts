import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PgClient } from "@effect/sql-pg";
import { assert, describe, it, vi } from "@effect/vitest";
import { Effect, Redacted, Schedule } from "effect";
import { as } from "../../../http/test/support/Client.ts";
import * as EventStream from "../../../http/test/support/EventStream.ts";
import * as Archives from "../../../server/test/Archives.ts";
import { Dice } from "../../../server/test/Dice.ts";
import { Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import * as Program from "../../../server/test/support/Program.ts";
import * as Node from "../support/Node.ts";
import { url, withServer } from "../support/TestStorage.ts";

vi.setConfig({ testTimeout: 120_000 });

const rows = 4_000;

/** Adds issues with an entry of the timeline and an event each. */
const seed = (dataDir: string) => {
  const db = new DatabaseSync(join(dataDir, "quartermaster.db"));
  const each = `WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${rows})`;
  const at = "'2026-01-01T00:00:00.000Z'";
  db.exec(`BEGIN;
    ${each} INSERT INTO issues (id, project_id, status, priority, resumed, link_count, version,
        created_by_type, created_by_id, created_at, updated_at, title)
      SELECT 'iss_' || n, 'fleet', 'Closed', 1, 0, 0, 1, 'User', 'ada', ${at}, ${at}, 'Boat ' || n FROM g;
    ${each} INSERT INTO activity (id, issue_id, kind, actor_type, actor_id, created_at, data)
      SELECT 'evt_' || n, 'iss_' || n, 'created', 'User', 'ada', ${at}, '{}' FROM g;
    ${each} INSERT INTO events (id, kind, project_id, subject_id, actor_type, actor_id, created_at, data)
      SELECT 'evt_' || n, 'issue.created', 'fleet', 'iss_' || n, 'User', 'ada', ${at}, '{}' FROM g;
    COMMIT`);
  db.close();
};

type Env = Record<string, string>;

/** Uses a client of the schema. */
const onSchema = <A, E>(
  schema: string,
  use: (sql: PgClient.PgClient) => Effect.Effect<A, E>,
): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(PgClient.PgClient, use).pipe(
      Effect.provide(
        PgClient.layer({
          url: Redacted.make(url),
          maxConnections: 1,
          startupParameters: { search_path: `"${schema}", pg_catalog` },
        }),
      ),
    ),
  );

/**
 * Kills a move when it has added these rows to the large tables and the index of words. A lock keeps it from
 * finishing before. Returns how many rows there are.
 */
const killAt = (program: Quartermaster, schema: string, rows: number): Promise<number> =>
  onSchema(schema, (sql) => {
    const counts = ["issues", "activity", "events", "issue_text"].map(
      (table) => `(SELECT count(*) FROM ${table})`,
    );
    const count = Effect.map(
      sql.unsafe<{ readonly sum: string }>(`SELECT ${counts.join(" + ")} AS sum`).unprepared,
      ([row]) => Number(row?.sum),
    );
    return Effect.gen(function* () {
      yield* sql`LOCK TABLE chapter_text IN SHARE MODE`.unprepared;
      const sum = yield* Effect.repeat(count, { until: (count) => count >= rows });
      yield* Effect.promise(() => program.kill());
      return sum;
    }).pipe(
      sql.withTransaction,
      // The first move creates the tables.
      Effect.retry({
        while: () => program.child.exitCode === null,
        schedule: Schedule.spaced("10 millis"),
      }),
    );
  });

const reportOf = (stdout: string) =>
  JSON.parse(stdout) as ReadonlyArray<{
    readonly table: string;
    readonly digest: string;
    readonly count: number;
  }>;

/** Tables whose cells change under a new key. */
const isSealed = (table: string) =>
  ["mcp_secrets", "effects", "call_bodies", "idempotency"].includes(table);

/** An SQLite server with everything, which has stopped. */
const source = async () => {
  const scene = await Archives.scene();
  const { server } = scene;
  const create = { body: { title: "Repeated" }, headers: { "idempotency-key": "once" } };
  const { body: repeated } = await server.call("POST", "/api/projects/p1/issues", create);
  return { ...scene, create, repeatedId: String(repeated.id) };
};

withServer(() => {
  describe("quartermaster migrate --from sqlite:DIR", () => {
    it("[move.killed] [move.continues] a service is moved although the program is killed five times, and goes on where it was", async () => {
      const dice = Dice.seeded("a move");
      const {
        attachmentId,
        create,
        dataDir,
        env: catalog,
        folder,
        repeatedId,
        server,
        sha256,
      } = await source();
      const env: Env = { ...Node.variables(), ...catalog };
      const schema = env["QM_DATABASE_SCHEMA"] ?? "";
      const command = ["migrate", "--from", `sqlite:${dataDir}`];
      const inUse = await Program.run(command, { env });
      assert.strictEqual(inUse.code, 2, inUse.stderr);
      assert.match(inUse.stderr, /quartermaster\.db is in use\. Stop every server on /);
      await server.kill("SIGTERM");
      seed(dataDir);
      let moved = 0;
      for (let kill = 0; kill < 5; kill++) {
        const program = new Quartermaster([...command, "--json"], env);
        moved = await killAt(program, schema, moved + 1 + dice.below((4 * rows - moved) / 4));
        assert.strictEqual(program.stdout, "");
      }
      const started = await Program.run(["serve"], {
        env: { ...env, QM_PORT: "0", QM_DATA_DIR: await temporaryFolder() },
      });
      assert.strictEqual(started.code, 1);
      assert.match(started.stderr, /A service was not completely moved to the schema /);
      const doctor = await Program.run(["doctor"], {
        env: { ...env, QM_DATA_DIR: await temporaryFolder() },
      });
      assert.match(doctor.stdout, /not completely moved .*\n {2}quartermaster migrate --from/);

      const whole = await Program.run([...command, "--json"], { env });
      assert.strictEqual(whole.code, 0, whole.stderr);
      const report = reportOf(whole.stdout);
      assert.deepInclude(
        report.map(({ count, table }) => ({ count, table })),
        { table: "issues", count: rows + 2 },
      );
      const other = { ...env, QM_DATABASE_SCHEMA: `${schema}_x` };
      const once = await Program.run([...command, "--json"], { env: other });
      assert.deepStrictEqual(reportOf(once.stdout), report);
      const again = await Program.run(command, { env });
      assert.strictEqual(again.code, 0, again.stderr);
      assert.strictEqual(
        again.stdout,
        report.map(({ count, digest, table }) => `${table}\t${count}\t${digest}\n`).join(""),
      );

      const file = join(folder, "backup");
      const backup = await Program.run(["backup", file], { env });
      assert.strictEqual(backup.code, 0, backup.stderr);
      assert.match(backup.stdout, /^Backed up 4002 issues and 1 attachment /);
      const refused = await Program.run(["restore", file], {
        env: { ...env, QM_DATA_DIR: join(folder, "node") },
      });
      assert.strictEqual(refused.code, 2);
      assert.match(refused.stderr, /has a service that was moved from another source/);
      const target = {
        ...env,
        QM_DATABASE_SCHEMA: `${schema}_y`,
        QM_DATA_DIR: join(folder, "node"),
      };
      const restore = await Program.run(["restore", file], { env: target });
      assert.strictEqual(restore.code, 0, restore.stderr);
      assert.strictEqual(restore.stderr, "");
      const [stored] = await onSchema(
        target.QM_DATABASE_SCHEMA,
        (sql) => sql<{ readonly report: string }>`SELECT report FROM moves`,
      );
      const withoutSealed = (tables: typeof report) =>
        tables.filter(({ table }) => !isSealed(table));
      assert.deepStrictEqual(
        withoutSealed(reportOf(stored?.report ?? "[]")),
        withoutSealed(report),
      );

      const well = await Program.run(["doctor"], { env: target });
      assert.strictEqual(well.code, 0, well.stdout);
      const wrong = { ...target, QM_SECRET_KEY: Buffer.alloc(32, 9).toString("base64") };
      const unreadable = await Program.run(["doctor"], { env: wrong });
      assert.match(
        unreadable.stdout,
        /Secrets of the MCP server locked cannot be decrypted with QM_SECRET_KEY/,
      );

      const key = await readFile(join(dataDir, "owner-key"), "utf8");
      const node = await Node.serve(env);
      const { url: at } = await node.server.welcome();
      const call = as({ url: at }, key);
      const repeat = await call("POST", "/api/projects/p1/issues", create);
      assert.strictEqual(repeat.body.id, repeatedId, repeat.text);
      const found = await call("GET", "/api/projects/p1/issues?q=lighthouse");
      assert.lengthOf(found.body, 1, found.text);
      const stream = await EventStream.open({ url: at }, "?kinds=issue.created", {
        authorization: `Bearer ${key}`,
        "last-event-id": `evt_${rows - 1}`,
      });
      assert.strictEqual((await stream.next())?.id, `evt_${rows}`);
      const made = await call("POST", "/api/projects/p1/issues", { body: { title: "After" } });
      assert.strictEqual((await stream.next())?.data.subjectId, made.body.id);
      stream.close();
      const download = await fetch(`${at}/api/projects/attachments/${attachmentId}/download`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const bytes = Buffer.from(await download.arrayBuffer());
      assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), sha256);
      assert.deepStrictEqual(
        node.server.lines.filter(({ level }) => level === "ERROR" || level === "WARN"),
        [],
      );
    });

    it("[move.refused] a source without a database, and a schema with another service, are refused with exit 2", async () => {
      const env: Env = Node.variables();
      const folder = await temporaryFolder();
      const none = await Program.run(["migrate", "--from", `sqlite:${folder}`], { env });
      assert.strictEqual(none.code, 2);
      assert.match(none.stderr, /There is no database in /);
      const foreign = await Program.run(["migrate", "--from", folder], { env });
      assert.strictEqual(foreign.code, 1);
      assert.match(foreign.stderr, /--from must be sqlite:DIR/);

      const [node] = await Node.startAll(1, env);
      assert(node !== undefined);
      const sqlite = await Quartermaster.start(join(folder, "sqlite"));
      await sqlite.kill("SIGTERM");
      const other = await Program.run(["migrate", "--from", `sqlite:${folder}/sqlite`], { env });
      assert.strictEqual(other.code, 2, other.stderr);
      assert.match(other.stderr, /has a service: its table \w+ is not empty\. Name another schema/);

      const db = new DatabaseSync(join(folder, "sqlite", "quartermaster.db"));
      db.exec(
        "DELETE FROM migrations WHERE migration_id = (SELECT max(migration_id) FROM migrations)",
      );
      db.close();
      const older = await Program.run(["migrate", "--from", `sqlite:${folder}/sqlite`], { env });
      assert.strictEqual(older.code, 2);
      assert.match(
        older.stderr,
        /was written by an older version\. Start a server of this version/,
      );
    });
  });
});
