import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import {
  CallBodyStore,
  CommentStore,
  EffectStore,
  type InstalledServer,
  IssueStore,
  McpServerStore,
  VersionStore,
} from "@quartermaster/core";
import { Fixtures, SeededRandom, Storage as Testing } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { Storage } from "../src/index.ts";
import * as Archives from "./support/Archives.ts";
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

/**
 * Effects and recorded calls of two servers and two issues, of many sizes. Returns a function that selects the texts of their
 * results, summaries and bodies.
 */
const called = Effect.gen(function* () {
  const effects = yield* EffectStore.EffectStore;
  const bodies = yield* CallBodyStore.CallBodyStore;
  const servers = [yield* Fixtures.server(), yield* Fixtures.server()];
  const issues = [yield* Fixtures.issue(), yield* Fixtures.issue()];
  const texts: Array<{
    readonly serverId: string;
    readonly issueId: string;
    readonly text: string;
  }> = [];
  for (const { id: serverId } of servers) {
    for (const { id: issueId } of issues) {
      for (let n = 0; n < 20; n++) {
        const of = { serverId, issueId };
        const text = (part: string) => {
          const unique = `<${part}-${serverId}-${issueId}-${n}>`;
          texts.push({ ...of, text: unique });
          return unique.repeat(1 + 7 * n);
        };
        const slot = {
          ...of,
          state: "done" as const,
          result: text("result"),
          summary: text("summary"),
        };
        const sealed = text("body");
        const body = yield* Fixtures.callBody({ ...of, sealed, bytes: sealed.length });
        yield* Testing.transact(
          Effect.andThen(
            Effect.flatMap(Fixtures.effectSlot(slot), effects.insert),
            bodies.put([body]),
          ),
        );
      }
    }
  }
  const [goneServer, goneIssue] = [servers[0]?.id ?? "", issues[0]?.id ?? ""];
  const where = (fits: (of: (typeof texts)[number]) => boolean) =>
    texts.filter(fits).map(({ text }) => text);
  return { goneServer, goneIssue, where };
});

/** The texts that a backup of the folder contains, in its file and after it is restored. */
const inBackup = Effect.fnUntraced(function* (dataDir: string, texts: ReadonlyArray<string>) {
  const file = join(yield* tempFolder, "backup.qmbackup");
  const restored = join(yield* tempFolder, "data");
  yield* Archives.backup(dataDir, file);
  yield* Archives.restore(file, restored);
  return new Set([
    ...(yield* findTexts(restored, texts)),
    ...(yield* findTexts(join(file, ".."), texts)),
  ]);
});

describe("results of effects and bodies of calls", () => {
  it.effect(
    "[effects.uninstall] [tools.calls.bodies.removed] an uninstall removes them from every file before it returns, and they are in no later backup",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* tempFolder;
        const { gone, stays } = yield* Effect.gen(function* () {
          const { goneServer, where } = yield* called;
          const gone = where(({ serverId }) => serverId === goneServer);
          const stays = where(({ serverId }) => serverId !== goneServer);
          assert.lengthOf(yield* findTexts(dataDir, gone), 120);
          assert.strictEqual((yield* inBackup(dataDir, gone)).size, 120);
          const effects = yield* EffectStore.EffectStore;
          const bodies = yield* CallBodyStore.CallBodyStore;
          const servers = yield* McpServerStore.McpServerStore;
          yield* Testing.transact(
            bodies
              .removeOfServer(goneServer, 1_000)
              .pipe(
                Effect.andThen(servers.remove(goneServer)),
                Effect.andThen(effects.wipeServer(goneServer)),
              ),
          );
          assert.deepStrictEqual(yield* findTexts(dataDir, gone), []);
          assert.lengthOf(yield* findTexts(dataDir, stays), 120);
          return { gone, stays };
        }).pipe(Effect.provide(open(dataDir)));
        assert.strictEqual((yield* inBackup(dataDir, gone)).size, 0);
        assert.strictEqual((yield* inBackup(dataDir, stays)).size, 120);
      }).pipe(Effect.scoped),
  );

  it.effect(
    "[tools.calls.bodies.removed] they go with their issue: none is in a later backup, nor in the files after a shutdown",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* tempFolder;
        const { gone, stays } = yield* Effect.gen(function* () {
          const { goneIssue, where } = yield* called;
          const issues = yield* IssueStore.IssueStore;
          const gone = where(({ issueId }) => issueId === goneIssue);
          yield* Testing.transact(issues.remove(goneIssue));
          assert.strictEqual((yield* inBackup(dataDir, gone)).size, 0);
          return { gone, stays: where(({ issueId }) => issueId !== goneIssue) };
        }).pipe(Effect.provide(open(dataDir)));
        assert.deepStrictEqual(yield* findTexts(dataDir, gone), []);
        assert.lengthOf(yield* findTexts(dataDir, stays), 120);
        assert.strictEqual((yield* inBackup(dataDir, stays)).size, 120);
      }).pipe(Effect.scoped),
  );
});

describe("purged comments", () => {
  it.effect("[comments.purge] a purge removes every version of a text from every file", () =>
    Effect.gen(function* () {
      const dataDir = yield* tempFolder;
      yield* Effect.gen(function* () {
        const comments = yield* CommentStore.CommentStore;
        const versions = yield* VersionStore.VersionStore;
        const issue = yield* Fixtures.issue();
        const texts = ["first canary in words", "second canary in words"];
        const [content = "", edited = ""] = texts.map((text) => `${text} `.repeat(500));
        const comment = yield* Fixtures.comment(issue.id, { content });
        const version = (content: string, version: number) =>
          Fixtures.versionRow(issue.id, { textId: comment.id, content, version });
        yield* Testing.transact(
          Effect.andThen(
            versions.append([version(content, 1), version(edited, 2)]),
            comments.update({ ...comment, content: edited, version: 2 }),
          ),
        );
        assert.deepStrictEqual(yield* findTexts(dataDir, texts), texts);
        yield* Testing.transact(
          Effect.andThen(
            versions.remove(comment.id),
            comments.update({ ...comment, content: "", version: 3 }),
          ),
        );
        assert.deepStrictEqual(yield* findTexts(dataDir, texts), []);
      }).pipe(Effect.provide(open(dataDir)));
    }).pipe(Effect.scoped),
  );
});
