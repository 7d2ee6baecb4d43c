// Runs the Dockerfile's lines one by one without an engine. The base image is a copy of this Debian with a user `node`
// and without bubblewrap. The container has its own mounts and processes, a root that is read-only, and no capability.
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as Overlay from "../ci/overlay.mjs";
import { run, start as startProcess } from "../ci/processes.mjs";
import { command, healthCheck, instructions, user, variables, volume } from "./dockerfile.mjs";

const copyFiles = (context, text) => {
  const [pattern, target] = text.split(" ");
  const files = globSync(pattern, { cwd: context });
  if (files.length === 0) throw new Error(`COPY ${text} finds no file`);
  const rules = readFileSync(join(context, ".dockerignore"), "utf8").split("\n");
  if (!rules.includes(`!${pattern}`)) throw new Error(`.dockerignore leaves out ${pattern}`);
  const folder = join(Overlay.copy, target);
  mkdirSync(folder, { recursive: true });
  for (const file of files) Overlay.sh(`cp "$1" "$2"`, join(context, file), folder);
};

/** Runs all lines. Returns the compressed bytes of what they and the base added to Debian. */
export const build = (context) => {
  Overlay.mount();
  Overlay.line("if command -v bwrap; then dpkg --purge --force-depends bubblewrap; fi");
  Overlay.line("id node || useradd --create-home --user-group node");
  for (const [name, text] of instructions) {
    if (name === "RUN") Overlay.line(text);
    if (name === "COPY") copyFiles(context, text);
  }
  Overlay.sh(`cp -a "$1/." "$2"`, join(Overlay.copy, volume), Overlay.volume);
  return {
    bytes: Number(Overlay.sh(`tar -C "$1" -c . | gzip -1 | wc -c`, Overlay.changes)),
    includes: "Node, npm and the lines, without Debian",
  };
};

const asUser =
  `setpriv --reuid ${user} --regid ${user} --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all --`.split(
    " ",
  );
const unshared = "--mount --pid --uts --ipc --fork --kill-child sh -euc".split(" ");
const mounts = `mount -t tmpfs -o mode=1777 tmpfs tmp
  mount --bind "$2" "$1${volume}"`;

export const start = (port) => {
  const said = [];
  const env = {
    ...Overlay.environment,
    ...variables,
    HOME: `/home/${user}`,
    QM_PORT: String(port),
    QM_ALLOW_HTTP: "1",
  };
  const unshare = startProcess(
    "unshare",
    [
      ...unshared,
      `mount --bind "$1" "$1"
      mount -o remount,bind,ro "$1"
      ${Overlay.enter(mounts)}
      shift 2
      exec "$@"`,
      "sh",
      Overlay.copy,
      Overlay.volume,
      ...asUser,
      ...command,
    ],
    { env, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(unshare, "exit");
  for (const stream of [unshare.stdout, unshare.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => said.push(text));
  }
  const server = () => {
    const { pid } = unshare;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  };
  const exec = (...args) =>
    run(
      "nsenter",
      ["--target", server(), "--mount", "--pid", "--root", "--wd", ...asUser, ...args],
      { env },
    );
  return {
    isHealthy: async () => (await exec(...healthCheck)).code === 0,
    exec,
    log: () => said.join("").slice(-2_000),
    stop: async () => {
      process.kill(Number(server()), "SIGTERM");
      const [code] = await ended;
      return code;
    },
  };
};

/** The exit removes everything. */
export const remove = () => {};
