import { assert, describe, it } from "@effect/vitest";
import { ticked } from "../src/texts/tasks.ts";

describe("tasks in texts", () => {
  it("[dashboard.tasks] only the box of the list item is ticked, whatever the list's mark", () => {
    const text = "Steps [ ]\n\n- [ ] one [ ]\n  1. [x] two\n> * [X] three\n";
    const at = (part: string) => text.indexOf(part);
    assert.strictEqual(ticked(text, at("- [ ]"), true), text.replace("- [ ]", "- [x]"));
    assert.strictEqual(ticked(text, at("1. [x]"), false), text.replace("1. [x]", "1. [ ]"));
    assert.strictEqual(ticked(text, at("* [X]"), false), text.replace("* [X]", "* [ ]"));
    assert.strictEqual(ticked(text, 0, true), text);
  });
});
