import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CatalogEntry } from "@quartermaster/core";

export const manifest = (
  over: Partial<CatalogEntry.StdioManifest> = {},
): CatalogEntry.StdioManifest => ({
  package: "@fix/tool",
  version: "1.2.3",
  integrity: null,
  lockedAt: null,
  command: "tool",
  args: [],
  env: {},
  isolation: "shared",
  state: false,
  sandbox: null,
  ...over,
});

/** Writes a program that Node.js runs; it is called `name` in the folder. */
export const program = (folder: string, name: string, source: string): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!${process.execPath}\n${source}`);
  chmodSync(path, 0o755);
  return path;
};
