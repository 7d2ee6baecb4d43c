// A copy of this Debian for a check that runs as root: an overlay with the Node that runs this and an npm in /usr/local.
// The check runs in a mount namespace of its own (see `inNamespace`), with which the copy goes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { scratch } from "./processes.mjs";
import { Skipped } from "./published.mjs";

const layers = join(scratch, "layers");
/** The folder of the copy. */
export const copy = join(layers, "copy");
/** The folder of its changes. */
export const changes = join(layers, "changes");
/** A folder that is gone with the copy. */
export const volume = join(layers, "volume");

/** Variables that reach the registry. */
export const network = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(name),
  ),
);

export const environment = {
  ...network,
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
};

export const sh = (script, ...args) => {
  const { status, stderr, stdout } = spawnSync("sh", ["-euc", script, "sh", ...args], {
    env: environment,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${script} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout.trim();
};

/** Makes the copy. */
export const mount = () => {
  const npm = dirname(dirname(realpathSync(sh("command -v npm"))));
  mkdirSync(layers);
  // Before `processes.mjs` removes the folder with what is mounted in it.
  process.prependOnceListener("exit", () => sh(`umount --recursive --lazy "$1"`, layers));
  sh(
    `mount -t tmpfs tmpfs "$1"
    cd "$1"
    mkdir changes work copy volume
    mount -t overlay -o lowerdir=/,upperdir=changes,workdir=work overlay copy
    cd copy/usr/local
    rm -rf bin/node bin/npm bin/npx lib/node_modules
    cp "$2" bin/node
    mkdir lib/node_modules
    cp -r "$3" lib/node_modules/npm
    ln -s ../lib/node_modules/npm/bin/npm-cli.js bin/npm
    ln -s ../lib/node_modules/npm/bin/npx-cli.js bin/npx`,
    layers,
    process.execPath,
    npm,
  );
};

/** Commands of a shell that make the folder $1 the root, with `/proc` and a `/dev` of its own. */
export const enter = (mounts) => `
  cd "$1"
  mount -t proc proc proc
  mount -t tmpfs -o mode=755 tmpfs dev
  mkdir dev/pts dev/shm
  mount -t devpts devpts dev/pts
  mount -t tmpfs -o mode=1777 tmpfs dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  for name in null zero full random urandom tty; do
    : > dev/$name
    mount --bind /dev/$name dev/$name
  done
  ${mounts}
  pivot_root . .
  umount -l .
  cd /`;

/** Runs a command in the copy, as root. */
export const line = (text) =>
  sh(
    `exec unshare --mount --pid --fork --kill-child sh -euc '
      mount --bind "$1" "$1"
      ${enter("")}
      exec env HOME=/root /bin/sh -c "$2"' sh "$@"`,
    copy,
    text,
  );

const flag = "--in-namespace";

/** Runs the body in a mount namespace of its own: starts this script a second time. Skips where that is not possible. */
export const inNamespace = async (file, body) => {
  if (process.argv[2] === flag) return body();
  const root = process.platform === "linux" && process.getuid() === 0;
  if (!root || !existsSync("/etc/debian_version")) throw new Skipped("It needs root, on Debian.");
  const unshare = (...args) => spawnSync("unshare", ["--mount", ...args], { stdio: "inherit" });
  if (unshare("--pid", "--fork", "true").status !== 0) {
    throw new Skipped("Namespaces cannot be created.");
  }
  process.exitCode = unshare(process.execPath, file, flag).status;
};
