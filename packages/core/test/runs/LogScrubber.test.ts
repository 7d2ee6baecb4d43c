import { assert, describe, it } from "@effect/vitest";
import * as LogScrubber from "../../src/runs/internal/LogScrubber.ts";

const secret = "correct-horse-battery-staple";
const key = `qm_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA_${"0123456789abcdef".repeat(4)}`;
const forms = LogScrubber.formsOf([secret, "short", "line one of a key\nline two of a key"]);

const out = (...texts: ReadonlyArray<string>) =>
  texts.map((text) => ({ stream: "stdout" as const, text }));
const textsOf = ({ entries }: ReturnType<typeof LogScrubber.scrub>) =>
  entries.map(({ text }) => text);
const scrub = (...texts: ReadonlyArray<string>) =>
  textsOf(LogScrubber.scrub(out(...texts), {}, forms));

describe("LogScrubber", () => {
  it("[logs.secrets] keys and whole values of 16 characters go, with their encodings, and no part of a value", () => {
    assert.deepStrictEqual(
      scrub(
        `a ${secret}, ${secret}!`,
        `key=${key} end`,
        "qm_test_0123456789abcdef",
        btoa(secret),
        JSON.stringify({ deep: JSON.stringify(secret) }),
        "short correct-horse-battery qm_ qm_x_y",
      ),
      [
        "a [secret], [secret]!",
        "key=[secret] end",
        "[secret]",
        "[secret]==",
        String.raw`{"deep":"\"[secret]\""}`,
        "short correct-horse-battery qm_ qm_x_y",
      ],
    );
  });

  it("[logs.secrets] a secret that is split over entries of a stream goes from all of them", () => {
    const at = (n: number) => [`x${key.slice(0, n)}`, `${key.slice(n)}y`] as const;
    for (let n = 1; n < key.length; n++) {
      assert.deepStrictEqual(scrub(...at(n)), ["x[secret]", "y"], `after ${n}`);
    }
    assert.deepStrictEqual(scrub("a correct", "-horse-", "battery-staple b"), [
      "a [secret]",
      "",
      " b",
    ]);
    assert.deepStrictEqual(scrub("line one of a key", "line two of a key"), ["[secret]", ""]);
    const apart = [
      { stream: "stdout" as const, text: "correct-horse-" },
      { stream: "stderr" as const, text: "battery-staple" },
    ];
    assert.deepStrictEqual(textsOf(LogScrubber.scrub(apart, {}, forms)), [
      "correct-horse-",
      "battery-staple",
    ]);
  });

  it("[logs.secrets] the tail of a stream is what may be the start of a secret, and is cut when it was", () => {
    const first = LogScrubber.scrub(out("hello correct-horse"), {}, forms);
    assert.deepStrictEqual(first.tails, { stdout: "correct-horse" });
    const second = LogScrubber.scrub(out("-battery-staple!"), first.tails, forms);
    assert.deepStrictEqual(
      [textsOf(second), second.cuts, second.tails],
      [["!"], { stdout: 13 }, { stdout: "" }],
    );
    const other = LogScrubber.scrub(out(" is a horse"), first.tails, forms);
    assert.deepStrictEqual([textsOf(other), other.cuts], [[" is a horse"], {}]);
    assert.deepStrictEqual(LogScrubber.scrub(out(`x ${key}`), {}, forms).tails, { stdout: "" });
    assert.deepStrictEqual(LogScrubber.scrub(out("the q"), {}, forms).tails, { stdout: "q" });
  });

  it("[logs.secrets.limit] what follows the 100th secret of a request is dropped and says so", () => {
    const { dropped, entries } = LogScrubber.scrub(
      out(`${secret} `.repeat(99), `${secret} and ${secret} and`, "more", "lines"),
      {},
      forms,
    );
    assert.deepStrictEqual(
      [dropped, entries.map(({ text }) => text)],
      [2, ["[secret] ".repeat(99), `[secret] and ${LogScrubber.tooMany}`]],
    );
  });
});
