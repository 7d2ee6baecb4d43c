import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcessSpawner } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import { Programs } from "../packages/Programs.ts";
import { ownUser } from "../processes/Host.ts";
import type { Limited } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import { inTheClear, type Launcher, withoutKernel } from "./Sandboxes.ts";

const megabytes = 1024 * 1024;

/**
 * All namespaces unshared, no capabilities. The program exits with `bwrap`, and `bwrap` with the
 * service. A process that leaves its group stays in the PID namespace and exits with it. `bwrap`
 * leads the session, without a terminal, so that the priority of `bwrap` applies to the program.
 */
const namespaces = [
  "--die-with-parent",
  "--unshare-all",
  "--hostname",
  "sandbox",
  "--cap-drop",
  "ALL",
  "--as-pid-1",
];

/**
 * Denies nested namespaces, in which a program could mount file systems. bwrap before 0.8 lacks the
 * option, and a setuid bwrap refuses it.
 */
const noNamespaces = ["--unshare-user", "--disable-userns"];

const wholeHost = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];

/**
 * Process 1 of the namespace. It reaps orphans and exits with the program, and `bwrap` waits for
 * it. With its built-in process 1, `bwrap` exits first and orphans that process to the host's
 * process 1.
 */
const init = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

/** System programs and libraries that distribution packages install for all users. */
const systemFolders = [
  ...["bin", "lib", "lib32", "lib64", "libexec", "sbin", "share"].map((name) => `/usr/${name}`),
  "/nix/store",
];
/** The same folders at the root, which are links on most systems. */
const rootFolders = ["/bin", "/lib", "/lib32", "/lib64", "/sbin"];
/** Paths of libraries, certificates, time zones and fonts. */
const systemFiles = [
  "alternatives",
  "ca-certificates",
  "fonts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "pki",
  "ssl",
].map((name) => `/etc/${name}`);
/** Files in /etc that programs read to resolve host names. */
const networkFiles = ["hosts", "nsswitch.conf", "resolv.conf", "services"].map(
  (name) => `/etc/${name}`,
);

const readOnly = (path: string) => ["--ro-bind-try", path, path];

/** The target of a link; the path itself if it is not a link; null if it cannot be resolved. */
const targetOf = (path: string) =>
  Effect.orElseSucceed(
    Effect.tryPromise(async () => ((await lstat(path)).isSymbolicLink() ? realpath(path) : path)),
    () => null,
  );

const rootTargets = Effect.forEach(rootFolders, (folder) =>
  Effect.map(targetOf(folder), (target) => ({ folder, target })),
);

const rootOptions = ({ folder, target }: Effect.Success<typeof rootTargets>[number]) => {
  if (target === null) return [];
  return target === folder ? readOnly(folder) : ["--symlink", target, folder];
};

/**
 * Files that name only the service's user in the sandbox. Programs that look up their user fail
 * without a name.
 */
const userFiles = (folder: string) =>
  Effect.promise(async () => {
    const { gid, uid } = ownUser;
    const files = {
      passwd: `service:x:${uid}:${gid}::/:/usr/sbin/nologin\n`,
      group: `service:x:${gid}:\n`,
    };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const options: Array<string> = [];
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, text, { mode: 0o600 });
      options.push("--ro-bind", path, `/etc/${name}`);
    }
    return options;
  });

/**
 * Runs programs in bubblewrap namespaces. They see the system's programs and libraries, their own
 * files and folder, and the paths that their entry declares, but no other file and no other process
 * of the host.
 */
export const make = (limited: Limited, dataDir: string) =>
  Effect.gen(function* () {
    const programs = yield* Programs;
    let disablesNamespaces = false;

    const detect = yield* Probing.remembered(
      Effect.gen(function* () {
        const bwrap = yield* programs.find("bwrap");
        if (bwrap === null) return { detected: false, reason: "The program bwrap was not found." };
        // bwrap may be installed and not be permitted to create namespaces.
        const trial = (options: ReadonlyArray<string>) =>
          Probing.run(bwrap, [...namespaces, ...options, ...wholeHost, "--", bwrap, "--version"]);
        const closed = yield* trial(noNamespaces);
        disablesNamespaces = closed.ok;
        const { ok, text } = closed.ok ? closed : yield* trial([]);
        const [version] = /\d+(?:\.\d+)+/.exec(text) ?? [];
        return ok
          ? { detected: true, ...(version !== undefined && { version }) }
          : { detected: false, reason: text };
      }),
    );

    const roots = yield* Effect.cached(rootTargets);

    const system = yield* Effect.cached(
      Effect.gen(function* () {
        return [
          systemFolders.flatMap(readOnly),
          (yield* roots).flatMap(rootOptions),
          systemFiles.flatMap(readOnly),
          yield* userFiles(join(dataDir, "sandbox")),
          ["--proc", "/proc", "--dev", "/dev"],
          ["--size", `${64 * megabytes}`, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
          ["--size", `${256 * megabytes}`, "--tmpfs", "/tmp"],
          // The data directory may lie in a system folder.
          ["--tmpfs", dataDir],
        ].flat();
      }),
    );

    const wrap: Launcher["wrap"] = Effect.fnUntraced(function* (program, limits) {
      const bwrap = yield* programs.find("bwrap");
      if (bwrap === null) {
        return yield* new ProcessSpawner.SpawnError({ message: "the program bwrap was not found" });
      }
      const { command, env, files, folder, sandbox } = program;
      const line = limited(program, limits, true);
      const links = yield* roots;
      // bwrap does not mount below a link.
      const withoutLink = (path: string) => {
        const link = links.find(({ folder }) => path.startsWith(`${folder}/`));
        return `${link?.target ?? link?.folder ?? ""}${path.slice(link?.folder.length ?? 0)}`;
      };
      const variables = yield* inTheClear({ ...env, PATH: "/usr/bin:/bin" }, /\0/);
      const options = [
        namespaces,
        // Browsers create namespaces for their own sandbox.
        disablesNamespaces && !sandbox.childProcesses ? noNamespaces : [],
        sandbox.network ? ["--share-net", ...networkFiles.flatMap(readOnly)] : [],
        yield* system,
        [command, ...files, ...withoutKernel(sandbox.read)].map(withoutLink).flatMap(readOnly),
        withoutKernel(sandbox.write)
          .map(withoutLink)
          .flatMap((path) => ["--bind-try", path, path]),
        ["--bind", folder, folder, "--remount-ro", "/", "--chdir", folder],
        "--clearenv",
        variables.flatMap(([name, value]) => ["--setenv", name, value]),
      ].flat();
      return {
        command: bwrap,
        args: ["--args", "3", "--", ...init, line.command, ...line.args],
        env: {},
        private: Redacted.make(options.map((option) => `${option}\0`).join("")),
        cwd: folder,
        shieldsProgram: true,
      };
    });

    return { detect, wrap } satisfies Launcher;
  });
