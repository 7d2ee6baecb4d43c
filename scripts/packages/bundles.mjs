// The bundles of programs that import one module each.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../packages/http/openapi.json"), "utf8"),
);
const routes = Object.values(document.paths).flatMap((path) => Object.keys(path)).length;

/**
 * Upper bounds in bytes, minified (some also gzipped), including the used parts of `effect`. The
 * margin above the measured size allows `effect` to grow; `effect/Schema` with one decoded struct
 * is 73 kB.
 */
const bounds = [
  {
    what: "the rules of issues",
    code: `export * from "@quartermaster/core/issues/rules/IssueLifecycle";`,
    // 106 kB
    bytes: 110_000,
  },
  {
    what: "the rules of issues, by the root of core",
    code: `export { IssueLifecycle } from "@quartermaster/core";`,
    // 106 kB
    bytes: 110_000,
  },
  {
    what: "the typed client",
    code: `export { Client } from "@quartermaster/http/api";`,
    // 322 kB: 200 kB of `effect`, and the contract of 85 routes. One service of core adds 90 kB.
    bytes: 200_000 + 1_600 * routes,
  },
  {
    what: "the client without Effect",
    code: `export * from "@quartermaster/client";`,
    // 16 kB, and 6 kB gzipped
    bytes: 20_000,
    gzipped: 10_000,
  },
];

/** Modules that run on every platform that `effect` supports. */
const portable = ["@quartermaster/client", "@quartermaster/core", "@quartermaster/http/api"];

const bundle = async (folder, code) => {
  const entry = join(folder, "entry.js");
  await writeFile(entry, code);
  const made = await rolldown({
    input: entry,
    platform: "browser",
    external: (id) => isBuiltin(id),
    // Suppresses the warnings of dependencies.
    logLevel: "silent",
  });
  const { output } = await made.generate({ format: "esm", minify: true });
  await made.close();
  return {
    bytes: output.reduce((sum, chunk) => sum + chunk.code.length, 0),
    gzipped: gzipSync(output.map((chunk) => chunk.code).join("")).length,
    builtins: output.flatMap(({ imports }) => imports.filter((id) => isBuiltin(id))),
  };
};

/**
 * The bundles that are too large or need Node, of the packages that are installed in the folder.
 */
export const oversized = async (folder, report) => {
  const problems = [];
  for (const { bytes: bound, code, gzipped: gzippedBound = Infinity, what } of bounds) {
    const { bytes, gzipped } = await bundle(folder, code);
    report(`${what}: ${Math.round(bytes / 1_000)} kB of ${bound / 1_000} kB`);
    if (bytes > bound) problems.push(`${what} bundles to ${bytes} bytes, of ${bound}`);
    if (gzipped > gzippedBound) {
      problems.push(`${what} is ${gzipped} bytes gzipped, of ${gzippedBound}`);
    }
  }
  for (const name of portable) {
    const { builtins } = await bundle(folder, `export * from "${name}";`);
    problems.push(...builtins.map((id) => `${name} reaches ${id}`));
  }
  return problems;
};
