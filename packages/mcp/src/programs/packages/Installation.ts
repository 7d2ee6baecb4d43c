import { createHash } from "node:crypto";
import { McpConnector, type CatalogEntry, type PackageStore } from "@quartermaster/core";
import type { Effect } from "effect";
import type { ProgramRunner } from "./ProgramRunner.ts";
import type { Runtimes } from "./Runtimes.ts";

/** A manifest that names a package. */
export type PackageManifest = CatalogEntry.StdioManifest & {
  readonly package: string;
  readonly version: string;
};

export const hasPackage = (manifest: CatalogEntry.StdioManifest): manifest is PackageManifest =>
  manifest.package !== null && manifest.version !== null;

/** Installs packages of one runtime into a folder and finds the program in it. */
export interface Installer {
  /**
   * Installs into `folder`, which moves to its final path later. `home` is removed after the
   * installation.
   */
  readonly install: (
    manifest: PackageManifest,
    place: { readonly folder: string; readonly home: string; readonly cache: string },
  ) => Effect.Effect<void, McpConnector.ConnectorError>;
  readonly program: (
    manifest: PackageManifest,
    folder: string,
  ) => Effect.Effect<PackageStore.Program, McpConnector.ConnectorError>;
}

export type MakeInstaller = Effect.Effect<Installer, never, ProgramRunner | Runtimes>;

export const nameOf = (manifest: PackageManifest) => `${manifest.package}@${manifest.version}`;

/** A file name unique to package, version, integrity and date of the dependencies. */
export const keyOf = (manifest: PackageManifest): string => {
  const identity = [manifest.package, manifest.version, manifest.integrity, manifest.lockedAt];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 12);
  const readable = nameOf(manifest)
    .replaceAll("/", "+")
    .replaceAll(/[^\w.@+-]/g, "_");
  return `${readable.slice(0, 120)}.${hash}`;
};

export const prepareFailed = (message: string) =>
  new McpConnector.ConnectorError({ reason: "prepareFailed", message, sent: false });

export const runtimeMissing = (message: string) =>
  new McpConnector.ConnectorError({ reason: "runtimeMissing", message, sent: false });
