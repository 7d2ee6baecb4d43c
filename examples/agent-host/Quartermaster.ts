import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
// The library in process: SQLite in a folder, MCP servers as real processes, the agents' facade on
// top, and the routes on a separate port for agents that connect over MCP.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { Catalog, Core, MasterKeys } from "@quartermaster/core";
import { Routes, SystemHandlers } from "@quartermaster/http";
import { Mcp } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Layer, Redacted } from "effect";
import { HttpRouter } from "effect/http";

/** A catalog entry that the host adds: the built-in catalog does not have it. */
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

/** Every service, and the ports that the routes need. */
const services = (dataDir: string) =>
  Core.layerMcp.pipe(
    Layer.provideMerge([
      Storage.layer({ dataDir, durability: "full" }),
      Mcp.layer({ dataDir, prepareSeconds: 120 }),
      Catalog.Catalog.layerWith([{ path: "everything", text: JSON.stringify([everything]) }]),
      // A real host stores its key. This example discards it with the data.
      MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]),
    ]),
    Layer.provideMerge(NodeCrypto.layer),
  );

export const layer = (dataDir: string) =>
  HttpRouter.serve(Routes.layer.pipe(Layer.provide(SystemHandlers.layer)), {
    routerConfig: Routes.routerConfig,
    disableLogger: true,
    disableListenLog: true,
  }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(services(dataDir)),
  );
