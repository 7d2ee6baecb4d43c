// Packs every publishable package, lints each with publint, installs the tarballs in a scratch
// project as a user would, and imports every entry point from JavaScript and from TypeScript.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "qm-packages-"));
/** A library on top of ours, which exports what it makes of it without saying its type. */
const library = `
import { Core, Issues, ToolGateway } from "@quartermaster/core";
import { Client } from "@quartermaster/http/api";
import { Routes } from "@quartermaster/http";
import { AgentEndpoint } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Fixtures } from "@quartermaster/testing";
import { Effect, Layer } from "effect";

export const create = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const gateway = yield* ToolGateway.ToolGateway;
  yield* gateway.list("agent");
  return yield* issues.create("project", { title: "title" });
});
export const core = Core.layerMcp.pipe(Layer.provide(Storage.layer({ dataDir: "data" })));
export const routes = Routes.layer;
export const endpoint = AgentEndpoint.AgentEndpoint.layer;
export const client = Client;
export const fixture = Fixtures.issue();
`;

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

try {
  const packages = readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .map((dir) => ({ dir, json: JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) }))
    .filter(({ json }) => json.private !== true);
  const problems = [];
  const tarballs = [];
  for (const { dir, json } of packages) {
    const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", scratch], dir));
    tarballs.push(join(scratch, packed.filename));
    const { messages } = await publint({ pkgDir: dir, strict: true });
    // The `quartermaster-source` condition is for our own tests, and no consumer sets it.
    problems.push(...messages.map((message) => `${json.name}: ${formatMessage(message, json)}`));
  }
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const dependencies = Object.fromEntries(
    [
      "effect",
      "@effect/platform-node",
      "@effect/vitest",
      "vitest",
      "typescript",
      "@types/node",
    ].map((name) => [name, devDependencies[name]]),
  );
  writeFileSync(
    join(scratch, "package.json"),
    JSON.stringify({ name: "scratch", private: true, type: "module", dependencies }),
  );
  run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", ...tarballs],
    scratch,
  );

  // What lies behind a pattern are types alone, so that declarations of others can name them.
  const entries = packages.flatMap(({ json }) =>
    Object.keys(json.exports)
      .filter((path) => !path.includes("*"))
      .map((path) => `${json.name}${path.slice(1)}`),
  );
  const tests = entries.filter((entry) => entry.endsWith("/testing"));
  const plain = entries.filter((entry) => !tests.includes(entry));
  const names = (list) =>
    list.map((entry, index) => `import * as m${index} from "${entry}";`).join("\n");
  const check = (list) =>
    list
      .map((_, index) => `if (Object.keys(m${index}).length === 0) throw new Error("empty");`)
      .join("\n");
  writeFileSync(join(scratch, "plain.js"), `${names(plain)}\n${check(plain)}\n`);
  run(process.execPath, ["plain.js"], scratch);
  writeFileSync(
    join(scratch, "suites.test.js"),
    `${names(tests)}\nimport { it } from "vitest";\nit("imports", () => {\n${check(tests)}\n});\n`,
  );
  run(process.execPath, [join(scratch, "node_modules/vitest/vitest.mjs"), "run"], scratch);
  writeFileSync(join(scratch, "types.ts"), `${names(entries)}\n${check(entries)}\n`);
  writeFileSync(join(scratch, "library.ts"), library);
  run(
    process.execPath,
    [
      join(scratch, "node_modules/typescript/bin/tsc"),
      "--declaration",
      "--outDir",
      "types",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2024",
      "--module",
      "nodenext",
      "--types",
      "node",
      "types.ts",
      "library.ts",
    ],
    scratch,
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
  console.log(`${packages.length} packages, ${entries.length} entry points: ${entries.join(", ")}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
