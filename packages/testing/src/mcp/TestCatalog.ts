import type { CatalogEntry } from "@quartermaster/core";
import * as Fixtures from "../Fixtures.ts";

/**
 * Catalog entries for tests: `test-notes` (a program with a required secret and an optional
 * variable), `test-sessions` (one process per agent), `test-wiki` (a remote server), `test-tool` (a
 * local program without variables), `test-files` (a program with a path argument).
 */

const stdio = (overrides: Partial<CatalogEntry.StdioManifest>): CatalogEntry.StdioManifest => ({
  package: null,
  version: null,
  integrity: null,
  lockedAt: null,
  command: "tool",
  args: [],
  env: {},
  isolation: "shared",
  state: false,
  sandbox: null,
  ...overrides,
});

export const entries: ReadonlyArray<CatalogEntry.CatalogEntry> = [
  Fixtures.entry({ id: "test-notes" }),
  Fixtures.entry({
    id: "test-sessions",
    manifest: stdio({
      package: "@example/sessions",
      version: "0.1.0",
      command: "sessions",
      isolation: "agent",
    }),
    envVars: [],
  }),
  Fixtures.entry({
    id: "test-wiki",
    transport: "http",
    runtime: "none",
    manifest: {
      url: "https://wiki.example/spaces/${SPACE}",
      headers: { authorization: "Bearer ${WIKI_TOKEN}" },
    },
    envVars: [
      { name: "WIKI_TOKEN", description: "", required: true, secret: true, default: null },
      { name: "SPACE", description: "", required: false, secret: false, default: "home" },
    ],
  }),
  Fixtures.entry({
    id: "test-tool",
    runtime: "none",
    manifest: stdio({ command: "tool", env: { TOOL_FILE: "${HOME}/tool.json" } }),
    envVars: [],
  }),
  Fixtures.entry({
    id: "test-files",
    runtime: "python",
    manifest: stdio({ package: "files", version: "3.0", command: "files", args: ["${ROOT}"] }),
    envVars: [
      { name: "ROOT", description: "The folder", required: true, secret: false, default: null },
    ],
  }),
];
