import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcessSpawner } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import { Programs } from "../packages/Programs.ts";
import { ownUser } from "../processes/Host.ts";
import type { Limited } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import { inTheClear, type Layer, withoutKernel } from "./Sandboxes.ts";

const megabytes = 1024 * 1024;

/**
 * Every namespace of its own, no capabilities, and the end of the program with the end of `bwrap`, which
 * ends with the service. A process that leaves its group stays in the PID namespace, and ends with it. The session
 * is led by `bwrap`, without a terminal, so that the priority of `bwrap` applies to the program.
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
 * Denies further namespaces in the sandbox, in which a program would mount file systems. A bwrap before 0.8 lacks
 * the option, and one with the setuid bit refuses it.
 */
const noNamespaces = ["--unshare-user", "--disable-userns"];

const wholeHost = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];

/**
 * Process 1 of the namespace: it reaps what loses its parent, and exits with the program. `bwrap` waits for it then.
 * With process 1 of its own, `bwrap` exits first, and leaves that process to process 1 of the host.
 */
const init = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

/** Programs and libraries of the system: what packages of the distribution install for all users. */
const systemFolders = [
  ...["bin", "lib", "lib32", "lib64", "libexec", "sbin", "share"].map((name) => `/usr/${name}`),
  "/nix/store",
];
/** The same folders at the root, where they are links on most systems. */
const rootFolders = ["/bin", "/lib", "/lib32", "/lib64", "/sbin"];
/** The paths where programs find libraries, certificates, time zones and fonts. */
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
/** The files with which programs resolve hosts. */
const networkFiles = ["hosts", "nsswitch.conf", "resolv.conf", "services"].map(
  (name) => `/etc/${name}`,
);

const readOnly = (path: string) => ["--ro-bind-try", path, path];

/** The target of a link, the path itself if it is not a link, or null. */
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

/** Only the service's user has a name in the sandbox. Without one, programs that ask for it fail. */
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
 * Programs in namespaces of bubblewrap. They see the system's programs and libraries, their own files,
 * their own folder, and what their entry declares; no other file of the host and no other process.
 */
export const make = (limited: Limited, dataDir: string) =>
  Effect.gen(function* () {
    const programs = yield* Programs;
    let disablesNamespaces = false;

    const detect = yield* Probing.remembered(
      Effect.gen(function* () {
        const bwrap = yield* programs.find("bwrap");
        if (bwrap === null) return { detected: false, reason: "The program bwrap was not found." };
        // It may exist and not be allowed to make a namespace.
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
          // In case it lies in a folder of the system.
          ["--tmpfs", dataDir],
        ].flat();
      }),
    );

    const wrap: Layer["wrap"] = Effect.fnUntraced(function* (program, limits) {
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
        // A browser makes namespaces for its own sandbox.
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

    return { detect, wrap } satisfies Layer;
  });
