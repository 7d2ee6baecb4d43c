// Builds only stale outputs:
// - the packages: `tsc -b` writes JavaScript, declarations and maps, file by file. dist/.tsbuildinfo
//   records the inputs. 14 s from scratch on 2 cores, most of it type checks;
// - the program `quartermaster`: a bundle of the sources of all packages, with a chunk for each command
//   that is imported lazily: `whoami` does not load the server. program/.build holds the hash of its
//   inputs. 2 s;
// - the page of packages/dashboard, into packages/http/page, with a copy in packages/server/page.
//   page/.build holds the hash of its inputs. 4 s;
// - with --tests, bundles of the programs that tests start as processes. A bundle starts in 0.3 s of
//   processor time, its sources in 1.7 s. 1 s;
// - the published form of packages/cli, into packages/cli/published: its program has the same name as
//   the server's, and a workspace with it would keep npm from linking the server's. 2 s.
// - for each package with a bundle, THIRD-PARTY-LICENSES.txt and sbom.cdx.json: whose code is in it.
// --program builds only the server's program and the page, without type checks. --quiet prints only
// errors.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { thirdParty, writeThirdParty } from "./packages/third-party.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const quiet = process.argv.includes("--quiet");
const find = (pattern) => globSync(pattern, { cwd: root }).toSorted();

const run = (command, args) =>
  new Promise((resolve, reject) => {
    const path = join(root, "node_modules", ".bin") + delimiter + process.env.PATH;
    const env = { ...process.env, PATH: path };
    const child = spawn(command, args, { cwd: root, env, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} failed with exit code ${code}`)),
    );
  });

/** Removes outputs without a source, because npm would publish them. */
const removeOrphans = (packages) =>
  Promise.all(
    packages.flatMap((dir) =>
      find(`${dir}/dist/**/*.{js,d.ts}{,.map}`)
        .filter((file) => {
          const source = file.replace("/dist/", "/src/").replace(/\.(js|d\.ts)(\.map)?$/, ".ts");
          return !existsSync(join(root, source));
        })
        .map((file) => rm(join(root, file))),
    ),
  );

/**
 * Removes the record of a package with a missing output: tsc trusts the record and does not check
 * the files.
 */
const forgetMissing = (packages) =>
  Promise.all(
    packages
      .map((dir) => join(root, dir, "dist"))
      .filter((dist) => !["index.js", "index.d.ts"].every((name) => existsSync(join(dist, name))))
      .map((dist) => rm(join(dist, ".tsbuildinfo"), { force: true })),
  );

const buildPackages = async () => {
  const packages = find("packages/*/src/index.ts")
    .map((file) => file.replace("/src/index.ts", ""))
    // packages/cli is a bundle.
    .filter((dir) => dir !== "packages/cli");
  await removeOrphans(packages);
  await forgetMissing(packages);
  // Several checkers of one project repeat each other's work: 30 s of processor time instead of 20
  // s.
  await run("tsc", ["-b", "--checkers", "1", ...packages]);
};

const hashOf = async (files) => {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest("hex");
};

/**
 * Escapes characters outside of Latin-1. V8 holds source text with such a character in two bytes for each character:
 * sixteen of them took 1.6 MiB of the server's memory.
 */
const latin = {
  name: "latin",
  generateBundle(_, chunks) {
    for (const chunk of Object.values(chunks)) {
      chunk.code = chunk.code?.replaceAll(
        /[\u0100-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

/**
 * Bundles programs by name into a folder, unless the folder's record has the hash of all sources.
 */
const bundle = async (dir, input, sources, output) => {
  const folder = join(root, dir);
  const record = join(folder, ".build");
  const hash = await hashOf([
    ...find("packages/*/{package.json,src/**/*.ts}"),
    ...sources,
    "package-lock.json",
    "scripts/build.mjs",
    "scripts/packages/third-party.mjs",
  ]);
  const files = Object.keys(input).map((name) => join(folder, `${name}.js`));
  const exists = [record, ...files].every((file) => existsSync(file));
  if (exists && (await readFile(record, "utf8")) === hash) return;
  if (quiet) console.error(`Building ${dir}, about 2 s.`);
  await rm(folder, { recursive: true, force: true });
  await build({
    input: Object.fromEntries(
      Object.entries(input).map(([name, file]) => [name, join(root, file)]),
    ),
    platform: "node",
    logLevel: "warn",
    // An optional peer: the server imports it only if attachments are in a bucket.
    external: ["@aws-sdk/client-s3"],
    plugins: [thirdParty, latin],
    resolve: { conditionNames: ["quartermaster-source", "import", "node", "default"] },
    output: { dir: folder, format: "esm", ...output },
  });
  await writeFile(record, hash);
};

/**
 * Bundles the program: importing the packages module by module takes twice the time and a quarter
 * more memory.
 */
const buildProgram = (dir, source) =>
  bundle(`${dir}/program`, { bin: `${source}/src/bin.ts` }, [], {
    // Names are not mangled: stack traces show them.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    comments: { legal: true, annotation: false, jsdoc: false },
  });

/** Bundles the programs in the folders `test/programs` of the packages. */
const buildTestPrograms = () => {
  const programs = find("packages/*/test/programs/*.ts");
  const input = Object.fromEntries(programs.map((file) => [basename(file, ".ts"), file]));
  return bundle("node_modules/.cache/test-programs", input, programs, {});
};

/** Builds the dashboard's page. Loads Vite only if the page is stale. */
const buildPage = async () => {
  const record = join(root, "packages/server/page/.build");
  const hash = await hashOf([
    ...find("packages/dashboard/{*.*,src/**/*.*}"),
    ...find("packages/client/src/**/*.ts"),
    "package-lock.json",
    "scripts/packages/third-party.mjs",
  ]);
  const exists = [record, join(root, "packages/http/page/index.html")].every((file) =>
    existsSync(file),
  );
  if (exists && (await readFile(record, "utf8")) === hash) return;
  console.error("Building the dashboard, about 5 s.");
  const { buildPage: write } = await import("../packages/dashboard/build.mjs");
  const bytes = await write();
  await rm(join(root, "packages/server/page"), { recursive: true, force: true });
  await cp(join(root, "packages/http/page"), join(root, "packages/server/page"), {
    recursive: true,
  });
  await writeFile(record, hash);
  console.error(`The board loads ${Math.ceil(bytes / 1_024)} KB of JavaScript, compressed.`);
};

/** Renders the documentation into both folders of the page. 0.3 s. */
const buildDocs = async () => {
  const record = join(root, "packages/server/page/docs/.build");
  const hash = await hashOf([
    ...find(
      "{SECURITY.md,docs/**/*.md,scripts/docs/*.*,packages/dashboard/src/app/{tokens.css,icon.svg,fonts.css}}",
    ),
    "package-lock.json",
  ]);
  if (existsSync(record) && (await readFile(record, "utf8")) === hash) return;
  const { renderDocs } = await import("./docs/render.mjs");
  for (const name of ["http", "server"]) {
    await renderDocs(join(root, "packages", name, "page/docs"));
  }
  await writeFile(record, hash);
};

const buildCommandLine = async () => {
  const from = join(root, "packages/cli");
  const to = join(from, "published");
  await buildProgram("packages/cli/published", "packages/cli");
  const fields = {
    ...JSON.parse(await readFile(join(from, "package.json"), "utf8")),
    bin: { quartermaster: "./bin/quartermaster.js" },
    files: ["bin", "program", "!program/.*", "THIRD-PARTY-LICENSES.txt", "sbom.cdx.json"],
    exports: { "./package.json": "./package.json" },
    publishConfig: { access: "public" },
    devDependencies: undefined,
  };
  await writeFile(join(to, "package.json"), `${JSON.stringify(fields, null, 2)}\n`);
  await cp(join(root, "packages/server/bin"), join(to, "bin"), { recursive: true });
  for (const name of ["LICENSE", "README.md"]) await cp(join(from, name), join(to, name));
  await writeThirdParty(to, ["program"]);
};

const builds = [buildProgram("packages/server", "packages/server"), buildPage().then(buildDocs)];
if (process.argv.includes("--tests")) builds.push(buildTestPrograms());
if (!process.argv.includes("--program")) builds.push(buildPackages(), buildCommandLine());
for (const { reason } of await Promise.allSettled(builds)) {
  if (reason === undefined) continue;
  console.error(reason.message);
  process.exitCode = 1;
}
if (process.exitCode === undefined) {
  await writeThirdParty(join(root, "packages/server"), ["program", "page"]);
  await writeThirdParty(join(root, "packages/http"), ["page"]);
}
