import { assert, describe, it } from "@effect/vitest";
import {
  languageOf,
  mostRows,
  prettyJson,
  rowsOf,
  textOf,
  whyNone,
} from "../src/texts/previews.ts";
import { typedName } from "../src/texts/typedName.ts";

const part = (bytes: ReadonlyArray<number>) => ({
  contentType: "",
  bytes: new Uint8Array(bytes),
  from: 0,
  size: 9,
});

describe("previews of files", () => {
  it("[dashboard.previews] a text is UTF-8, also if a part ends within a character", () => {
    const [first = 0, ...rest] = new TextEncoder().encode("é!");
    assert.strictEqual(textOf([part([65, first]), part(rest)]), "Aé!");
    assert.strictEqual(textOf([part([65, first])]), "A");
    assert.isNull(textOf([part([65, 0])]));
    assert.isNull(textOf([part([0xff, 0xfe])]));
    assert.strictEqual(textOf([part([])]), "");
  });

  it("[dashboard.previews] the type or the name of a file decides how it is shown", () => {
    assert.strictEqual(languageOf("application/octet-stream", "a.JSON"), "json");
    assert.strictEqual(languageOf("application/problem+json", "a"), "json");
    assert.strictEqual(languageOf("text/csv", "a"), "csv");
    assert.strictEqual(languageOf("text/html", "a.svg"), "xml");
    assert.isNull(languageOf("text/plain", "run.log"));
    assert.strictEqual(prettyJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
    assert.strictEqual(prettyJson("{"), "{");
    assert.match(whyNone("application/pdf", "a", "%PDF") ?? "", /does not open/);
    assert.match(whyNone("", "a.bin", null) ?? "", /no preview/);
    assert.match(whyNone("", "a.txt", "") ?? "", /empty/);
    assert.isNull(whyNone("text/html", "a.html", "<script>"));
  });

  it("[dashboard.previews] a table has quoted cells, empty cells, and no row that is cut", () => {
    const csv = 'a,b\r\n"1, ""2""\n3",\n\n,x\n4';
    assert.deepStrictEqual(rowsOf(csv, "a.csv", true), [
      ["a", "b"],
      ['1, "2"\n3', ""],
      [""],
      ["", "x"],
      ["4"],
    ]);
    assert.lengthOf(rowsOf(csv, "a.csv", false), 4);
    assert.deepStrictEqual(rowsOf("a;b\n1;2", "a.csv", true), [
      ["a", "b"],
      ["1", "2"],
    ]);
    assert.deepStrictEqual(rowsOf("a,b\tc", "a.tsv", true), [["a,b", "c"]]);
    assert.deepStrictEqual(rowsOf('"a"b,"c', "a.csv", true), [["a", "", '"c']]);
    assert.lengthOf(rowsOf("x\n".repeat(5_000), "a.csv", true), mostRows);
    const hostile = ['"'.repeat(400_000), `"${"a".repeat(400_000)}`, '"a\n'.repeat(100_000)];
    for (const text of hostile) rowsOf(text, "a.csv", true);
  });

  it("[dashboard.mentions] a name is typed after an @ that can start a mention", () => {
    for (const [text, name] of [
      ["@", ""],
      ["Ask @ad", "ad"],
      ["(@a.b-c", "a.b-c"],
      ["ada@", null],
      ["@types/n", null],
      ["@ada ", null],
      ["ada", null],
    ] as const) {
      assert.strictEqual(typedName(text, text.length), name, text);
    }
    assert.strictEqual(typedName("@ada and more", 3), "ad");
  });
});
