import { assert, describe, it } from "@effect/vitest";
import { keyNames } from "../src/parts/keyNames.ts";

describe("names of keys", () => {
  it("[dashboard.keys.shown] keys have their names on a keyboard", () => {
    assert.deepStrictEqual(
      ["mod+k", "g i", "shift+p", "arrowright", "delete", "escape", "+", "mod++", "?"].map((keys) =>
        keyNames(keys, false),
      ),
      [["Ctrl", "K"], ["G", "I"], ["⇧", "P"], ["→"], ["Del"], ["Esc"], ["+"], ["Ctrl", "+"], ["?"]],
    );
    assert.deepStrictEqual(keyNames("mod+alt+delete", true), ["⌘", "⌥", "⌦"]);
  });
});
