import { assert, describe, it } from "@effect/vitest";
import { plainOf } from "../src/parts/plain.ts";

describe("previews of Markdown", () => {
  it.each([
    ["Which **limit** do _they_ need?", "Which limit do they need?"],
    ["# Title\n\n- [ ] one\n- [x] two\n> 3. quoted", "Title one two quoted"],
    [
      'See [the report](https://example.com/a_b "Title") and ![cart](x.png).',
      "See the report and cart.",
    ],
    ["Run `npm test` in ``a `b` c``", "Run npm test in a `b` c"],
    ["```ts\nconst a = 1;\n```\nThen ~~wait~~ ***go***", "const a = 1; Then wait go"],
    [
      "snake_case_name, 2 * 3 * 4, a*b*c, @ada and -5 stay",
      "snake_case_name, 2 * 3 * 4, a*b*c, @ada and -5 stay",
    ],
    ["", ""],
  ])("[dashboard.previews] %j has the words %j", (markdown, words) => {
    assert.strictEqual(plainOf(markdown), words);
  });
});
