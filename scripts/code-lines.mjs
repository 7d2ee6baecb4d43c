// Counts lines of code, without blank lines and comments, and fails for a file over 250 or a
// function over 120. Generated files, catalog entries, tests and the suites of packages/testing are
// not counted.
//
//   node scripts/code-lines.mjs           prints the files and functions over the limit
//   node scripts/code-lines.mjs --longest also prints the 20 longest files and functions
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "rolldown/utils";

const root = fileURLToPath(new URL("..", import.meta.url));
const maxFile = 250;
const maxFunction = 120;
const uncounted =
  /^packages\/(?:client\/src\/contract|core\/src\/mcp\/catalog\/entries|testing\/src\/(?:model|races|suites))\/|^packages\/storage-(?:postgres|sqlite)\/src\/migrations\/statements\.ts$/;

/** The code without comments. Every line has the same number as in the file. */
const withoutComments = (text, comments) => {
  let code = "";
  let at = 0;
  for (const { start, end } of comments) {
    code += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ");
    at = end;
  }
  return code + text.slice(at);
};

const codeLines = (code) => code.split("\n").filter((line) => line.trim() !== "").length;

const measure = (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const { comments, program } = parseSync(file, text);
  const code = withoutComments(text, comments);
  const functions = [];
  const add = ({ end, start }) =>
    functions.push({
      place: `${file}:${text.slice(0, start).split("\n").length}`,
      lines: codeLines(code.slice(start, end)),
    });
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program);
  return { file: { place: file, lines: codeLines(code) }, functions };
};

const measured = globSync("{packages,examples}/*/src/**/*.{ts,tsx}", { cwd: root })
  .concat(globSync(["examples/*/*.ts", "scripts/**/*.{mjs,cjs,ts}"], { cwd: root }))
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !uncounted.test(file))
  .map(measure);
const files = measured.map(({ file }) => file).toSorted((a, b) => a.lines - b.lines);
const functions = measured
  .flatMap(({ functions }) => functions)
  .toSorted((a, b) => a.lines - b.lines);

const share = (part) => files[Math.ceil(files.length * part) - 1].lines;
console.log(
  `${files.length} files: median ${share(0.5)}, 90th percentile ${share(0.9)}, longest ${share(1)}; ` +
    `longest of ${functions.length} functions ${functions.at(-1).lines}.`,
);
const print = (list) => {
  for (const { lines, place } of list.toReversed()) {
    console.log(`${String(lines).padStart(6)}  ${place}`);
  }
};
if (process.argv.includes("--longest")) {
  print(files.slice(-20));
  print(functions.slice(-20));
}
const long = [
  ...files.filter(({ lines }) => lines > maxFile),
  ...functions.filter(({ lines }) => lines > maxFunction),
];
if (long.length > 0) {
  console.log(
    `Too long: over ${maxFile} lines of code in a file, or ${maxFunction} in a function.`,
  );
  print(long);
  process.exitCode = 1;
}
