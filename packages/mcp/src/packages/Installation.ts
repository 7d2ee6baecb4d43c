import { McpConnector, type CatalogEntry, type PackageStore } from "@quartermaster/core";
import type { Effect } from "effect";
import { createHash } from "node:crypto";
import type { Runner } from "./Runner.ts";
import type { Runtimes } from "./Runtimes.ts";

/** A manifest that has a package. */
export type PackageManifest = CatalogEntry.StdioManifest & {
  readonly package: string;
  readonly version: string;
};

export const hasPackage = (manifest: CatalogEntry.StdioManifest): manifest is PackageManifest =>
  manifest.package !== null && manifest.version !== null;

/** How packages of one runtime come into a folder, and what is started in it then. */
export interface Installer {
  /** Installs into `folder`, which may be moved afterwards; `home` is for what is needed meanwhile. */
  readonly install: (
    manifest: PackageManifest,
    place: { readonly folder: string; readonly home: string; readonly cache: string },
  ) => Effect.Effect<void, McpConnector.ConnectorError>;
  readonly program: (
    manifest: PackageManifest,
    folder: string,
  ) => Effect.Effect<PackageStore.Program, McpConnector.ConnectorError>;
}

export type MakeInstaller = Effect.Effect<Installer, never, Runner | Runtimes>;

export const nameOf = (manifest: PackageManifest) => `${manifest.package}@${manifest.version}`;

/** A name for files that no two packages, versions or integrities share. */
export const keyOf = (manifest: PackageManifest): string => {
  const identity = [manifest.package, manifest.version, manifest.integrity];
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
