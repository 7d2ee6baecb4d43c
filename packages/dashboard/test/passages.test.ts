import { assert, describe, it } from "@effect/vitest";
import { passagesOf } from "../src/parts/passages.ts";

const shown = (text: string) => passagesOf(text).map(({ at: _, ...passage }) => passage);

describe("texts from the server", () => {
  it("[dashboard.errors] show code and timestamps apart from their words", () => {
    assert.deepStrictEqual(shown("Look again after 2026-11-26T10:34:34Z, then set `QM_URL`."), [
      { kind: "words", text: "Look again after " },
      { kind: "time", text: "2026-11-26T10:34:34Z" },
      { kind: "words", text: ", then set " },
      { kind: "code", text: "QM_URL" },
      { kind: "words", text: "." },
    ]);
    assert.deepStrictEqual(shown("2026-11-26T10:34:34.123Z"), [
      { kind: "time", text: "2026-11-26T10:34:34.123Z" },
    ]);
    assert.deepStrictEqual(
      shown("`2026-11-26T10:34:34Z` is code, a lone ` and 2026-11-26 are words"),
      [
        { kind: "code", text: "2026-11-26T10:34:34Z" },
        { kind: "words", text: " is code, a lone ` and 2026-11-26 are words" },
      ],
    );
    assert.deepStrictEqual(passagesOf(""), []);
    const positions = passagesOf("a `b` `b` 2026-11-26T10:34:34Z").map(({ at }) => at);
    assert.deepStrictEqual(positions, [0, 2, 5, 6, 9, 10]);
  });
});
