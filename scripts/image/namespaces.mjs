// Runs the Dockerfile's lines one by one without an engine, on Debian as root. The base image is this system with the
// Node that runs this, an npm, a user `node`, and without bubblewrap. An overlay holds the changes, so that they are gone
// with the mount namespace of this process. The container has its own mounts and processes, a root that is read-only,
// and no capability.
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, scratch, start as startProcess } from "../ci/processes.mjs";
import { command, healthCheck, instructions, user, variables, volume } from "./dockerfile.mjs";

const layers = join(scratch, "layers");
const image = join(layers, "image");
const data = join(layers, "data");

/** Variables that reach the registry. */
const network = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(name),
  ),
);
const environment = {
  ...network,
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
};

const sh = (script, ...args) => {
  const { status, stderr, stdout } = spawnSync("sh", ["-euc", script, "sh", ...args], {
    env: environment,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout.trim();
};

/** The reason that the lines cannot run here; undefined if they can. */
export const missing = () => {
  if (process.platform !== "linux" || process.getuid() !== 0) return "the lines run as root";
  if (!existsSync("/etc/debian_version")) return "the lines run on Debian";
  const { status } = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]);
  return status === 0 ? undefined : "namespaces cannot be created";
};

const base = () => {
  const npm = dirname(
    dirname(
      realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim()),
    ),
  );
  sh(
    `mount -t tmpfs tmpfs "$1"
    cd "$1"
    mkdir upper work image
    mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work overlay image
    cd image/usr/local
    rm -f bin/node bin/npm bin/npx
    cp "$2" bin/node
    rm -rf lib/node_modules
    mkdir lib/node_modules
    cp -r "$3" lib/node_modules/npm
    ln -s ../lib/node_modules/npm/bin/npm-cli.js bin/npm
    ln -s ../lib/node_modules/npm/bin/npx-cli.js bin/npx`,
    layers,
    process.execPath,
    npm,
  );
  line("if command -v bwrap; then dpkg --purge --force-depends bubblewrap; fi");
  line("id node || useradd --create-home --user-group node");
};

/** Runs a command of the Dockerfile in the image, as root. */
const line = (text) =>
  sh(
    `exec unshare --mount --pid --fork --kill-child sh -euc '
      mount -t proc proc "$1/proc"
      mount --rbind /dev "$1/dev"
      exec env HOME=/root chroot "$1" /bin/sh -c "$2"' sh "$@"`,
    image,
    text,
  );

const copy = (context, text) => {
  const [pattern, target] = text.split(" ");
  const files = globSync(pattern, { cwd: context });
  if (files.length === 0) throw new Error(`COPY ${text} finds no file`);
  const rules = readFileSync(join(context, ".dockerignore"), "utf8").split("\n");
  if (!rules.includes(`!${pattern}`)) throw new Error(`.dockerignore leaves out ${pattern}`);
  mkdirSync(join(image, target), { recursive: true });
  for (const file of files) sh(`cp "$1" "$2"`, join(context, file), join(image, target));
};

/** Runs all lines. Returns the compressed bytes of what they and the base added to Debian. */
export const build = (context) => {
  mkdirSync(layers);
  base();
  for (const [name, text] of instructions) {
    if (name === "RUN") line(text);
    if (name === "COPY") copy(context, text);
  }
  sh(`cp -a "$1" "$2"`, join(image, volume), data);
  return {
    bytes: Number(sh(`tar -C "$1" -c . | gzip -1 | wc -c`, join(layers, "upper"))),
    includes: "Node, npm and the lines, without Debian",
  };
};

const asUser =
  `setpriv --reuid ${user} --regid ${user} --init-groups --no-new-privs --bounding-set=-all --inh-caps=-all --`.split(
    " ",
  );
const unshared = "--mount --pid --uts --ipc --fork --kill-child sh -euc".split(" ");

export const start = (port) => {
  const said = [];
  const env = { ...environment, ...variables, HOME: `/home/${user}`, QM_PORT: String(port) };
  const unshare = startProcess(
    "unshare",
    [
      ...unshared,
      `mount --bind "$1" "$1"
      mount -o remount,bind,ro "$1"
      mount -t proc proc "$1/proc"
      mount --rbind /dev "$1/dev"
      mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
      mount --bind "$2" "$1${volume}"
      cd "$1"
      pivot_root . .
      umount -l .
      cd /
      shift 2
      exec "$@"`,
      "sh",
      image,
      data,
      ...asUser,
      ...command,
    ],
    { env: { ...env, QM_ALLOW_HTTP: "1" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(unshare, "exit");
  for (const stream of [unshare.stdout, unshare.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => said.push(text));
  }
  const server = () => {
    const [pid] = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, "utf8").split(
      " ",
    );
    return pid;
  };
  const exec = (...args) =>
    run(
      "nsenter",
      ["--target", server(), "--mount", "--pid", "--root", "--wd", ...asUser, ...args],
      {
        env,
      },
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

export const remove = () => sh(`umount --recursive --lazy "$1"`, layers);
