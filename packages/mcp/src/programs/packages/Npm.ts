import { access, chmod, open, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, relative } from "node:path";
import { Effect, Schema } from "effect";
import * as Environment from "../processes/Environment.ts";
import { Host } from "../processes/Host.ts";
import * as Installation from "./Installation.ts";
import * as LockFile from "./LockFile.ts";
import { ProgramRunner } from "./ProgramRunner.ts";
import { Runtimes } from "./Runtimes.ts";

const { nameOf, prepareFailed, runtimeMissing } = Installation;

const PackageFile = Schema.fromJsonString(
  Schema.Struct({
    bin: Schema.optionalKey(
      Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)]),
    ),
  }),
);

/**
 * Denies dependencies on repositories, URLs and files. Replaces `git` for npm versions without
 * these options, which would clone a repository before the lock file can be checked.
 */
const onlyOfRegistry = [
  "--allow-git=none",
  "--allow-remote=none",
  "--allow-file=none",
  "--allow-directory=none",
  "--git=git-is-not-used",
];

const attempt = <A>(f: () => Promise<A>) => Effect.tryPromise(f);

/** Settings that select the registry and the connection to it. */
const npmSettings =
  /^npm_config_(?:registry|userconfig|globalconfig|cafile|proxy|https_proxy|noproxy)$/i;

/** The host's own npm settings, so that npm uses the host's registry. */
const settings = Effect.fnUntraced(function* (environment: Environment.Variables) {
  const home = environment["HOME"] ?? environment["USERPROFILE"] ?? homedir();
  const usual = join(home, ".npmrc");
  const there = yield* Effect.isSuccess(attempt(() => access(usual)));
  return {
    ...(there && { npm_config_userconfig: usual }),
    ...Environment.network(environment),
    ...Environment.select(environment, npmSettings, (name) => name.toLowerCase()),
  };
});

/** Installs packages of the npm registry with npm, without running install scripts. */
export const make: Installation.MakeInstaller = Effect.gen(function* () {
  const runtimes = yield* Runtimes;
  const runner = yield* ProgramRunner;
  const { environment, node } = yield* Host;

  const install: Installation.Installer["install"] = Effect.fn("Npm.install")(function* (
    manifest,
    { folder, home, cache },
  ) {
    const npm = yield* runtimes.npm;
    if (npm === null) {
      return yield* runtimeMissing(`npm, which installs ${nameOf(manifest)}, was not found.`);
    }
    yield* Effect.mapError(
      attempt(() => writeFile(join(folder, "package.json"), '{ "private": true }\n')),
      () => prepareFailed("The data directory cannot be written."),
    );
    const { code, text } = yield* runner.run(
      npm.command,
      [
        ...npm.args,
        "install",
        nameOf(manifest),
        "--prefix",
        folder,
        "--cache",
        join(cache, "npm"),
        "--ignore-scripts",
        "--global=false",
        "--save-exact",
        "--package-lock=true",
        "--package-lock-only=false",
        "--omit-lockfile-registry-resolved=false",
        ...(manifest.lockedAt === null ? [] : ["--before", manifest.lockedAt]),
        ...onlyOfRegistry,
        "--omit=dev",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--no-progress",
        "--loglevel=error",
      ],
      { cwd: folder, home, env: yield* settings(environment) },
    );
    if (code !== 0) {
      return yield* prepareFailed(
        `npm could not install ${nameOf(manifest)} (${code === null ? "it was stopped" : `exit code ${code}`}): ${text}`,
      );
    }
    yield* checkTree(manifest, folder);
  });

  const program: Installation.Installer["program"] = Effect.fn("Npm.program")(
    function* (manifest, folder) {
      const own = join(folder, "node_modules", manifest.package);
      const { bin = {} } = yield* readJson(join(own, "package.json"), PackageFile);
      const unscoped = basename(manifest.package);
      const programs = typeof bin === "string" ? { [unscoped]: bin } : { ...bin };
      const [first, ...more] = Object.values(programs);
      // Same as npx: a package's only program is used, whatever its name.
      const only = manifest.command === unscoped && more.length === 0 ? first : undefined;
      const file = programs[manifest.command] ?? only;
      if (file === undefined) {
        const others = Object.keys(programs).join(", ") || "none";
        return yield* prepareFailed(
          `${nameOf(manifest)} has no program ${manifest.command}; it has ${others}.`,
        );
      }
      const path = join(own, file);
      if (/^\.\.|^[/\\]/.test(relative(own, path))) {
        return yield* prepareFailed(`The program of ${nameOf(manifest)} is outside the package.`);
      }
      if (yield* isJavaScript(path)) return { command: node.path, args: [path], files: [folder] };
      yield* Effect.ignore(attempt(() => chmod(path, 0o755)));
      return { command: path, args: [], files: [folder] };
    },
  );

  return { install, program };
});

const readJson = <A>(path: string, schema: Schema.Codec<A, string>) =>
  attempt(() => readFile(path, "utf8")).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(schema)),
    Effect.mapError(() => prepareFailed(`The installed package has no usable ${basename(path)}.`)),
  );

const checkTree = Effect.fnUntraced(function* (
  manifest: Installation.PackageManifest,
  folder: string,
) {
  const lock = yield* readJson(join(folder, "package-lock.json"), LockFile.LockFile);
  const problem = LockFile.problem(lock);
  if (problem !== null) {
    return yield* prepareFailed(`${nameOf(manifest)} cannot be used: ${problem}.`);
  }
  if (manifest.integrity === null) return;
  const found = lock.packages[`node_modules/${manifest.package}`]?.integrity ?? "missing";
  if (found.split(/\s+/).includes(manifest.integrity)) return;
  return yield* prepareFailed(
    `The integrity of ${nameOf(manifest)} is ${found}, but the catalog says ${manifest.integrity}.`,
  );
});

const isJavaScript = (path: string) =>
  Effect.orElseSucceed(
    attempt(async () => {
      if (/\.[cm]?js$/.test(path)) return true;
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(128), position: 0 });
        const [first = ""] = buffer.toString("latin1", 0, bytesRead).split("\n");
        return /^#!.*\bnode\b/.test(first);
      } finally {
        await file.close();
      }
    }),
    () => false,
  );
