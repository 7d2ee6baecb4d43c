import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { root, run, temporaryFolder } from "./programs.ts";

/** Runs the word check over a folder with these files. */
const checked = async (files: Readonly<Record<string, string>>) => {
  const folder = await temporaryFolder();
  await Promise.all(
    ["docs", "packages/migrations", "scripts"].map((name) =>
      mkdir(join(folder, name), { recursive: true }),
    ),
  );
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  await Promise.all(Object.entries(files).map(([file, text]) => write(file, text)));
  const script = join(root, "scripts", "check-words.mjs");
  const check = () => run(process.execPath, [script, "--root", folder], { cwd: folder });
  return { write, check };
};

const habits = [
  "It is written anew.",
  "The other one waits meanwhile.",
  "100 unless told otherwise.",
  "Who hangs up cancels the call.",
  "Connections for who comes next.",
  "The link to those that follow.",
  "The caller is told the reason.",
  "It does so besides.",
  "A token in the place of the old one.",
  "A server elsewhere.",
  "The behaviour of a lease.",
  "It imports core alone.",
  "The row is kept.",
  "Answers the issue.",
  "To begin, run it.",
  "A run as storage has it.",
  "What an event makes of it.",
  "It runs so many rounds.",
  "The issue goes for good.",
  "It fails while there waits another.",
  "Changed by an agent's key.",
];

describe("the check of words", () => {
  it("finds each habit with its line", async () => {
    const { check } = await checked({ "docs/page.md": habits.join("\n\n") });
    const { code, stderr } = await check();
    assert.strictEqual(code, 1);
    const missed = habits.filter((_, n) => !stderr.includes(`docs/page.md:${2 * n + 1}:`));
    assert.deepStrictEqual(missed, []);
  });

  it("reads comments, across their lines, and messages, and no code", async () => {
    const { check } = await checked({
      "scripts/program.mjs": [
        "// The one in the place",
        "// of the other.",
        'const meanwhile = "meanwhile";',
        'throw new Error("Wait meanwhile.", { cause: meanwhile });',
        "/** Names in `meanwhile` are names. */",
      ].join("\n"),
    });
    const { stderr } = await check();
    const lines = [...stderr.matchAll(/program\.mjs:(\d+):/g)].map(([, line]) => line);
    assert.deepStrictEqual(lines.toSorted(), ["1", "4"]);
  });

  it("finds a comment that starts with a clause, except in a migration", async () => {
    const text = [
      "// Who holds",
      "// the lease.",
      "const a = 1;",
      "/**",
      " * How long it lasts.",
      " */",
      "const b = 2; // Which one? The first.",
      "/** When it ends, it stops. */",
      "const c = 'What is stored';",
    ].join("\n");
    const { check } = await checked({
      "packages/migrations/0001_initial.ts": text,
      "packages/program.ts": text,
    });
    const { stderr } = await check();
    const found = [...stderr.matchAll(/^(\S+:\d+): "(\w+)"/gm)].map(([, at, word]) => [at, word]);
    assert.deepStrictEqual(found, [
      ["packages/program.ts:1", "Who"],
      ["packages/program.ts:5", "How"],
    ]);
  });

  it("reads the text and the attributes of JSX", async () => {
    const { check } = await checked({
      "packages/page.tsx": [
        "export const page = (",
        "  <p",
        '    title="Begin"',
        '    id="a"',
        "  >",
        "    Wait <b>besides</b>",
        "  </p>",
        ");",
      ].join("\n"),
    });
    const { stderr } = await check();
    const lines = [...stderr.matchAll(/page\.tsx:(\d+):/g)].map(([, line]) => line);
    assert.deepStrictEqual(lines.toSorted(), ["3", "6"]);
  });

  it("accepts SQL and plain prose", async () => {
    const text =
      "The run is told to stop. Leave the caller alone. There is no cursor. It is no longer there. At that moment it stops. Who may call? BEGIN starts a transaction. It waits so long that it fails. The key of an agent.";
    const { check } = await checked({ "docs/page.md": text });
    const { code, stderr } = await check();
    assert.strictEqual(code, 0, stderr);
  });

  it("accepts an exception where it applies, and reports one that nothing needs", async () => {
    const exception = { phrase: "a tool called anew", in: "docs/page.md", reason: "its name" };
    const { check, write } = await checked({
      "docs/page.md": "There is a tool called anew here.",
      "scripts/words-allowed.json": JSON.stringify([exception]),
    });
    assert.strictEqual((await check()).code, 0);
    await write("docs/page.md", "There is a tool.");
    const { code, stderr } = await check();
    assert.strictEqual(code, 1);
    assert.include(stderr, "a tool called anew");
  });
});
