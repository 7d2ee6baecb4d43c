// Runs the READMEs' programs and the whole server, from packed packages, on each runtime that the
// README names. The runtimes are the npm packages for this platform, which need no scripts.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs } from "../../test/readme.programs.ts";
import { withServer } from "./built-server.mjs";
import { run, scratch } from "./processes.mjs";
import { Skipped, check, isMissing } from "./published.mjs";

const { arch, platform } = process;
const bunArch = arch === "arm64" ? "aarch64" : arch;
const libc = platform === "linux" ? "-glibc" : "";

/** The oldest supported Node, the current versions, and other runtimes. */
const runtimes = [
  ...["22.19.0", "24.21.0", "26.10.0"].map((version) => ({
    name: `Node ${version}`,
    package: `npm:node-${platform}-${arch}@${version}`,
    program: "bin/node",
    args: [],
  })),
  {
    name: "Bun 1.4.5",
    package: `npm:@oven/bun-${platform}-${bunArch}@1.4.5`,
    program: "bin/bun",
    args: [],
  },
  {
    name: "Deno 2.9.6",
    package: `npm:@deno/${platform}-${arch}${libc}@2.9.6`,
    program: "deno",
    args: ["run", "--allow-all", "--quiet"],
  },
].map((runtime, n) => ({ ...runtime, alias: `runtime-${n}` }));

/** Calls every route of the contract by the client. */
const everyRoute = "every-route.mjs";

const root = join(import.meta.dirname, "../..");
/** Installs packages from the registry. */
const install = async (args, cwd) => {
  const { code, stderr } = await run("npm", ["install", "--ignore-scripts", ...args], {
    cwd,
    env: { ...process.env, npm_config_fetch_retries: "1", npm_config_loglevel: "error" },
    timeLimit: 300_000,
  });
  if (code === 0) return;
  if (isMissing(stderr)) throw new Error(`npm install failed: ${stderr}`);
  throw new Skipped(`The registry could not be reached: npm install ended with ${code}.`);
};

/** Creates a project with the packed packages, like a user's project. */
const project = async () => {
  const dir = join(scratch, "project");
  mkdirSync(dir);
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const peers = ["effect", "@effect/platform-node"];
  const dependencies = Object.fromEntries(peers.map((name) => [name, devDependencies[name]]));
  writeFileSync(join(dir, "package.json"), JSON.stringify({ type: "module", dependencies }));
  const packages = [
    "client",
    "core",
    "storage-sql",
    "storage-sqlite",
    "mcp",
    "embedded",
    "http",
    "server",
  ];
  const workspaces = packages.flatMap((name) => ["-w", `packages/${name}`]);
  const { code, stderr } = await run("npm", ["pack", ...workspaces, "--pack-destination", dir], {
    cwd: root,
  });
  assert.equal(code, 0, stderr);
  const tarballs = readdirSync(dir).filter((name) => name.endsWith(".tgz"));
  await install(
    tarballs.map((name) => `./${name}`),
    dir,
  );
  for (const { file, text } of programs) writeFileSync(join(dir, file), text);
  copyFileSync(join(import.meta.dirname, everyRoute), join(dir, everyRoute));
  return dir;
};

const fetchRuntimes = async () => {
  const dir = join(scratch, "runtimes");
  mkdirSync(dir);
  writeFileSync(join(dir, "package.json"), "{}");
  const specs = runtimes.map((runtime) => `${runtime.alias}@${runtime.package}`);
  await install(["--no-save", ...specs], dir);
  return join(dir, "node_modules");
};

await check(async () => {
  const [dir, folder] = await Promise.all([project(), fetchRuntimes()]);
  for (const { alias, args, name, program } of runtimes) {
    const command = [join(folder, alias, program), ...args];
    const home = join(scratch, alias);
    mkdirSync(home);
    const bin = join(dir, "node_modules/quartermaster/bin/quartermaster.js");
    const perform = async ({ file, output }, env = process.env) => {
      const [executable, ...options] = command;
      const { code, stderr, stdout } = await run(executable, [...options, join(dir, file)], {
        cwd: home,
        env,
      });
      assert.equal(code, 0, `${name}: ${file}: ${stderr}`);
      assert.equal(stdout, output, `${name}: ${file}`);
    };
    for (const program of programs.filter(({ isRemote }) => !isRemote)) await perform(program);
    const code = await withServer(
      async ({ ask, url }) => {
        assert.equal((await fetch(`${url}/readyz`)).status, 200, name);
        const made = await ask("POST", "/api/projects/shop/issues", { title: name });
        const { status, title } = await ask("GET", `/api/projects/issues/${made.id}`);
        assert.deepEqual([status, title], ["Open", name]);
        const { key } = await ask("POST", "/api/keys", { name, role: "Owner" });
        const env = { ...process.env, QM_URL: url, QM_KEY: key };
        for (const program of programs.filter(({ isRemote }) => isRemote)) {
          await perform(program, env);
        }
        await perform({ file: everyRoute, output: "every route is reached\n" }, env);
      },
      { command: [...command, bin], name: `${alias}/server` },
    );
    assert.equal(code, 0, `${name}: SIGTERM stops the server`);
    console.log(`ok: ${name}: ${programs.length} programs, and the server from start to SIGTERM`);
  }
});
