// Prints how long the source files are, in lines of code (neither blank nor comment), and names those
// above 250. Tests are not counted.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";

const root = fileURLToPath(new URL("..", import.meta.url));

const codeLines = (file) => {
  const text = readFileSync(join(root, file), "utf8");
  let code = "";
  let at = 0;
  for (const { start, end } of parseSync(file, text).comments) {
    code += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, "");
    at = end;
  }
  return (code + text.slice(at)).split("\n").filter((line) => line.trim() !== "").length;
};

const files = globSync("{packages,examples}/*/src/**/*.{ts,tsx}", { cwd: root })
  .concat(globSync(["examples/*/*.ts", "scripts/*.{mjs,cjs,ts}"], { cwd: root }))
  .map((file) => ({ file, lines: codeLines(file) }))
  .toSorted((a, b) => a.lines - b.lines);
const share = (part) => files[Math.ceil(files.length * part) - 1].lines;

console.log(`${files.length} files: median ${share(0.5)}, 90th percentile ${share(0.9)}`);
for (const { file, lines } of files.filter(({ lines }) => lines > 250).toReversed()) {
  console.log(`${String(lines).padStart(6)}  ${file}`);
}
