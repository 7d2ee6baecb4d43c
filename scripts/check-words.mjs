// Fails when prose has a habit that scripts/words.mjs lists: in comments, in strings with a space
// (messages, descriptions, names of tests), in the text and attributes of JSX, in Markdown, and in
// the texts of the OpenAPI document.
//
//   node scripts/check-words.mjs             prints every finding
//   node scripts/check-words.mjs --root DIR  checks that folder instead of this repository
//
// Exceptions are in scripts/words-allowed.json: a phrase, the end of the path of the file where it is
// allowed (any file without one), and the reason.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "rolldown/utils";
import { habits } from "./words.mjs";

const at = process.argv.indexOf("--root");
const root = at < 0 ? fileURLToPath(new URL("..", import.meta.url)) : process.argv[at + 1];
const allowedFile = join(root, "scripts", "words-allowed.json");
const allowed = existsSync(allowedFile) ? JSON.parse(readFileSync(allowedFile, "utf8")) : [];

/** Files that are not checked: the list of habits, its test, and a generated report. */
const listed = new Set(["scripts/words.mjs", "test/words.test.ts", "docs/catalog-report.md"]);
const outside = /(?:^|\/)(?:node_modules|dist|program|page|published|\.tsbuild|\.quartermaster)\//;
const files = globSync(
  [
    "{packages,examples}/**/*.{ts,tsx,js,md}",
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

/**
 * The prose of a source file at its own offsets: a comment starts with `\ufffb`, code becomes
 * `\ufffc`.
 */
const proseOfCode = (file, text) => {
  const { program, comments } = parseSync(file, text);
  const parts = comments.map(({ start, end }) => ({ start, end, comment: true }));
  const add = ({ start, end }) => {
    if (text.slice(start, end).includes(" ")) parts.push({ start, end, comment: false });
  };
  new Visitor({
    Literal: (node) => typeof node.value === "string" && add(node),
    TemplateElement: add,
    JSXText: (node) => parts.push({ start: node.start, end: node.end, comment: false }),
    JSXAttribute: ({ value }) => {
      if (value?.type === "Literal" && !value.raw.includes(" ")) {
        parts.push({ start: value.start, end: value.end, comment: false });
      }
    },
  }).visit(program);

  let prose = "";
  let last;
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    const between = text.slice(prose.length, part.start);
    // Consecutive line comments are one text.
    const goesOn = last?.comment && part.comment && between.trim() === "";
    prose += goesOn ? between : mute(between);
    const own = text.slice(part.start, part.end);
    const opening = goesOn ? " " : "\ufffb";
    prose += part.comment
      ? own.replaceAll(/^\s*(?:\/\*+|\*+\/?|\/\/)|\*\/$/gm, blank).replace(" ", opening)
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

const findings = [];
for (const file of files) {
  const prose = proseOf(file);
  for (const { except, instead, pattern } of habits) {
    if (except?.test(file)) continue;
    for (const found of prose.matchAll(pattern)) {
      if (isAllowed(file, prose, found)) continue;
      const line = prose.slice(0, found.index).split("\n").length;
      const words = found[0].replaceAll(/\s+/g, " ").trim();
      findings.push(`${file}:${line}: "${words}": write ${instead}`);
    }
  }
}
const unused = allowed
  .filter((exception) => !used.has(exception))
  .map(({ phrase }) => `scripts/words-allowed.json: nothing needs the exception "${phrase}"`);
if (findings.length + unused.length > 0) {
  console.error([...findings, ...unused].join("\n"));
  process.exit(1);
}
console.log(`Prose follows the glossary in ${files.length} files.`);
