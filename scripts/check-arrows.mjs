// Fails when an import is not one of the arrows of ARCHITECTURE.md, or when folders of a package
// import each other in a circle. Type-only imports count.
//   node scripts/check-arrows.mjs              checks this repository
//   node scripts/check-arrows.mjs --root DIR   checks that folder instead
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Visitor, parseSync } from "rolldown/utils";

const at = process.argv.indexOf("--root");
const root = at < 0 ? fileURLToPath(new URL("..", import.meta.url)) : process.argv[at + 1];

// The longest matching folder decides. `node:` stands for every built-in module; a name with a
// slash at its end allows the module and everything below it, one without allows only that module.
const platform = ["@effect/platform-node", "@effect/platform-node/"];
const effect = ["effect", "effect/"];
const view = [
  "react",
  "react-dom",
  "react-dom/client",
  "react/jsx-runtime",
  "react-markdown",
  "remark-gfm",
  "hast-util-to-jsx-runtime",
  "lowlight",
  "uplot",
  "uplot/",
  "@atlaskit/pragmatic-drag-and-drop/",
  "@base-ui/react/",
  "@dagrejs/dagre",
  "@tanstack/react-query",
  "@tanstack/react-router",
  "@tanstack/react-virtual",
  "@xyflow/react",
  "@xyflow/react/",
];
const rules = {
  // The client runs without Effect, and its types resolve without another package.
  "packages/client/src": [],
  "packages/core/src": [...effect],
  "packages/storage-sql/src": [...effect, "@quartermaster/core"],
  "packages/storage-sqlite/src": [
    ...effect,
    "@quartermaster/core",
    "@quartermaster/storage-sql",
    "node:",
  ],
  "packages/storage-postgres/src": [
    ...effect,
    "@aws-sdk/client-s3",
    "@effect/sql-pg",
    "@effect/sql-pg/",
    "@quartermaster/core",
    "@quartermaster/storage-sql",
    "node:",
  ],
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
  // The commands and the runner, for machines that only run agents.
  "packages/cli/src": [...effect, ...platform, "@quartermaster/client", "node:"],
  // The program: it may import every package.
  "packages/server/src": [
    ...effect,
    ...platform,
    "@quartermaster/cli",
    "@quartermaster/core",
    "@quartermaster/http",
    "@quartermaster/mcp",
    "@quartermaster/storage-postgres",
    "@quartermaster/storage-sqlite",
    "node:",
  ],
  "packages/dashboard/src": [...view],
  // Only this folder imports the client.
  "packages/dashboard/src/data": ["react", "@tanstack/react-query", "@quartermaster/client"],
  "packages/embedded/src": [
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

/** The folder that the relative imports of a file may not leave. */
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
  const lang = file.endsWith(".tsx") ? "tsx" : "ts";
  const { program, errors } = parseSync(file, text, { lang, sourceType: "module" });
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

/** Rooms of a package that must not import each other, even without a circle. */
const peers = [["packages/core/src/issues", "packages/core/src/mcp"]];

/** Screens of the page: only `app` imports them. */
const page = "packages/dashboard/src/";
const screens = [
  "agents",
  "audit",
  "graph",
  "inbox",
  "issue",
  "keys",
  "overview",
  "projects",
  "servers",
  "tools",
  "work",
];
const screenOf = (file) => screens.find((name) => file.startsWith(`${page}${name}/`));

/**
 * The room of a file: its folder. `internal` and `rules` are parts of the room around them, and a file at the root
 * of a package is a room of its own.
 */
const roomOf = (file) => {
  const folder = dirname(file).replace(/(?<=\/src\/.+)\/(?:internal|rules)$/, "");
  return folder.endsWith("/src") ? file : folder;
};

/** For each room the rooms that it imports, with one example import for each arrow. */
const rooms = new Map();
const draw = (from, to, place) => {
  if (from === to) return;
  const arrows = rooms.get(from) ?? new Map();
  rooms.set(from, arrows.has(to) ? arrows : arrows.set(to, place));
};

/** For each file the files that it imports. */
const imports = new Map();

/** The nodes that are reachable from `to`, including `to`. */
const reachable = (graph, to, seen = new Set()) => {
  if (seen.has(to)) return seen;
  seen.add(to);
  for (const next of graph.get(to)?.keys() ?? []) reachable(graph, next, seen);
  return seen;
};

const problems = [];
const files = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root });
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
  // A host that embeds a library has no such variable: `SettingNames` provides the names for
  // messages. `quartermaster work` sets QM_RUN_ID for the programs that it starts, and the client
  // reads it.
  const variable = /^packages\/(?:cli|server)\//.test(file)
    ? -1
    : text.search(/\bQM_(?!RUN_ID\b)[A-Z]/);
  if (variable >= 0) refuse(variable, "only server and cli name variables of the environment");
  for (const { specifier, at } of importsOf(file, text)) {
    if (typeof specifier !== "string") {
      refuse(at, "a computed import cannot be checked");
    } else if (specifier.startsWith(".")) {
      const wall = walls(file);
      if (relative(wall, join(dirname(file), specifier)).startsWith("..")) {
        refuse(at, `"${specifier}" leaves ${wall}`);
      }
      const target = join(dirname(file), specifier).replaceAll("\\", "/");
      imports.set(file, (imports.get(file) ?? new Set()).add(target));
      draw(roomOf(file), roomOf(target), `${file}:${text.slice(0, at).split("\n").length}`);
      const apart = peers.some(
        (pair) =>
          pair.some((room) => file.startsWith(`${room}/`)) &&
          pair.some((room) => target.startsWith(`${room}/`) && !file.startsWith(`${room}/`)),
      );
      if (file.includes("/rules/") && target.includes("/internal/")) {
        refuse(at, `"${specifier}" has effects: pure rules import only models`);
      }
      // Helpers directly below `src` are for every room.
      const owner = target.match(/^(.+\/src\/.+?)\/internal\//)?.[1];
      if (owner !== undefined && !file.startsWith(`${owner}/`)) {
        refuse(at, `"${specifier}" is internal to the room ${owner}`);
      }
      const screen = screenOf(target);
      if (screen !== undefined && screenOf(file) !== screen && !file.startsWith(`${page}app/`)) {
        refuse(at, `"${specifier}" is of the screen ${screen}, which only app imports`);
      }
      if (apart) refuse(at, `"${specifier}" joins rooms that do not know each other`);
    } else if (!allows(rules[folder], specifier)) {
      refuse(at, `${folder} may not import "${specifier}"`);
    }
  }
}

for (const [from, arrows] of rooms) {
  for (const [to, place] of arrows) {
    if (reachable(rooms, to).has(from)) {
      problems.push(`${place}: ${from} and ${to} import each other, perhaps through other rooms`);
    }
  }
}

// Files without imports are in no circle. Without them, only circles and the files that lead to
// them remain.
const circular = new Map(imports);
for (let left = -1; left !== circular.size;) {
  left = circular.size;
  for (const [file, targets] of circular) {
    if ([...targets].every((target) => !circular.has(target))) circular.delete(file);
  }
}
for (const [file, targets] of circular) {
  for (const to of targets) {
    if (reachable(circular, to).has(file)) problems.push(`${file}: it and ${to} import each other`);
  }
}

// A pattern of `exports` has one star: each folder `internal` needs a line that closes it to hosts.
const internals = new Set(
  files.flatMap((file) => file.replaceAll("\\", "/").match(/^.*\/internal(?=\/)/) ?? []),
);
for (const folder of internals) {
  const [, pkg, room] = folder.match(/^(packages\/[^/]+)\/src\/(.+)$/);
  const { exports } = JSON.parse(readFileSync(join(root, pkg, "package.json"), "utf8"));
  if (exports[`./${room}/*`] !== null) {
    problems.push(`${pkg}/package.json: exports lacks "./${room}/*": null`);
  }
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`Arrows hold in ${files.length} files.`);
