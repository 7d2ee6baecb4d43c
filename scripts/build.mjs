// Builds the packages whose sources changed: `tsc -b` writes the declarations (it keeps its own
// record of what is stale), tsup the JavaScript (a hash of its inputs is kept in dist/.build).
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const quiet = process.argv.includes("--quiet");
const say = (line) => quiet || console.log(line);

const run = (command, args, cwd) =>
  new Promise((resolve, reject) => {
    const path = join(root, "node_modules", ".bin") + delimiter + process.env.PATH;
    const child = spawn(command, args, { cwd, env: { ...process.env, PATH: path } });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new Error(`${command} failed in ${cwd}`));
    });
  });

const sourcesOf = async (dir) => {
  const entries = await readdir(join(dir, "src"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
};

const hashOf = async (dir) => {
  const { bin } = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
  // A program is a bundle of the sources of all packages.
  const bundled = bin === undefined ? [dir] : names.map((name) => join(root, "packages", name));
  const files = (await Promise.all(bundled.map(sourcesOf))).flat();
  files.push(
    join(dir, "package.json"),
    join(dir, "tsup.config.ts"),
    join(root, "tsup.base.ts"),
    join(root, "tsconfig.base.json"),
    join(root, "package-lock.json"),
  );
  const hash = createHash("sha256");
  for (const file of files.toSorted())
    hash.update(file.slice(root.length)).update(await readFile(file));
  return hash.digest("hex");
};

/** Removes all JavaScript, and the declarations whose source is gone. */
const removeStale = async (dir) => {
  const dist = join(dir, "dist");
  await mkdir(dist, { recursive: true });
  for (const name of await readdir(dist, { recursive: true })) {
    const orphan =
      name.endsWith(".d.ts") && !existsSync(join(dir, "src", name.replace(/\.d\.ts$/, ".ts")));
    if (orphan || /\.js(\.map)?$/.test(name)) await rm(join(dist, name));
  }
};

const buildJavaScript = async (name) => {
  const dir = join(root, "packages", name);
  const record = join(dir, "dist", ".build");
  const hash = await hashOf(dir);
  const built = (entry) =>
    !existsSync(join(dir, "src", `${entry}.ts`)) || existsSync(join(dir, "dist", `${entry}.js`));
  const fresh =
    built("index") &&
    built("bin") &&
    existsSync(record) &&
    (await readFile(record, "utf8")) === hash;
  if (fresh) return;
  await rm(record, { force: true });
  await removeStale(dir);
  await run("tsup", [], dir);
  await writeFile(record, hash);
  say(`built packages/${name}`);
};

const names = (await readdir(join(root, "packages"))).filter((name) =>
  existsSync(join(root, "packages", name, "src", "index.ts")),
);

// tsc trusts its record without looking whether the declarations are still there.
for (const name of names) {
  const dist = join(root, "packages", name, "dist");
  if (!existsSync(join(dist, "index.d.ts"))) await rm(join(dist, ".tsbuildinfo"), { force: true });
}

const results = await Promise.allSettled([
  names.length > 0 && run("tsc", ["-b", ...names.map((name) => join("packages", name))], root),
  ...names.map(buildJavaScript),
]);
const failures = results.filter((result) => result.status === "rejected");
for (const { reason } of failures) console.error(reason.message);
process.exitCode = failures.length > 0 ? 1 : 0;
