import { Schema } from "effect";
import { InstalledServer } from "./InstalledServer.ts";

/** What an import reads and returns. Apart from `Imports`, so that a bundle of the typed client has no server in it. */

const Servers = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description:
    "By name: `{ command, args, env }` or `{ type, url, headers }`, as the client has them.",
});

/** The part of a client's configuration that names its servers: of Claude Desktop and Cursor, or of VS Code. */
export const ClientConfiguration = Schema.Struct({
  mcpServers: Schema.optionalKey(Schema.NullOr(Servers)).annotateKey({
    description:
      "Servers by name, as Claude Desktop and Cursor write them. Either this or `servers`.",
  }),
  servers: Schema.optionalKey(Schema.NullOr(Servers)).annotateKey({
    description: "Servers by name, as VS Code writes them. Either this or `mcpServers`.",
  }),
  inputs: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown))).annotateKey({
    description: "What VS Code asks its user for. Ignored.",
  }),
})
  .annotate({ description: "The part of a client's configuration that names its MCP servers." })
  .check(
    Schema.makeFilter(({ mcpServers, servers }) => (mcpServers == null) !== (servers == null), {
      expected: "either mcpServers or servers",
    }),
  )
  .annotate({ identifier: "ClientConfiguration" });
export interface ClientConfiguration extends Schema.Schema.Type<typeof ClientConfiguration> {}

/** Why a server of a configuration was not installed. */
export const SkipReason = Schema.Literals([
  "notInCatalogue",
  "missingEnv",
  "unknownEnv",
  "runtimeMissing",
  "forbiddenPath",
  "invalid",
]);
export type SkipReason = typeof SkipReason.Type;

/** What became of one server of a configuration. */
export const ImportResult = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The name in the configuration." }),
  status: Schema.Literals(["installed", "skipped"]).annotateKey({
    description: "`installed` (disabled, and not granted to any agent), or `skipped`.",
  }),
  server: Schema.NullOr(InstalledServer).annotateKey({
    description: "The installed server; null if it was skipped.",
  }),
  reason: Schema.NullOr(SkipReason).annotateKey({
    description: "Why the server was skipped; null if it was installed.",
  }),
  details: Schema.NullOr(Schema.String).annotateKey({
    description: "One sentence for people, never with a value; null if the server was installed.",
  }),
}).annotate({
  identifier: "ImportResult",
  description: "What happened to one server of a configuration.",
});
export interface ImportResult extends Schema.Schema.Type<typeof ImportResult> {}
