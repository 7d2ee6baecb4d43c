import { assert } from "@effect/vitest";
import { CommentStore, IssueStore, Matching } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { checkPaging, everything, type It } from "../../Suite.ts";

/** The ids of a project's issues that have the words of a text. */
export const find = (projectId: string, q: string) =>
  IssueStore.IssueStore.use((issues) =>
    Effect.map(
      issues.search(
        { projects: [projectId], words: Matching.wordsOf(q), sort: "created" },
        everything,
      ),
      ({ hits }) => hits.map(({ issue }) => issue.id),
    ),
  );

/** A text, with queries that find it and queries that do not. */
const cases: ReadonlyArray<{
  readonly text: string;
  readonly found: ReadonlyArray<string>;
  readonly missed: ReadonlyArray<string>;
}> = [
  {
    text: "The quick brown Fox",
    found: ["fox", "FOX quick", "brown the fox quick", "fox fox fox", "quick bro", "THE qui"],
    missed: ["f", "foxes", "quick dog", "quickbrown", "x", "qui fox", "ick"],
  },
  {
    text: "Ärger im CAFÉ, Straße, ΣΊΣΥΦΟΣ",
    found: [
      "ärger",
      "café",
      "cafe\u0301",
      "CAFE\u0301",
      "STRAßE",
      "straße im ÄRGER",
      "σίσυφος",
      "cafe",
      "arger",
      "strass",
      "σισυ",
    ],
    missed: ["caffe", "straze", "aerger"],
  },
  {
    text: "日本語 の テキスト 한국어 ไทย",
    found: ["日本語", "テキスト 日本語", "한국어", "ﾃｷｽﾄ", "テキス"],
    missed: ["日", "本", "語", "日本 テキスト", "한"],
  },
  {
    text: "Error 404 at v1.2.3 in file_name-2 ½ ２ x²",
    found: ["404", "v1 2 3", "1.2.3 v1", "file name", "file_name", "2", "x2", "1 2"],
    missed: ["4", "v1.2.4 5", "filename", "40 file"],
  },
  {
    text: 'say "hello world" (or not) AND NEAR c++ * it\'s 50% a:b {x} ^y -z',
    found: [
      '"hello',
      '"world hello"',
      "hello OR say",
      "NOT",
      "and",
      "AND",
      "NEAR",
      "near(hello)",
      "c*",
      "it's",
      "50%",
      "a:b",
      "{x}",
      "^y",
      "-z",
      "+hello",
      "hello, say; world.",
      "hel*",
      "_ %hell",
    ],
    missed: ["hello OR goodbye", "NOT goodbye", '"hello goodbye"', "title:hello", "hell say"],
  },
  {
    text: "before\u0000after 👩‍🚀𝒳 name",
    found: ["before", "after", "AFTER before", "x", "name 👩‍🚀"],
    missed: ["beforeafter"],
  },
];

export const tests = (it: It<Storage>): void => {
  for (const { found, missed, text } of cases) {
    for (const place of ["title", "description", "comment"] as const) {
      it.effect(`finds words of ${JSON.stringify(text)} in a ${place}`, () =>
        Effect.gen(function* () {
          const projectId = yield* Fixtures.id("project");
          const issue = yield* Fixtures.issue({
            projectId,
            title: place === "title" ? text : "",
            description: place === "description" ? text : null,
          });
          if (place === "comment") {
            yield* Fixtures.comment(issue.id, { content: text });
          }
          yield* Fixtures.issue({ projectId: `${projectId}-other`, title: text });
          for (const q of found) {
            assert.deepStrictEqual(yield* find(projectId, q), [issue.id], q);
          }
          for (const q of missed) {
            assert.deepStrictEqual(yield* find(projectId, q), [], q);
          }
        }),
      );
    }
  }

  it.effect("finds words spread over title, description and several comments", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const spread = yield* Fixtures.issue({ projectId, title: "alpha", description: "beta" });
      yield* Fixtures.comment(spread.id, { content: "gamma" });
      yield* Fixtures.comment(spread.id, { content: "delta" });
      const other = yield* Fixtures.issue({ projectId, title: "alpha delta" });
      assert.deepStrictEqual(yield* find(projectId, "delta gamma beta alpha"), [spread.id]);
      assert.deepStrictEqual(yield* find(projectId, "alpha delta"), [spread.id, other.id]);
      assert.deepStrictEqual(yield* find(projectId, "alphabeta"), []);
    }),
  );

  it.effect("finds an issue once, however often the words occur", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const issue = yield* Fixtures.issue({ projectId, title: "echo echo", description: "echo" });
      yield* Fixtures.comment(issue.id, { content: "echo" });
      yield* Fixtures.comment(issue.id, { content: "echo echo" });
      assert.deepStrictEqual(yield* find(projectId, "echo"), [issue.id]);
    }),
  );

  it.effect("follows an update of title and description; comments stay", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const issue = yield* Fixtures.issue({ projectId, title: "old", description: "stale words" });
      yield* Fixtures.comment(issue.id, { content: "remark" });
      yield* transact(issues.update([{ ...issue, title: "new", description: "fresh" }]));
      assert.deepStrictEqual(yield* find(projectId, "new fresh remark"), [issue.id]);
      for (const q of ["old", "stale", "words"]) {
        assert.deepStrictEqual(yield* find(projectId, q), [], q);
      }
      yield* transact(issues.update([{ ...issue, title: "new", description: null }]));
      assert.deepStrictEqual(yield* find(projectId, "fresh"), []);
      assert.deepStrictEqual(yield* find(projectId, "new remark"), [issue.id]);
      yield* transact(issues.update([{ ...issue, title: "new", description: null, version: 9 }]));
      assert.deepStrictEqual(yield* find(projectId, "new remark"), [issue.id]);
    }),
  );

  it.effect("follows a changed comment, in the first chapter and in later ones", () =>
    Effect.gen(function* () {
      const comments = yield* CommentStore.CommentStore;
      const projectId = yield* Fixtures.id("project");
      const issue = yield* Fixtures.issue({ projectId, title: "first" });
      const filler = "lorem ipsum dolor ".repeat(2_000);
      const rows = yield* Effect.forEach([1, 2, 3, 4, 5], (n) =>
        Fixtures.comment(issue.id, { content: `begin${n} ${filler} end${n}` }),
      );
      for (const [index, row] of rows.entries()) {
        yield* transact(comments.update({ ...row, content: `changed${index} ${filler}` }));
        for (const n of rows.keys()) {
          const isChanged = n <= index;
          const expected = [isChanged ? [] : [issue.id], isChanged ? [issue.id] : []];
          const asked = yield* Effect.forEach([`begin${n + 1} end${n + 1}`, `changed${n}`], (q) =>
            find(projectId, q),
          );
          assert.deepStrictEqual(asked, expected, `${index} ${n}`);
        }
      }
      for (const row of rows) yield* transact(comments.update({ ...row, content: "" }));
      for (const q of ["changed0", "changed3", "lorem"]) {
        assert.deepStrictEqual(yield* find(projectId, q), [], q);
      }
      assert.deepStrictEqual(yield* find(projectId, "first"), [issue.id]);
    }),
  );

  it.effect("a removed issue is no longer found", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const gone = yield* Fixtures.issue({ projectId, title: "needle" });
      yield* Fixtures.comment(gone.id, { content: "thread" });
      const stays = yield* Fixtures.issue({ projectId, title: "needle" });
      yield* transact(issues.remove(gone.id));
      assert.deepStrictEqual(yield* find(projectId, "needle"), [stays.id]);
      assert.deepStrictEqual(yield* find(projectId, "thread"), []);
    }),
  );

  it.effect("covers an issue with hundreds of KiB of comments, and words of any length", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const long = "x".repeat(1_000);
      const issue = yield* Fixtures.issue({ projectId, title: "first", description: long });
      const filler = "lorem ipsum dolor ".repeat(3_600);
      for (const n of [1, 2, 3, 4]) {
        yield* Fixtures.comment(issue.id, { content: `begin${n} ${filler} end${n}` });
      }
      yield* Fixtures.comment(issue.id, { content: "道".repeat(65_536) });
      assert.deepStrictEqual(yield* find(projectId, "end4 begin1 first lorem"), [issue.id]);
      assert.deepStrictEqual(yield* find(projectId, long), [issue.id]);
      assert.deepStrictEqual(yield* find(projectId, `${long}x`), []);
      assert.deepStrictEqual(yield* find(projectId, long.slice(1)), []);
      assert.deepStrictEqual(yield* find(projectId, "end5"), []);
    }),
  );

  it.effect("accepts as many words as a query can have", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const words = Array.from({ length: 200 }, (_, n) => `w${n}`);
      const issue = yield* Fixtures.issue({ projectId, description: words.join(" ") });
      assert.deepStrictEqual(yield* find(projectId, words.toReversed().join(" ")), [issue.id]);
      assert.deepStrictEqual(yield* find(projectId, [...words, "w200"].join(" ")), []);
    }),
  );

  it.effect("pages and filters the results", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const query = {
        projects: [projectId],
        status: ["Open"],
        words: ["paged", "twice"],
        sort: "created",
      } as const;
      yield* checkPaging(
        ({ after, ...slice }) =>
          Effect.map(
            issues.search(query, {
              ...slice,
              after:
                after === null
                  ? null
                  : { seq: after, updatedAt: "", priority: "normal", id: "", tier: 0 },
            }),
            ({ hits }) => hits.map(({ issue }) => issue),
          ),
        Effect.gen(function* () {
          yield* Fixtures.issue({ projectId, title: "paged" });
          yield* Fixtures.issue({ projectId, title: "paged twice", status: "Closed" });
          const { id } = yield* Fixtures.issue({ projectId, title: "paged" });
          yield* Fixtures.comment(id, { content: "Twice!" });
          return id;
        }),
      );
    }),
  );
};
