import { assert, describe, it } from "@effect/vitest";
import { Unreachable } from "@quartermaster/client";
import { sentenceOf } from "../src/parts/sentence.ts";

describe("sentences about errors", () => {
  it("[dashboard.errors] contain no names of the API", () => {
    assert.strictEqual(
      sentenceOf(new Error("Check the id: there is no such installedServer that you may see.")),
      "This server does not exist, or you may not see it.",
    );
    assert.strictEqual(
      sentenceOf(new Error("Check the id: there is no issue iss_01 that you may see.")),
      "This issue does not exist, or you may not see it.",
    );
    assert.strictEqual(
      sentenceOf(new Unreachable("http://127.0.0.1:7420/api/issues", null)),
      "The server cannot be reached. Nothing was saved; what you entered is still here.",
    );
    assert.strictEqual(sentenceOf(new Error("Use another name.")), "Use another name.");
    assert.strictEqual(sentenceOf(null), "Something went wrong. Reload the page.");
  });
});
