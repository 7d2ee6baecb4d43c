import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProcessSpawner } from "@quartermaster/core";
import { Effect } from "effect";
import { Programs } from "../packages/Programs.ts";
import { ownUser } from "../processes/Host.ts";
import type { Limited } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import { type Layer, withoutKernel } from "./Sandboxes.ts";

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
];

/** Programs and libraries of the system: what packages of the distribution install for all users. */
const systemFolders = [
  ...["bin", "lib", "lib32", "lib64", "libexec", "sbin", "share"].map((name) => `/usr/${name}`),
  "/nix/store",
];
/** The same folders at the root, where they are links on most systems. */
const rootFolders = ["/bin", "/lib", "/lib32", "/lib64", "/sbin"];
/** How programs find libraries, certificates, time zones and fonts. */
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
/** How programs find hosts. */
const networkFiles = ["hosts", "nsswitch.conf", "resolv.conf", "services"].map(
  (name) => `/etc/${name}`,
);

const readOnly = (path: string) => ["--ro-bind-try", path, path];

const linkTo = (path: string) =>
  Effect.map(
    Effect.orElseSucceed(
      Effect.tryPromise(async () => ((await lstat(path)).isSymbolicLink() ? realpath(path) : path)),
      () => null,
    ),
    (target) => {
      if (target === null) return [];
      return target === path ? readOnly(path) : ["--symlink", target, path];
    },
  );

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

    const detect = yield* Probing.remembered(
      Effect.gen(function* () {
        const bwrap = yield* programs.find("bwrap");
        if (bwrap === null) return { detected: false, reason: "The program bwrap was not found." };
        // It may exist and not be allowed to make a namespace.
        const trial = [...namespaces, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
        const { ok, text } = yield* Probing.run(bwrap, [...trial, "--", bwrap, "--version"]);
        const [version] = /\d+(?:\.\d+)+/.exec(text) ?? [];
        return ok
          ? { detected: true, ...(version !== undefined && { version }) }
          : { detected: false, reason: text };
      }),
    );

    const system = yield* Effect.cached(
      Effect.gen(function* () {
        const links = yield* Effect.forEach(rootFolders, linkTo);
        return [
          systemFolders.flatMap(readOnly),
          links.flat(),
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
      const args = [
        namespaces,
        sandbox.network ? ["--share-net", ...networkFiles.flatMap(readOnly)] : [],
        yield* system,
        [command, ...files, ...withoutKernel(sandbox.read)].flatMap(readOnly),
        withoutKernel(sandbox.write).flatMap((path) => ["--bind-try", path, path]),
        ["--bind", folder, folder, "--remount-ro", "/", "--chdir", folder],
        ["--", line.command, ...line.args],
      ].flat();
      const own = { ...env, PATH: "/usr/bin:/bin" };
      return { command: bwrap, args, env: own, cwd: folder, shieldsProgram: true };
    });

    return { detect, wrap } satisfies Layer;
  });
