// Fails when an import is not one of the arrows of ARCHITECTURE.md. Type-only imports count.
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "rolldown/utils";

const root = fileURLToPath(new URL("..", import.meta.url));

// The longest matching folder decides. `node:` stands for every built-in module; a name with a
// slash at its end allows the module and what is below it, one without allows that module alone.
const platform = ["@effect/platform-node", "@effect/platform-node/"];
const effect = ["effect", "effect/"];
const rules = {
  "packages/core/src": [...effect],
  "packages/storage-sqlite/src": [...effect, "@quartermaster/core", "node:"],
  "packages/testing/src": [
    ...effect,
    "@quartermaster/core",
    "@effect/vitest",
    "@effect/vitest/",
    "vitest",
  ],
  "packages/http/src": [
    ...effect,
    ...platform,
    "@quartermaster/core",
    "@quartermaster/mcp",
    "node:",
  ],
  "packages/http/src/api": [...effect, "@quartermaster/core"],
  "packages/http/src/bin.ts": [
    ...effect,
    ...platform,
    "@quartermaster/core",
    "@quartermaster/mcp",
    "@quartermaster/storage-sqlite",
    "node:",
  ],
  "packages/mcp/src": [
    ...effect,
    ...platform,
    "@quartermaster/core",
    "@modelcontextprotocol/",
    "node:",
  ],
};

/** Folders that a relative import may not leave. */
const walls = (file) => {
  const [, pkg] = file.match(/^(packages\/[^/]+\/src)\//);
  return file.startsWith("packages/http/src/api/") ? "packages/http/src/api" : pkg;
};

const ruleFor = (file) =>
  Object.keys(rules)
    .filter((folder) => file === folder || file.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length)[0];

const allows = (rule, specifier) =>
  isBuiltin(specifier)
    ? rule.includes("node:")
    : rule.some((name) => (name.endsWith("/") ? specifier.startsWith(name) : specifier === name));

const importsOf = (file, text) => {
  const { program, errors } = parseSync(file, text, { lang: "ts", sourceType: "module" });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  const add = (node) => {
    if (node.source) found.push({ specifier: node.source.value, at: node.start });
  };
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  return found;
};

const problems = [];
const files = globSync("packages/*/src/**/*.ts", { cwd: root });
for (const path of files) {
  const file = path.replaceAll("\\", "/");
  const text = readFileSync(join(root, file), "utf8");
  const folder = ruleFor(file);
  const refuse = (at, why) =>
    problems.push(`${file}:${text.slice(0, at).split("\n").length}: ${why}`);
  if (folder === undefined) {
    refuse(0, "this package has no rule in scripts/check-arrows.mjs");
    continue;
  }
  for (const { specifier, at } of importsOf(file, text)) {
    if (typeof specifier !== "string") {
      refuse(at, "a computed import cannot be checked");
    } else if (specifier.startsWith(".")) {
      const wall = walls(file);
      if (relative(wall, join(dirname(file), specifier)).startsWith("..")) {
        refuse(at, `"${specifier}" leaves ${wall}`);
      }
    } else if (!allows(rules[folder], specifier)) {
      refuse(at, `${folder} may not import "${specifier}"`);
    }
  }
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`Arrows hold in ${files.length} files.`);
