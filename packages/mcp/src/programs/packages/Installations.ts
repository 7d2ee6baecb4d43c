import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogEntry, McpConnector, PackageStore } from "@quartermaster/core";
import { Context, Effect, Fiber, Layer } from "effect";
import { ownPid } from "../processes/Host.ts";
import { ProcessIdentity } from "../processes/ProcessIdentity.ts";
import { hasPackage, keyOf, nameOf, type PackageManifest, prepareFailed } from "./Installation.ts";
import * as Npm from "./Npm.ts";
import * as Python from "./Python.ts";

type ConnectorError = McpConnector.ConnectorError;

const attempt = <A>(f: () => Promise<A>) => Effect.uninterruptible(Effect.tryPromise(f));
const remove = (path: string) =>
  Effect.ignore(attempt(() => rm(path, { recursive: true, force: true, maxRetries: 3 })));
const exists = (path: string) => Effect.isSuccess(attempt(() => stat(path)));

/** The folder name of an unfinished installation: system, process id and process start. */
const partOf = /^\.part-([0-9a-f]{8})-(\d+)-(\w*)-/;

/**
 * Installed packages, one folder each below `<dataDir>/packages`. A package is installed into a
 * temporary folder, which is renamed when it is complete.
 *
 * Invariant: a folder without a leading dot is complete.
 */
export class Installations extends Context.Service<
  Installations,
  {
    /** Returns the program of a package. Installs the package if it is missing. */
    program(
      runtime: "node" | "python" | "pipx",
      manifest: PackageManifest,
    ): Effect.Effect<PackageStore.Program, ConnectorError>;
    /** Removes the packages of all manifests that are not listed. */
    retain(manifests: ReadonlyArray<CatalogEntry.StdioManifest>): Effect.Effect<void>;
  }
>()("@quartermaster/mcp/programs/packages/Installations") {
  static readonly layer = (options: {
    readonly dataDir: string;
    readonly prepareSeconds: number;
  }) =>
    Layer.effect(
      Installations,
      Effect.gen(function* () {
        const identity = yield* ProcessIdentity;
        const installers = {
          node: yield* Npm.make,
          python: yield* Python.makePython,
          pipx: yield* Python.makePipx,
        };
        const layerScope = yield* Effect.scope;
        const packages = join(options.dataDir, "packages");
        const inFlight = new Map<string, Fiber.Fiber<void, ConnectorError>>();

        const system = createHash("sha256").update(identity.system).digest("hex").slice(0, 8);
        const compact = (start: string | null) => (start ?? "").replaceAll(/\W+/g, "");
        const start = compact(yield* identity.startOf(ownPid));

        const install = Effect.fn("Installations.install")(
          function* (runtime: keyof typeof installers, manifest: PackageManifest, final: string) {
            const part = yield* Effect.acquireRelease(
              Effect.mapError(
                attempt(async () => {
                  await mkdir(packages, { recursive: true, mode: 0o700 });
                  return await mkdtemp(join(packages, `.part-${system}-${ownPid}-${start}-`));
                }),
                () => prepareFailed("The data directory cannot be written."),
              ),
              remove,
            );
            const home = join(part, ".home");
            const cache = join(packages, ".cache");
            yield* installers[runtime].install(manifest, { folder: part, home, cache });
            // Fails before the rename if the package has no program.
            yield* installers[runtime].program(manifest, part);
            yield* remove(home);
            yield* attempt(() => rename(part, final)).pipe(
              // Another process may have installed the package first.
              Effect.catch(() => exists(final).pipe(Effect.filterOrFail((there) => there))),
              Effect.mapError(() => prepareFailed("The data directory cannot be written.")),
            );
          },
          Effect.scoped,
          (effect, _, manifest) =>
            Effect.timeoutOrElse(effect, {
              duration: `${options.prepareSeconds} seconds`,
              orElse: () =>
                prepareFailed(
                  `Preparing ${nameOf(manifest)} timed out after ${options.prepareSeconds} s.`,
                ),
            }),
        );

        const program = Effect.fn("Installations.program")(function* (
          runtime: keyof typeof installers,
          manifest: PackageManifest,
        ) {
          const name = `${keyOf(manifest)}.${runtime}`;
          const final = join(packages, name);
          if (!(yield* exists(final))) {
            // Not interrupted with its caller: other callers may wait for it, and it has its own
            // time limit.
            const fiber =
              inFlight.get(name) ??
              (yield* install(runtime, manifest, final).pipe(
                Effect.ensuring(Effect.sync(() => inFlight.delete(name))),
                Effect.forkIn(layerScope),
                Effect.tap((forked) => Effect.sync(() => inFlight.set(name, forked))),
                Effect.uninterruptible,
              ));
            yield* Fiber.join(fiber);
          }
          return yield* installers[runtime].program(manifest, final);
        });

        const names = Effect.orElseSucceed(
          attempt(() => readdir(packages)),
          () => [],
        );

        const retain = Effect.fn("Installations.retain")(function* (
          manifests: ReadonlyArray<CatalogEntry.StdioManifest>,
        ) {
          const retained = new Set(manifests.filter(hasPackage).map(keyOf));
          for (const name of yield* names) {
            if (name.startsWith(".") || inFlight.has(name)) continue;
            if (!retained.has(name.replace(/\.\w+$/, ""))) yield* remove(join(packages, name));
          }
        });

        for (const name of yield* names) {
          const [part, owner = "", pid = "", startedAt = ""] = partOf.exec(name) ?? [];
          if (part === undefined || owner !== system) continue;
          const now = compact(yield* identity.startOf(Number(pid)));
          if (now === "" || now !== startedAt) yield* remove(join(packages, name));
        }

        return Installations.of({ program, retain });
      }),
    );
}
