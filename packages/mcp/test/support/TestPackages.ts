import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CatalogEntry } from "@quartermaster/core";
import { PackageStore } from "@quartermaster/core";
import { Context, Effect, Layer, type Scope } from "effect";
import { Host, Mcp } from "../../src/index.ts";

export const manifest = (
  over: Partial<CatalogEntry.StdioManifest> = {},
): CatalogEntry.StdioManifest => ({
  package: "@fix/tool",
  version: "1.2.3",
  integrity: null,
  command: "tool",
  args: [],
  env: {},
  isolation: "shared",
  ...over,
});

/** The packages of a service that starts on a host with this environment. */
export const start = (
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
  prepareSeconds = 60,
): Effect.Effect<(typeof PackageStore.PackageStore)["Service"], never, Scope.Scope> =>
  Layer.build(
    Mcp.layer({ dataDir, prepareSeconds }).pipe(
      Layer.provide(
        Layer.succeed(Host.Host, {
          environment,
          platform: process.platform,
          node: { path: process.execPath, version: process.version },
        }),
      ),
    ),
  ).pipe(Effect.map((context) => Context.get(context, PackageStore.PackageStore)));

/** Writes a program that Node.js runs; it is called `name` in the folder. */
export const program = (folder: string, name: string, source: string): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!${process.execPath}\n${source}`);
  chmodSync(path, 0o755);
  return path;
};
