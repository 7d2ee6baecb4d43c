// Packs every publishable package, lints each with publint, and installs the tarballs in a scratch
// project as a user would. The project imports every module from JavaScript and from TypeScript by
// the path that an editor offers, and bundles programs that import one thing.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { validator, wrongBills } from "./packages/bills.mjs";
import { oversized } from "./packages/bundles.mjs";
import { deadLinks, lostSources, modulesOf, wrongFields } from "./packages/published.mjs";

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "qm-packages-"));
/** A library on top of core whose exported value has an inferred type. */
const library = `
import { connect } from "@quartermaster/client";
import { Core, Issues, ToolGateway } from "@quartermaster/core";
import { Quartermaster } from "@quartermaster/embedded";
import { Client } from "@quartermaster/http/api";
import { Routes } from "@quartermaster/http";
import { AgentEndpoint } from "@quartermaster/mcp";
import { Storage as Postgres } from "@quartermaster/storage-postgres";
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
export const postgres = Postgres.layerStores();
export const routes = Routes.layer;
export const open = () => Quartermaster.open({ dataDir: "data" });
export const issueOf = async (id: string) => (await open()).issues.get(id);
export const endpoint = AgentEndpoint.AgentEndpoint.layer;
export const client = Client;
export const issuesOf = (url: string) => connect({ url }).issues.list({ projectId: "project" });
export const fixture = Fixtures.issue();
`;

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** A program that fails if one of these paths can be imported. */
const refused = (paths) => `
for (const path of ${JSON.stringify(paths)}) {
  const { code } = await import(path).catch((error) => error);
  if (code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw new Error(path + " can be imported");
}`;

const packageIn = (dir) => ({
  dir,
  json: JSON.parse(readFileSync(join(dir, "package.json"), "utf8")),
});

/** The folder from which a package is published, and its package.json. */
const published = (dir) => {
  const { publishConfig } = packageIn(dir).json;
  return packageIn(join(dir, publishConfig?.directory ?? "."));
};

try {
  const packages = readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .map(published)
    .filter(({ json }) => json.private !== true);
  const problems = [];
  const tarballs = [];
  for (const { dir, json } of packages) {
    const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", scratch], dir));
    tarballs.push(join(scratch, packed.filename));
    const { messages } = await publint({ pkgDir: dir, strict: true });
    // Only our own tests set the condition `quartermaster-source`.
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
    JSON.stringify({
      name: "scratch",
      private: true,
      type: "module",
      dependencies: { ...dependencies, ...validator },
    }),
  );
  run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", ...tarballs],
    scratch,
  );

  const installed = packages.map(({ json }) => ({
    dir: join(scratch, "node_modules", json.name),
    json,
  }));
  for (const { dir, json } of installed) {
    const wrong = [...wrongFields(json), ...deadLinks(dir), ...lostSources(dir)];
    problems.push(...wrong.map((what) => `${json.name}: ${what}`));
  }
  problems.push(
    ...(await oversized(scratch, console.log)),
    ...wrongBills(
      scratch,
      installed.map(({ dir }) => dir),
    ),
  );

  const entries = packages.flatMap(({ json }) =>
    Object.entries(json.exports)
      .filter(([path, target]) => !path.includes("*") && target?.default !== undefined)
      .map(([path]) => `${json.name}${path.slice(1)}`),
  );
  const modules = installed.map(({ dir, json }) => modulesOf(dir, json));
  const open = [...entries, ...modules.flatMap((module) => module.open)];
  const closed = modules.flatMap((module) => module.closed);
  // The suites import vitest, so vitest runs them.
  const isTest = (path) => /^@[^/]+\/testing(\/|$)/.test(path);
  const names = (list) =>
    list.map((path, index) => `import * as m${index} from "${path}";`).join("\n");
  const check = (list) =>
    list
      .filter((path) => entries.includes(path))
      .map(
        (path) => `if (Object.keys(m${list.indexOf(path)}).length === 0) throw new Error("empty");`,
      )
      .join("\n");
  const plain = open.filter((path) => !isTest(path));
  writeFileSync(
    join(scratch, "plain.js"),
    `${names(plain)}\n${check(plain)}\n${refused(closed)}\n`,
  );
  run(process.execPath, ["plain.js"], scratch);
  writeFileSync(join(scratch, "plain.cjs"), plain.map((path) => `require("${path}");`).join("\n"));
  run(process.execPath, ["plain.cjs"], scratch);
  const tests = open.filter(isTest);
  writeFileSync(
    join(scratch, "suites.test.js"),
    `${names(tests)}\nimport { it } from "vitest";\nit("imports", () => {\n${check(tests)}\n});\n`,
  );
  run(process.execPath, [join(scratch, "node_modules/vitest/vitest.mjs"), "run"], scratch);
  writeFileSync(join(scratch, "types.ts"), `${names(open)}\n${check(open)}\n`);
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
  console.log(`${open.length} modules can be imported, ${closed.length} cannot`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
