import { assert } from "@effect/vitest";
import { IssueStore, VersionStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, checkPaging, everything, texts } from "../Suite.ts";

/** The requirements of every `VersionStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void =>
  block(`VersionStore: ${name}`, storage, (it) => {
    it.effect("append stores every field, in the given order", () =>
      Effect.gen(function* () {
        const store = yield* VersionStore.VersionStore;
        const issue = yield* Fixtures.issue();
        const rows = [...texts, null].map((content, index) =>
          Fixtures.versionRow(issue.id, { content, version: index + 1 }),
        );
        yield* transact(store.append(rows));
        const found = yield* store.list(issue.id, everything);
        assert.deepStrictEqual(
          found.map(({ seq: _, ...row }) => row),
          rows,
        );
      }),
    );

    it.effect("list returns only the text's versions, page by page, in both orders", () =>
      Effect.gen(function* () {
        const store = yield* VersionStore.VersionStore;
        const issue = yield* Fixtures.issue();
        let version = 0;
        yield* checkPaging(
          (slice) =>
            Effect.map(store.list("cmt_one", slice), (rows) =>
              rows.map((row) => ({ ...row, id: String(row.version) })),
            ),
          Effect.gen(function* () {
            version++;
            yield* transact(
              store.append([
                Fixtures.versionRow(issue.id, { textId: "cmt_one", version }),
                Fixtures.versionRow(issue.id, { textId: "cmt_other", version }),
              ]),
            );
            return String(version);
          }),
        );
      }),
    );

    it.effect("since returns the newest version of each text that changed after a version", () =>
      Effect.gen(function* () {
        const store = yield* VersionStore.VersionStore;
        const issue = yield* Fixtures.issue();
        const other = yield* Fixtures.issue();
        const texts = ["cmt_a", "cmt_b", "cmt_a", "cmt_c", "cmt_b"];
        const rows = texts.map((textId, index) =>
          Fixtures.versionRow(issue.id, { textId, version: index + 1 }),
        );
        yield* transact(store.append([...rows, Fixtures.versionRow(other.id)]));
        const since = (after: number, limit: number) =>
          Effect.map(store.since(issue.id, after, limit), (found) =>
            found.map(({ seq, version }) => [version, seq]),
          );
        const found = yield* since(0, 10);
        assert.deepStrictEqual(
          found.map(([version]) => version),
          [3, 4, 5],
        );
        const seqOf = (version: number) => found.find(([of]) => of === version)?.[1] ?? 0;
        assert.deepStrictEqual(yield* since(0, 2), found.slice(0, 2));
        assert.deepStrictEqual(yield* since(seqOf(3), 10), found.slice(1));
        assert.deepStrictEqual(yield* since(seqOf(5), 10), []);
      }),
    );

    it.effect("remove removes a text's versions, and the removal of an issue all of its", () =>
      Effect.gen(function* () {
        const store = yield* VersionStore.VersionStore;
        const issues = yield* IssueStore.IssueStore;
        const issue = yield* Fixtures.issue();
        const ids = yield* Effect.all([Fixtures.id("cmt"), Fixtures.id("cmt")]);
        yield* transact(
          store.append(ids.map((textId) => Fixtures.versionRow(issue.id, { textId }))),
        );
        const counts = Effect.forEach(ids, (id) =>
          Effect.map(store.list(id, everything), ({ length }) => length),
        );
        yield* transact(store.remove(ids[0]));
        assert.deepStrictEqual(yield* counts, [0, 1]);
        yield* transact(issues.remove(issue.id));
        assert.deepStrictEqual(yield* counts, [0, 0]);
      }),
    );
  });
