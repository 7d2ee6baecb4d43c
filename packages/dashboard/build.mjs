// Builds the page into packages/http/page: files with a hash in their names, and beside each its compressed
// forms. Prints what the first load of the board takes.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";
import { build } from "vite";
import { thirdParty } from "../../scripts/packages/third-party.mjs";

const root = import.meta.dirname;
const page = join(root, "../http/page");

/** Fonts and the like are compressed already. */
const compressible = /\.(css|js|svg)$/;

const compress = async (file) => {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
};

/** The scripts that the board loads: the entry, the screen, and what both import. */
const firstLoad = (chunks) => {
  const needed = new Set();
  const add = (name) => {
    if (name === undefined || needed.has(name)) return;
    needed.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) add(imported);
  };
  for (const [name, { facadeModuleId, isEntry }] of chunks) {
    if (isEntry || facadeModuleId?.endsWith("/src/work/Work.tsx")) add(name);
  }
  return [...needed];
};

/** Builds the page, and returns the gzipped bytes of JavaScript that the board loads first. */
export const buildPage = async () => {
  // A test that builds the page has another value, and would get React's development build.
  process.env.NODE_ENV = "production";
  const { output } = await build({
    root,
    configFile: join(root, "vite.config.ts"),
    logLevel: "warn",
    plugins: [thirdParty],
  });
  const files = await readdir(join(page, "assets"));
  const found = files
    .filter((name) => compressible.test(name))
    .map((name) => join(page, "assets", name));
  await Promise.all(found.map(compress));
  const chunks = new Map(
    output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]),
  );
  return firstLoad(chunks).reduce((sum, name) => sum + gzipSync(chunks.get(name).code).length, 0);
};
