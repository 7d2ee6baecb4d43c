import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import * as Mentioning from "../../src/issues/Mentioning.ts";
import { MentionStore } from "../../src/issues/MentionStore.ts";
import { mostNames, namesIn } from "../../src/issues/rules/MentionNames.ts";

const found: ReadonlyArray<readonly [text: string, names: ReadonlyArray<string>]> = [
  ["@ada", ["ada"]],
  [
    "Ask @ada, @eve-2 or @key_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA.",
    ["ada", "eve-2", "key_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA"],
  ],
  ["(@ada) **@eve** _@bob_ @ada", ["ada", "eve", "bob"]],
  ["@corp:ada.l... @Ada", ["corp:ada.l", "Ada"]],
  ["> @ada wrote\n\n- @eve\n  1. @bob", ["ada", "eve", "bob"]],
  ["日本語、@ada。", ["ada"]],
  ["ada@example.com, a.b@c, +@ada, mail:x@ada", []],
  ["@types/node and @effect/vitest, @ada@example.org", []],
  ["https://example.com/@ada?x=@eve&@bob", []],
  ["@ @. @-ada é@ada", []],
  [`@${"a".repeat(128)} @${"b".repeat(129)}`, ["a".repeat(128)]],
  ["`@ada` @eve ``@bob ` @bob`` ` @dan", ["eve", "dan"]],
  ["`@ada\n@ada` @eve\n\n`@bob\n\n@dan`", ["eve", "bob", "dan"]],
  ["```ts\n@ada\n```\n@eve", ["eve"]],
  ["~~~\n@ada\n```\n@bob\n~~~~\n@eve", ["eve"]],
  ["> ```\n> @ada\n> ```\n\n- ```\n  @bob\n  ```\n@eve", ["eve"]],
  ["```@ada``` @eve", ["eve"]],
  ["```\n@ada, and the block has no end", []],
  ["Before\n\n    @ada\n\n    @bob\n\n@eve", ["eve"]],
  ["- Item\n\n    @ada in the item", ["ada"]],
  ["A line\n    that continues with @ada", ["ada"]],
  ["Line\r\n\r\n@ada\r\n", ["ada"]],
];

describe("Names in texts", () => {
  it("[inbox.mentioned-names] names are recognized outside of code, mail addresses, URLs and packages", () => {
    for (const [text, names] of found) assert.deepStrictEqual(namesIn(text), names, text);
    assert.deepStrictEqual(namesIn(null), []);
    const many = Array.from({ length: 60 }, (_, index) => `@p${index}`).join(" ");
    assert.lengthOf(namesIn(many), mostNames);
  });

  it("[inbox.mentioned-names] the time grows with the length of the text, and not with its square", () => {
    /** Milliseconds of this thread. They come in steps of 4, so what is compared takes many. */
    const timeOf = (text: string, times: number) => {
      const before = process.threadCpuUsage();
      for (let time = 0; time < times; time++) namesIn(text);
      const { system, user } = process.threadCpuUsage(before);
      return (system + user) / 1_000;
    };
    const runs = (most: number) =>
      Array.from({ length: most }, (_, index) => "`".repeat(index + 1)).join(" ");
    const parts = ["@a.", "`` ` ", "@", "- > ", "    ", "\n    `@a", "> `"];
    const ofLength = (length: number) => [
      ...parts.map((part) => `@${part.repeat(length / part.length)}`),
      `@${runs(Math.floor(Math.sqrt(2 * length)))}@a`,
    ];
    const longest = ofLength(65_536);
    for (const [index, short] of ofLength(4_096).entries()) {
      const long = longest[index] ?? "";
      timeOf(short, 64);
      // As much text as the short one in 128 times. The square would take 16 times as long.
      assert.isBelow(timeOf(long, 8), 8 * timeOf(short, 128) + 40, short.slice(0, 9));
    }
  });

  it.effect("[inbox.mentioned-cost] a text without @ does not use the storage", () =>
    Effect.gen(function* () {
      const mention = yield* Mentioning.make;
      const text = {
        issueId: "iss_a",
        textId: "cmt_a",
        before: "Two slates",
        after: "Three slates; `@ada` is code",
        actor: { type: "User", id: "eve" },
        at: "2026-01-01T00:00:00.000Z",
      } as const;
      yield* mention(text);
      yield* mention({ ...text, before: "@ada", after: "@ada again" });
      yield* mention({ ...text, before: null, after: "@eve, who writes this" });
    }).pipe(
      Effect.provideService(MentionStore, {
        insert: () => Effect.die("insert"),
        remove: () => Effect.die("remove"),
        prune: () => Effect.die("prune"),
      }),
    ),
  );
});
