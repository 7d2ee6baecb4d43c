import { resolve } from "node:path";
import { PackageStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Host } from "../processes/Host.ts";
import * as ForbiddenPath from "./ForbiddenPath.ts";
import { hasPackage, runtimeMissing } from "./Installation.ts";
import { Installations } from "./Installations.ts";
import { ProgramRunner } from "./ProgramRunner.ts";
import { Programs } from "./Programs.ts";
import { Runtimes } from "./Runtimes.ts";
import * as ServerFolders from "./ServerFolders.ts";

export interface Options {
  readonly dataDir: string;
  /** In seconds, for one package. */
  readonly prepareSeconds: number;
  /** Folders that sandboxes of Owners' entries may access. Default: none. */
  readonly allowedPaths?: ReadonlyArray<string> | undefined;
}

/** The packages and folders of servers, both below the data directory. */
export const layer = ({ allowedPaths = [], dataDir, prepareSeconds }: Options) => {
  const folder = resolve(dataDir);
  return Layer.effect(
    PackageStore.PackageStore,
    Effect.gen(function* () {
      const installations = yield* Installations;
      const programs = yield* Programs;
      const { platform } = yield* Host;

      const local = Effect.fnUntraced(function* (command: string) {
        const found = yield* programs.find(command);
        return found === null
          ? yield* runtimeMissing(`The program ${command} was not found.`)
          : { command: found, args: [], files: [] };
      });

      return PackageStore.PackageStore.of({
        prepare: (runtime, manifest) =>
          hasPackage(manifest) && runtime !== "none"
            ? installations.program(runtime, manifest)
            : local(manifest.command),
        retain: installations.retain,
        ...ServerFolders.make(folder),
        isForbiddenPath: ForbiddenPath.make(folder, platform),
        isAllowedPath: Effect.fn("PackageStore.isAllowedPath")(function* (path: string) {
          const real = yield* ForbiddenPath.resolved(resolve(path));
          const folders = yield* Effect.forEach(allowedPaths, ForbiddenPath.resolved);
          return folders.some((allowed) => ForbiddenPath.contains(allowed, real));
        }),
      });
    }),
  ).pipe(
    Layer.provide(Installations.layer({ dataDir: folder, prepareSeconds })),
    Layer.provide(Layer.mergeAll(Runtimes.layer, ProgramRunner.layer)),
    Layer.provide(Programs.layer),
  );
};
