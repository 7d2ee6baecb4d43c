import { assert } from "@effect/vitest";
import { IssueStore, SearchText } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { bySeq, checkPaging, everything, ids, type It } from "../../Suite.ts";

const find = (projectId: string, q: string) =>
  IssueStore.IssueStore.use((issues) =>
    Effect.map(issues.list({ projectId, words: SearchText.words(q) }, everything), ids),
  );

/** A text, with queries that find it and queries that do not. */
const cases: ReadonlyArray<{
  readonly text: string;
  readonly found: ReadonlyArray<string>;
  readonly missed: ReadonlyArray<string>;
}> = [
  {
    text: "The quick brown Fox",
    found: ["fox", "FOX quick", "brown the fox quick", "fox fox fox", "", "  ", "-- !"],
    missed: ["fo", "foxes", "quick dog", "quickbrown", "x"],
  },
  {
    text: "Ärger im CAFÉ, Straße, ΣΊΣΥΦΟΣ",
    found: ["ärger", "café", "cafe\u0301", "CAFE\u0301", "STRAßE", "straße im ÄRGER", "σίσυφος"],
    missed: ["cafe", "arger", "strasse"],
  },
  {
    text: "日本語 の テキスト 한국어 ไทย",
    found: ["日本語", "テキスト 日本語", "한국어", "ﾃｷｽﾄ"],
    missed: ["日本", "本", "語", "한국"],
  },
  {
    text: "Error 404 at v1.2.3 in file_name-2 ½ ２ x²",
    found: ["404", "v1 2 3", "1.2.3 v1", "file name", "file_name", "2", "x2", "1 2"],
    missed: ["40", "4", "v1.2.4 5", "filename"],
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
      "*",
      "(",
      ")(",
      '"',
      "'",
      "it's",
      "50%",
      "a:b",
      ":",
      "{x}",
      "^y",
      "-z",
      "+hello",
      "hello, say; world.",
    ],
    missed: [
      "hel*",
      "hello OR goodbye",
      "NOT goodbye",
      '"hello goodbye"',
      "title:hello",
      "_ %hell",
    ],
  },
  {
    text: "before\u0000after 👩‍🚀𝒳 name",
    found: ["before", "after", "AFTER before", "x", "name 👩‍🚀"],
    missed: ["beforeafter"],
  },
];

const Word = Schema.Literals(["red", "Red", "blue", "BLUE", "roof", "ro", "of", "42", "é", "道"]);
const Text = Schema.Array(Word).check(Schema.isMaxLength(4));

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
      const query = { projectId, status: ["Open"], words: ["paged", "twice"] } as const;
      yield* checkPaging(
        bySeq((slice) => issues.list(query, slice)),
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

  it.effect.prop(
    "finds exactly the issues that contain all words",
    {
      made: Schema.Array(
        Schema.Struct({ title: Text, description: Text, comments: Schema.Array(Text) }),
      ).check(Schema.isMaxLength(5)),
      queries: Schema.Array(Text).check(Schema.isMaxLength(5)),
    },
    ({ made, queries }) =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const docs = yield* Effect.forEach(
          made,
          Effect.fnUntraced(function* ({ comments, description, title }) {
            const { id } = yield* Fixtures.issue({
              projectId,
              title: title.join(" "),
              description: description.join("-"),
            });
            yield* Effect.forEach(comments, (words) =>
              Fixtures.comment(id, { content: words.join("\n") }),
            );
            const words = [...title, ...description, ...comments.flat()];
            return { id, words: new Set(words.map((word) => word.toLowerCase())) };
          }),
        );
        for (const query of queries) {
          const expected = docs.filter((doc) =>
            query.every((word) => doc.words.has(word.toLowerCase())),
          );
          assert.deepStrictEqual(yield* find(projectId, query.join(" ")), ids(expected));
        }
      }),
    { arbitrary: { runs: 40 } },
  );
};
