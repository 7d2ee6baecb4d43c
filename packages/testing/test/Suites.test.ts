import { readdirSync } from "node:fs";
import { assert, describe, it } from "@effect/vitest";
import * as Testing from "@quartermaster/testing";

describe("the root of testing", () => {
  it("exports every suite", () => {
    const folder = new URL("../src/suites", import.meta.url);
    const suites = readdirSync(folder).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);
    assert.include(suites, "IssueStoreTest");
    assert.deepStrictEqual(
      suites.filter((suite) => !(suite in Testing)),
      [],
    );
  });
});
