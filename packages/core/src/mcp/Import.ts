import { Schema } from "effect";
import * as Text from "../Text.ts";
import { InstalledServer } from "./InstalledServer.ts";

/**
 * The input and output of an import. A separate module, so that a bundle of the typed client
 * contains no server.
 */

const Servers = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description:
    "Servers by name: `{ command, args, env }` or `{ type, url, headers }`, in the client's form.",
});

/** The longest TOML, in characters: its parser holds the event loop until it is done. */
const maxToml = 65_536;

/** The part of a client's configuration that names its servers: of Claude Desktop and Cursor, of VS Code, or of Codex. */
export const ClientConfiguration = Schema.Struct({
  mcpServers: Schema.optionalKey(Schema.NullOr(Servers)).annotateKey({
    description: "Servers by name, as Claude Desktop and Cursor write them.",
  }),
  servers: Schema.optionalKey(Schema.NullOr(Servers)).annotateKey({
    description: "Servers by name, as VS Code writes them.",
  }),
  toml: Schema.optionalKey(Schema.NullOr(Text.between(1, maxToml))).annotateKey({
    description:
      "The text of Codex's `config.toml`, up to 64 Ki characters, Only `mcp_servers` is read. Exactly one of `mcpServers`, `servers` and `toml`.",
  }),
  inputs: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown))).annotateKey({
    description: "The inputs that VS Code asks its user for. Ignored.",
  }),
})
  .annotate({ description: "The part of a client's configuration that names its MCP servers." })
  .check(
    Schema.makeFilter(
      ({ mcpServers, servers, toml }) =>
        [mcpServers, servers, toml].filter((given) => given != null).length === 1,
      { expected: "exactly one of mcpServers, servers and toml" },
    ),
  )
  .annotate({ identifier: "ClientConfiguration" });
export interface ClientConfiguration extends Schema.Schema.Type<typeof ClientConfiguration> {}

/** A `server.json` of the official registry. The import checks its parts. */
export const ServerJson = Schema.StructWithRest(
  Schema.Struct({
    name: Schema.optionalKey(Schema.String).annotateKey({
      description: "Required, such as `io.github.ada/weather`.",
    }),
    version: Schema.optionalKey(Schema.String).annotateKey({
      description: "Required: the version of the server.",
    }),
  }),
  [Schema.Record(Schema.String, Schema.Unknown)],
)
  .annotate({
    description:
      "An unchanged `server.json` from the official MCP registry; requires an Owner key. Creates a catalog entry from the first usable item of `packages` (npm or pypi, with the transport `stdio`), or else of `remotes`.",
  })
  // Returns one error instead of two for a client's configuration.
  .check(
    Schema.makeFilter(({ name, version }) => name !== undefined && version !== undefined, {
      expected: "name and version, as a server.json has them",
    }),
  )
  .annotate({ identifier: "ServerJson" });
export interface ServerJson extends Schema.Schema.Type<typeof ServerJson> {}

/** The input of an import. */
export const ImportDocument = Schema.Union([ClientConfiguration, ServerJson]);
export type ImportDocument = typeof ImportDocument.Type;

/** The reasons why a server of a configuration was not installed. */
export const SkipReason = Schema.Literals([
  "notInCatalogue",
  "missingEnv",
  "unknownEnv",
  "runtimeMissing",
  "forbiddenPath",
  "invalid",
]);
export type SkipReason = typeof SkipReason.Type;

/** The result for one server of a configuration. */
export const ImportResult = Schema.Struct({
  name: Schema.String.annotateKey({ description: "The name in the configuration." }),
  status: Schema.Literals(["installed", "skipped", "created"]).annotateKey({
    description:
      "`installed` (disabled, and not granted to any agent), or `skipped`; `created` for the catalog entry of a `server.json`.",
  }),
  server: Schema.NullOr(InstalledServer).annotateKey({
    description: "The installed server; null if none was installed.",
  }),
  reason: Schema.NullOr(SkipReason).annotateKey({
    description: "The reason why the server was skipped; null otherwise.",
  }),
  details: Schema.NullOr(Schema.String).annotateKey({
    description:
      "One sentence for people, which never contains a value of a variable; null if there is nothing to report.",
  }),
  catalogId: Schema.optionalKey(Schema.String).annotateKey({
    description: "The id of the catalog entry that was `created`; missing otherwise.",
  }),
}).annotate({
  identifier: "ImportResult",
  description: "The result for one server of a configuration.",
});
export interface ImportResult extends Schema.Schema.Type<typeof ImportResult> {}
