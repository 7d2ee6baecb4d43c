import { randomBytes } from "node:crypto";
// The library in process: SQLite below a folder, MCP servers as real processes, the agents' facade on top.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import { Catalog, Core, type Errors, MasterKeys } from "@quartermaster/core";
import { Mcp } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Layer, Redacted } from "effect";

/** A server that the built-in catalog does not have, added as a host would add one. */
const everything = {
  id: "everything",
  name: "Everything",
  description: "The protocol's own test server: a tool for each of its features.",
  category: "dev",
  transport: "stdio",
  runtime: "node",
  installInstructions: "Nothing to configure.",
  manifest: {
    package: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
    command: "mcp-server-everything",
  },
};

export const layer = (
  dataDir: string,
): Layer.Layer<Core.Services | Core.McpServices, Errors.StorageError | Catalog.CatalogError> =>
  Core.layerMcp.pipe(
    Layer.provide([
      Storage.layer({ dataDir, durability: "full" }),
      Mcp.layer({ dataDir, prepareSeconds: 120 }),
      Catalog.Catalog.layerWith([{ path: "everything", text: JSON.stringify([everything]) }]),
      // A real host stores its key. This one discards it with everything else.
      MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]),
    ]),
    Layer.provide(NodeCrypto.layer),
  );
