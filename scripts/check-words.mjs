// Fails when prose has a habit that scripts/words.mjs lists: in comments, in strings with a space
// (messages, descriptions, names of tests), in Markdown, and in the texts of the OpenAPI document.
//
//   node scripts/check-words.mjs           fails on what exceeds scripts/words-budget.json
//   node scripts/check-words.mjs --report  prints every finding, and the count of each file
//   node scripts/check-words.mjs --update  lowers the budget to today's counts, and never raises it;
//                                          without a budget file it records today's counts
//
// `--root DIR` checks that folder instead of this repository.
//
// The budget holds what is not rewritten yet. A file is known by its package and name, so that it may
// move within its package; one that the budget does not name must have no finding. Exceptions are in
// scripts/words-allowed.json: a phrase, the end of the path of the file where it is allowed (any file
// without one), and the reason.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "rolldown/utils";
import { habits } from "./words.mjs";

const at = process.argv.indexOf("--root");
const root = at < 0 ? fileURLToPath(new URL("..", import.meta.url)) : process.argv[at + 1];
const budgetFile = join(root, "scripts", "words-budget.json");
const allowedFile = join(root, "scripts", "words-allowed.json");
const readJson = (file, otherwise) =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : otherwise;
const allowed = readJson(allowedFile, []);

/** The list of habits, its test, and a report that a program writes. */
const listed = new Set(["scripts/words.mjs", "test/words.test.ts", "docs/catalogue-report.md"]);
const outside = /(?:^|\/)(?:node_modules|dist|program|\.tsbuild|\.quartermaster)\//;
const files = globSync(
  [
    "{packages,examples}/**/*.{ts,js,md}",
    "{test,bench,scripts}/**/*.{ts,mjs,cjs}",
    "{docs,plugins,.changeset}/**/*.md",
    "*.md",
    "packages/http/openapi.json",
  ],
  { cwd: root },
)
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !outside.test(file) && !listed.has(file))
  .toSorted();

const blank = (text) => text.replaceAll(/[^\n]/g, " ");
const mute = (text) => text.replaceAll(/[^\n]/g, "\ufffc");

/** The prose of a source file at its own offsets; everything else is `\ufffc`. */
const proseOfCode = (file, text) => {
  const { program, comments } = parseSync(file, text);
  const parts = comments.map(({ start, end }) => ({ start, end, comment: true }));
  const add = ({ start, end }) => {
    if (text.slice(start, end).includes(" ")) parts.push({ start, end, comment: false });
  };
  new Visitor({
    Literal: (node) => typeof node.value === "string" && add(node),
    TemplateElement: add,
  }).visit(program);

  let prose = "";
  let last;
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    const between = text.slice(prose.length, part.start);
    // Line comments that follow each other are one text.
    const goesOn = last?.comment && part.comment && between.trim() === "";
    prose += goesOn ? between : mute(between);
    const own = text.slice(part.start, part.end);
    prose += part.comment
      ? own.replaceAll(/^\s*(?:\/\*+|\*+\/?|\/\/)|\*\/$/gm, blank)
      : own.replace(/^["'`]/, " ").replace(/["'`]$/, " ");
    last = part;
  }
  return prose + mute(text.slice(prose.length));
};

/** The summaries and descriptions of the OpenAPI document. */
const proseOfOpenApi = (text) => {
  let prose = "";
  for (const { 0: found, index } of text.matchAll(/(?<="(?:summary|description)": ")[^"]*/g)) {
    prose += mute(text.slice(prose.length, index)) + found;
  }
  return prose;
};

/** Code spans and the targets of links are names, not prose. */
const withoutNames = (prose) =>
  prose
    .replaceAll(/`(?:[^`\n\ufffc]|\n(?!\n))+`/g, (span) => span.replaceAll(/[^`\n]/g, "x"))
    .replaceAll(/\]\([^)\s]*\)|https?:\/\/[^\s)]+/g, blank);

const proseOf = (file) => {
  const text = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) {
    return withoutNames(`\ufffc${text.replaceAll(/^ *```.*$/gm, mute)}\ufffc`);
  }
  if (file.endsWith(".json")) return withoutNames(proseOfOpenApi(text));
  return withoutNames(proseOfCode(file, text));
};

const used = new Set();
const isAllowed = (file, prose, found) =>
  allowed.some((exception) => {
    if (exception.in !== undefined && !file.endsWith(exception.in)) return false;
    const from = prose.lastIndexOf(exception.phrase, found.index);
    const covers = from >= 0 && from + exception.phrase.length >= found.index + found[0].length;
    if (covers) used.add(exception);
    return covers;
  });

/** The name of a file in the budget: its package or folder, and its own name. */
const keyOf = (file) => {
  const [folder, name] = file.split("/");
  return ["packages", "examples"].includes(folder) ? `${folder}/${name}/${basename(file)}` : file;
};

const findings = [];
for (const file of files) {
  const prose = proseOf(file);
  for (const { pattern, instead } of habits) {
    for (const found of prose.matchAll(pattern)) {
      if (isAllowed(file, prose, found)) continue;
      const line = prose.slice(0, found.index).split("\n").length;
      const words = found[0].replaceAll(/\s+/g, " ").trim();
      findings.push({ file, line, text: `${file}:${line}: "${words}": write ${instead}` });
    }
  }
}
const counts = {};
for (const { file } of findings) counts[keyOf(file)] = (counts[keyOf(file)] ?? 0) + 1;

const hasBudget = existsSync(budgetFile);
const budget = readJson(budgetFile, {});

if (process.argv.includes("--update")) {
  const lowered = Object.keys(hasBudget ? budget : counts)
    .toSorted()
    .map((key) => [key, Math.min(counts[key] ?? 0, budget[key] ?? Infinity)])
    .filter(([, count]) => count > 0);
  writeFileSync(budgetFile, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}
if (process.argv.includes("--report")) {
  console.log(findings.map(({ text }) => text).join("\n"));
  for (const [key, count] of Object.entries(counts).toSorted((a, b) => b[1] - a[1])) {
    console.log(`${String(count).padStart(6)}  ${key}`);
  }
  console.log(`${findings.length} findings in ${files.length} files.`);
} else if (!process.argv.includes("--update")) {
  const excess = Object.keys(counts).filter((key) => counts[key] > (budget[key] ?? 0));
  const problems = [
    ...excess.flatMap((key) => [
      `${key} has ${counts[key]} findings, and may have ${budget[key] ?? 0}:`,
      ...findings.filter(({ file }) => keyOf(file) === key).map(({ text }) => `  ${text}`),
    ]),
    ...allowed
      .filter((exception) => !used.has(exception))
      .map(({ phrase }) => `scripts/words-allowed.json: nothing needs the exception "${phrase}"`),
  ];
  if (problems.length > 0) {
    console.error(problems.join("\n"));
    process.exit(1);
  }
  console.log(
    `Prose follows the glossary in ${files.length} files; ${findings.length} findings remain in the budget.`,
  );
}
