import { createHash } from "node:crypto";
import {
  chmod,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, describe, it } from "@effect/vitest";
import { EventStore, IssueStore, RunLogStore } from "@quartermaster/core";
import { Fixtures, Storage as Testing } from "@quartermaster/testing";
import { Effect, Fiber, Option } from "effect";
import * as Archive from "../src/backup/Archive.ts";
import * as BackupLock from "../src/files/BackupLock.ts";
import { Inspection } from "../src/index.ts";
import * as Archives from "./support/Archives.ts";
import * as Child from "./support/Child.ts";
import { tempFolder } from "./support/TestStorage.ts";

const later = "2100-01-01T00:00:00.000Z";

/** A folder with the data directory `data`, which has an issue, an event and two attachments. */
const scene = Effect.gen(function* () {
  const folder = yield* tempFolder;
  const dataDir = join(folder, "data");
  const stored = yield* Effect.gen(function* () {
    const { id: issueId } = yield* Fixtures.issue();
    const events = yield* EventStore.EventStore;
    yield* Testing.transact(events.append([yield* Fixtures.eventRow()]));
    const large = yield* Archives.attach(issueId, new Uint8Array(700_000).fill(7));
    const empty = yield* Archives.attach(issueId, new Uint8Array());
    return { issueId, attachments: [large, empty] };
  }).pipe(Effect.provide(Archives.open(dataDir)));
  return { folder, dataDir, file: join(folder, "backup"), fresh: join(folder, "fresh"), ...stored };
});

const sound = (dataDir: string) =>
  Effect.map(Inspection.inspect(dataDir, later), ({ database }) => {
    assert.deepInclude(database, { state: "current", problems: [], lost: null, attachments: [] });
  });

const modeOf = (path: string) =>
  Effect.promise(async () => ((await stat(path)).mode & 0o777).toString(8));

describe("backup and restore of a data directory", () => {
  it.live(
    "[backup.signed] a backup has an HMAC under the master key, which a restore verifies",
    () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* scene;
        const ours = { id: "12345678", bytes: new Uint8Array(32).fill(1) };
        const other = { id: "87654321", bytes: new Uint8Array(32).fill(2) };
        yield* Archives.backup(dataDir, file, null, ours);
        const restore = (name: string, keys: ReadonlyArray<typeof ours>) =>
          Archives.restore(file, join(folder, name), keys);
        assert.strictEqual((yield* restore("with", [other, ours])).signature, "valid");
        assert.strictEqual((yield* restore("without", [other])).signature, "unknownKey");
        const forged = restore("forged", [{ ...ours, bytes: other.bytes }]);
        assert.match(yield* Archives.refusal(forged), /is damaged \(its signature\)/);
        assert.notInclude(yield* Archives.namesIn(folder), "forged");
      }),
  );

  it.live("[storage.schema] a backup and a restore refuse a database with another schema", () =>
    Effect.gen(function* () {
      const { dataDir, file, folder, fresh } = yield* scene;
      const trigger =
        "CREATE TRIGGER t AFTER INSERT ON api_keys BEGIN UPDATE api_keys SET role = 'Owner'; END";
      const db = new DatabaseSync(join(dataDir, "quartermaster.db"));
      const head = yield* Archives.backup(dataDir, file);
      db.exec(trigger);
      const refused = Archives.backup(dataDir, join(folder, "other"));
      assert.match(yield* Archives.refusal(refused), /the trigger t was added/);
      const { database } = yield* Inspection.inspect(dataDir, later);
      assert.deepInclude(database, { schema: ["the trigger t was added"] });
      // An archive that an attacker's program writes.
      yield* Effect.promise(async () => {
        db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        db.close();
        const handle = await open(file, "w");
        const writer = Archive.writer(handle);
        const bytes = await readFile(join(dataDir, "quartermaster.db"));
        await writer.head({ ...head, attachments: 0, bytes: bytes.length });
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        await writer.add({ path: "quartermaster.db", size: bytes.length, sha256 }, [bytes]);
        await writer.end(null);
        await handle.close();
      });
      assert.match(
        yield* Archives.refusal(Archives.restore(file, fresh)),
        /is damaged \(the trigger t was added\)/,
      );
    }),
  );

  it.live(
    "[logs.deleted][logs.backup] logs are in a backup, unless it has none or their issue was deleted",
    () =>
      Effect.gen(function* () {
        const { dataDir, file, fresh, folder, issueId } = yield* scene;
        const text = "a line of the log that must not be found";
        const contains = (path: string) =>
          Effect.promise(async () => (await readFile(path)).includes(text));
        const log = {
          runId: "run_1",
          issueId,
          entries: 1,
          bytes: text.length + 1,
          dropped: 0,
          opening: 1,
          writers: { runner: { next: 1, tails: {} } },
          updatedAt: Fixtures.at(0),
        };
        const chunk = {
          runId: "run_1",
          writer: "runner",
          first: 1,
          last: 1,
          number: 0,
          bytes: text.length + 1,
        };
        yield* Effect.gen(function* () {
          const logs = yield* RunLogStore.RunLogStore;
          yield* Testing.transact(logs.put(log));
          const lines = [[Fixtures.at(0), "stdout", text] as const];
          yield* Testing.transact(logs.append({ ...chunk, lines }));
        }).pipe(Effect.provide(Archives.open(dataDir)));
        yield* Archives.backup(dataDir, file);
        assert.isTrue(yield* contains(file));
        yield* Archives.backup(dataDir, file, null, null, true);
        assert.isFalse(yield* contains(file));
        yield* Archives.restore(file, fresh);
        yield* Effect.gen(function* () {
          const logs = yield* RunLogStore.RunLogStore;
          assert.deepStrictEqual(
            yield* logs.get("run_1"),
            Option.some({ ...log, bytes: 0, dropped: 1 }),
          );
          assert.deepStrictEqual(yield* logs.list("run_1", 0, 9), []);
        }).pipe(Effect.provide(Archives.open(fresh)));
        yield* Effect.gen(function* () {
          const issues = yield* IssueStore.IssueStore;
          yield* Testing.transact(issues.remove(issueId));
        }).pipe(Effect.provide(Archives.open(dataDir)));
        const later = join(folder, "later");
        yield* Archives.backup(dataDir, later);
        assert.isFalse(yield* contains(later));
      }),
  );

  it.live("[backup.file] a backup is one file of mode 0600 that restores everything", () =>
    Effect.gen(function* () {
      const { attachments, dataDir, file, folder, fresh, issueId } = yield* scene;
      const head = yield* Archives.backup(dataDir, file);
      assert.deepInclude(head, { attachments: 2, issues: 1, newestEvent: 1, hasKeys: false });
      assert.strictEqual(yield* modeOf(file), "600");
      assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);

      const restored = yield* Archives.restore(file, fresh);
      assert.deepStrictEqual(restored, { ...head, signature: "unsigned" });
      const names = ["attachments", "newest-event", "quartermaster.db"];
      assert.deepStrictEqual(yield* Archives.namesIn(fresh), names);
      for (const name of names.slice(1))
        assert.strictEqual(yield* modeOf(join(fresh, name)), "600");
      assert.strictEqual(yield* modeOf(fresh), "700");
      yield* sound(fresh);
      yield* Effect.gen(function* () {
        assert.isTrue(yield* Archives.hasIssue(issueId));
        for (const id of attachments) {
          const [found, stored] = yield* Archives.hashes(id);
          assert.strictEqual(found, stored);
        }
      }).pipe(Effect.provide(Archives.open(fresh)));
    }).pipe(Effect.scoped),
  );

  it.live("[backup.keys] a backup with keys has every key of before and after its snapshot", () =>
    Effect.gen(function* () {
      const { dataDir, file, fresh } = yield* scene;
      const texts = ["old", "new,old", "unreached"];
      const head = yield* Archives.backup(dataDir, file, async () => texts.shift() ?? "");
      assert.isTrue(head.hasKeys);
      yield* Archives.restore(file, fresh);
      const restored = yield* Effect.promise(() => readFile(join(fresh, "secret-key"), "utf8"));
      assert.strictEqual(restored, "new,old");
      assert.strictEqual(yield* modeOf(join(fresh, "secret-key")), "600");
    }).pipe(Effect.scoped),
  );

  it.live(
    "[restore.newest-event] the restored directory records the newest event of its database",
    () =>
      Effect.gen(function* () {
        const { dataDir, file, fresh } = yield* scene;
        yield* Archives.backup(dataDir, file);
        yield* Effect.gen(function* () {
          const events = yield* EventStore.EventStore;
          yield* Testing.transact(events.append([yield* Fixtures.eventRow({ id: "evt_later" })]));
        }).pipe(Effect.provide(Archives.open(dataDir)));
        yield* Archives.restore(file, fresh);
        const note = yield* Effect.promise(() => readFile(join(fresh, "newest-event"), "utf8"));
        assert.strictEqual(Number(note), 1);
        // The recorded event protects the restored database as it protected the first one.
        yield* Effect.promise(() => rm(join(fresh, "quartermaster.db")));
        const message = yield* Archives.refusal(
          Effect.provide(Archives.hasIssue("iss_1"), Archives.open(fresh)),
        );
        assert.match(message, /lost changes/);
      }).pipe(Effect.scoped),
  );

  it.live("[backup.deleted] bytes of an attachment stay while a backup runs", () =>
    Effect.gen(function* () {
      const { attachments, dataDir } = yield* scene;
      const [id = ""] = attachments;
      yield* Effect.gen(function* () {
        const release = BackupLock.acquire(BackupLock.fileIn(dataDir));
        assert.match(yield* Archives.refusal(Archives.detach(id)), /A backup is reading/);
        const second = yield* Archives.refusal(Archives.backup(dataDir, join(dataDir, "b")));
        assert.match(second, /Another backup of .* is running. Wait for it/);
        release?.();
        yield* Archives.detach(attachments[1] ?? "");
      }).pipe(Effect.provide(Archives.open(dataDir)));
    }).pipe(Effect.scoped),
  );

  it.live(
    "[backup.incomplete] a backup whose attachment is missing or damaged fails and names it",
    () =>
      Effect.gen(function* () {
        const { attachments, dataDir, file, folder } = yield* scene;
        yield* Archives.backup(dataDir, file);
        const before = yield* Effect.promise(() => readFile(file));
        const [id = ""] = attachments;
        const path = join(dataDir, "attachments", "kept", id.slice(-2), id);
        yield* Effect.promise(() => writeFile(path, new Uint8Array(700_000).fill(8)));
        const damaged = yield* Archives.refusal(Archives.backup(dataDir, file));
        assert.include(damaged, `attachment ${id} are damaged`);
        yield* Effect.promise(() => rm(path));
        const missing = yield* Archives.refusal(Archives.backup(dataDir, file));
        assert.include(missing, `attachment ${id} are missing`);
        assert.match(missing, /delete the attachment, then back up again/);
        // The earlier backup is intact.
        assert.deepStrictEqual(yield* Effect.promise(() => readFile(file)), before);
        assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);
      }).pipe(Effect.scoped),
  );

  it.live(
    "[backup.incomplete] a backup of a damaged database fails and keeps the earlier one",
    () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* scene;
        yield* Archives.backup(dataDir, file);
        const before = yield* Effect.promise(() => readFile(file));
        yield* Effect.promise(() => truncate(join(dataDir, "quartermaster.db"), 60_000));
        const message = yield* Archives.refusal(Archives.backup(dataDir, file));
        assert.match(message, /cannot be copied|is damaged/);
        assert.match(message, /quartermaster doctor|restore an older backup/);
        assert.deepStrictEqual(yield* Effect.promise(() => readFile(file)), before);
        assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);
      }).pipe(Effect.scoped),
  );

  it.live("[backup.target] a backup replaces an earlier backup and no other file", () =>
    Effect.gen(function* () {
      const { dataDir, file, folder } = yield* scene;
      yield* Archives.backup(dataDir, file);
      yield* Archives.backup(dataDir, file);
      yield* Effect.promise(() => writeFile(join(folder, "notes"), "mine"));
      const message = yield* Archives.refusal(Archives.backup(dataDir, join(folder, "notes")));
      assert.match(message, /notes exists and is not a backup.*Name another file/);
      assert.strictEqual(
        yield* Effect.promise(() => readFile(join(folder, "notes"), "utf8")),
        "mine",
      );
      const nowhere = yield* Archives.refusal(Archives.backup(dataDir, join(folder, "no", "b")));
      assert.include(nowhere, join(folder, "no", "b"));
      const empty = yield* Archives.refusal(Archives.backup(folder, file));
      assert.match(empty, /There is no database in .*: name the server's data directory\./);
    }).pipe(Effect.scoped),
  );

  it.live(
    "[restore.empty] a restore refuses a directory that is not empty, and changes nothing",
    () =>
      Effect.gen(function* () {
        const { dataDir, file, fresh } = yield* scene;
        yield* Archives.backup(dataDir, file);
        const before = yield* Archives.namesIn(dataDir);
        assert.match(
          yield* Archives.refusal(Archives.restore(file, dataDir)),
          /is not empty \(it has attachments, .*\), and .*Name an empty or new directory, or move these files away\./,
        );
        assert.deepStrictEqual(yield* Archives.namesIn(dataDir), before);
        // The command itself caches its code there, if the directory is its user's home.
        yield* Effect.promise(() => mkdir(join(fresh, ".cache"), { recursive: true }));
        yield* Archives.restore(file, fresh);
        assert.match(yield* Archives.refusal(Archives.restore(file, fresh)), /is not empty/);
      }).pipe(Effect.scoped),
  );
});

/** Changes a copy of the backup. Checks that a restore rejects it and writes nothing. */
const refused = Effect.fnUntraced(function* (
  change: (bytes: Buffer) => Uint8Array,
  expected: RegExp,
) {
  const { dataDir, file, folder } = yield* scene;
  yield* Archives.backup(dataDir, file);
  const bytes = yield* Effect.promise(() => readFile(file));
  yield* Effect.promise(() => writeFile(file, change(bytes)));
  const target = join(folder, "target");
  assert.match(yield* Archives.refusal(Archives.restore(file, target)), expected);
  assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);
}, Effect.scoped);

describe("an invalid backup", () => {
  it.live("[restore.truncated] a restore refuses a file that was truncated anywhere", () =>
    Effect.gen(function* () {
      for (const share of [0.01, 0.5, 0.99]) {
        const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share));
        yield* refused(cut, /backup is incomplete: it ends after \d+ bytes\. Copy it again/);
      }
      yield* refused((bytes) => bytes.subarray(0, -1), /is incomplete/);
    }),
  );

  it.live("[restore.foreign] a restore refuses a file that is not a backup", () =>
    Effect.gen(function* () {
      const sentence = /is not a Quartermaster backup. Name a file that `quartermaster backup`/;
      yield* refused(() => new Uint8Array(), sentence);
      yield* refused(() => new TextEncoder().encode("SQLite format 3\0"), sentence);
      yield* refused(() => new Uint8Array(100_000), sentence);
      const { fresh, folder } = yield* scene;
      const missing = yield* Archives.refusal(Archives.restore(join(folder, "none"), fresh));
      assert.match(missing, /There is no file .*none\. Name a backup/);
    }).pipe(Effect.scoped),
  );

  it.live("[restore.newer] a restore refuses a file that a newer version wrote", () =>
    Effect.gen(function* () {
      const replaced = (from: string, to: string) => (bytes: Buffer) =>
        Buffer.from(bytes.toString("latin1").replace(from, to), "latin1");
      const sentence = /was written by a newer version of Quartermaster \(.*\)\. Restore it with/;
      yield* refused(replaced("quartermaster-backup 1", "quartermaster-backup 2"), sentence);

      const { dataDir, file, folder, fresh } = yield* scene;
      const head = yield* Archives.backup(dataDir, file);
      const db = new DatabaseSync(join(dataDir, "quartermaster.db"));
      db.exec("INSERT INTO migrations (migration_id, name) VALUES (9999, 'later')");
      db.close();
      const old = yield* Archives.refusal(Archives.backup(dataDir, join(folder, "other")));
      assert.match(old, /was written by a newer version \(it has 9999_later\)/);
      assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);

      // A backup of such a database, as the newer version writes it.
      yield* Effect.promise(async () => {
        const handle = await open(file, "w");
        const writer = Archive.writer(handle);
        const migrations = [...head.migrations, "9999_later"];
        await writer.head({ ...head, migrations, attachments: 0, version: "9.0.0" });
        const sha256 = createHash("sha256").update("x").digest("hex");
        const entry = { path: "quartermaster.db", size: 1, sha256 };
        await writer.add(entry, [new TextEncoder().encode("x")]);
        await writer.end(null);
        await handle.close();
      });
      const newer = yield* Archives.refusal(Archives.restore(file, fresh));
      assert.match(
        newer,
        /newer version of Quartermaster \(9\.0\.0\)\. Restore it with that version/,
      );
      assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);
    }).pipe(Effect.scoped),
  );

  it.live("[restore.tampered] a restore refuses a file with a changed byte anywhere", () =>
    Effect.gen(function* () {
      for (const share of [0.0002, 0.001, 0.2, 0.7, 0.9999]) {
        const flip = (bytes: Buffer) => {
          const at = Math.floor(bytes.length * share);
          bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
          return bytes;
        };
        yield* refused(flip, /is damaged|is incomplete/);
      }
      yield* refused((bytes) => Buffer.concat([bytes, Buffer.from("more")]), /is damaged/);
    }),
  );

  it.live("[restore.paths] a restore writes no file outside of its directory", () =>
    refused((bytes) => {
      const text = bytes.toString("latin1");
      return Buffer.from(text.replace(/"attachments\/att_/, '"attachments/../x'), "latin1");
    }, /is damaged/),
  );
});

/** Polls, because no event reports that another process wrote a file. */
const until = (condition: () => Promise<boolean>): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.promise(() => condition().catch(() => false)),
    (met) => (met ? Effect.void : Effect.andThen(Effect.sleep("2 millis"), until(condition))),
  );

describe("a backup or a restore that is killed", () => {
  it.live("[backup.killed] a killed backup leaves nothing under its name; the next one works", () =>
    Effect.gen(function* () {
      const { dataDir, file, folder, fresh, issueId } = yield* scene;
      yield* Archives.attach(issueId, new Uint8Array(40_000_000)).pipe(
        Effect.provide(Archives.open(dataDir)),
      );
      const child = yield* Child.start("archiver", "backup", dataDir, file);
      yield* until(async () => (await stat(`${file}.quartermaster-backup`)).size > 1_000_000);
      yield* child.kill;
      assert.notInclude(yield* Archives.namesIn(folder), "backup");
      // A backup that is killed while it copies the database also leaves SQLite's journal.
      yield* Effect.promise(() =>
        writeFile(`${file}.quartermaster-backup.db-journal`, new Uint8Array(1_024)),
      );
      yield* Archives.backup(dataDir, file);
      assert.deepStrictEqual(yield* Archives.namesIn(folder), ["backup", "data"]);

      const restoring = yield* Child.start("archiver", "restore", fresh, file);
      yield* until(async () => (await stat(join(fresh, "restoring", "attachments"))).isDirectory());
      yield* restoring.kill;
      const started = Effect.provide(Archives.hasIssue(issueId), Archives.open(fresh));
      assert.match(yield* Archives.refusal(started), /restore FILE` again with the same file/);
      assert.deepStrictEqual(yield* Archives.namesIn(fresh), ["restoring"]);
      // An interrupted restore starts over, even if it had moved files.
      yield* Effect.promise(() =>
        rename(join(fresh, "restoring", "attachments"), join(fresh, "attachments")),
      );
      yield* Archives.restore(file, fresh);
      assert.isTrue(yield* started);
      yield* sound(fresh);
    }).pipe(Effect.scoped),
  );

  it.live("[restore.killed] a directory with an incomplete restore accepts no other backup", () =>
    Effect.gen(function* () {
      const { dataDir, file, folder } = yield* scene;
      yield* Archives.backup(dataDir, file);
      yield* Effect.promise(() => chmod(file, 0o400));
      yield* Effect.promise(() => rename(dataDir, join(folder, "restoring")));
      yield* Effect.promise(() => writeFile(join(folder, "restoring", "keep"), "mine"));
      assert.match(yield* Archives.refusal(Archives.restore(file, folder)), /is not empty/);
      const mine = yield* Effect.promise(() => readFile(join(folder, "restoring", "keep"), "utf8"));
      assert.strictEqual(mine, "mine");
    }).pipe(Effect.scoped),
  );
});

/**
 * Takes `rounds` backups while issues and attachments are stored and deleted, and checks each one.
 */
const underLoad = Effect.fnUntraced(function* (rounds: number) {
  const { dataDir, file, folder, issueId } = yield* scene;
  const issues = new Set<string>();
  const attachments = new Set<string>();
  const write = Effect.gen(function* () {
    issues.add((yield* Fixtures.issue()).id);
    // A few hundred changes a second, so that the database of 100 rounds stays small.
    yield* Effect.sleep("5 millis");
    attachments.add(yield* Archives.attach(issueId, new Uint8Array(3_000).fill(issues.size)));
    const [oldest = ""] = attachments;
    if (attachments.size < 20) return;
    attachments.delete(oldest);
    yield* Effect.ignore(Archives.detach(oldest));
  });
  yield* Effect.gen(function* () {
    const writers = yield* Effect.forkScoped(
      Effect.all([Effect.forever(write), Effect.forever(write)], { concurrency: 2 }),
    );
    for (let round = 0; round < rounds; round++) {
      const acknowledged = { issues: [...issues], attachments: [...attachments] };
      const child = yield* Child.start("archiver", "backup", dataDir, file);
      assert.strictEqual(yield* child.exit, 0);
      const target = join(folder, `round-${round}`);
      yield* Archives.restore(file, target);
      yield* sound(target);
      yield* Effect.gen(function* () {
        for (const id of acknowledged.issues.slice(-200))
          assert.isTrue(yield* Archives.hasIssue(id));
        for (const id of acknowledged.attachments.filter((id) => attachments.has(id))) {
          const [found, stored] = yield* Archives.hashes(id);
          assert.strictEqual(found, stored);
        }
      }).pipe(Effect.provide(Archives.open(target)));
      yield* Effect.promise(() => rm(target, { recursive: true }));
    }
    assert.isAbove(issues.size, rounds);
    yield* Fiber.interrupt(writers);
  }).pipe(Effect.scoped, Effect.provide(Archives.open(dataDir)));
}, Effect.scoped);

describe("a backup under write load", () => {
  it.live("[backup.load] nothing that was acknowledged before a backup started is lost", () =>
    underLoad(3),
  );

  it.live.runIf(process.env["QM_LONG"] === "1")(
    "[backup.load] [long] 100 backups out of 100 lose nothing",
    () => underLoad(100),
    900_000,
  );
});
