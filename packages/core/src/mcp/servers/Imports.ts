import { Context, Effect, Layer, Option, Redacted, Schema } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import type { InvalidRequest, StorageError } from "../../CommonErrors.ts";
import * as Idempotency from "../../idempotency/Idempotency.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import { Catalog } from "../catalog/Catalog.ts";
import type { CatalogEntry } from "../CatalogEntry.ts";
import { InstalledServer } from "../InstalledServer.ts";
import type { Changes } from "../values/Values.ts";
import * as ClientServer from "./internal/ClientServer.ts";
import { valuesFor } from "./internal/ClientValues.ts";
import { Installing } from "./internal/Installing.ts";

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

type SkipReason = typeof SkipReason.Type;

/** Installs the servers of a client's configuration that the catalog has. */
export class Imports extends Context.Service<
  Imports,
  {
    /** Each on its own, in the order of the configuration; disabled, as any that is installed. */
    install(
      input: typeof ClientConfiguration.Encoded,
    ): Effect.Effect<
      ReadonlyArray<ImportResult>,
      Forbidden | InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
  }
>()("@quartermaster/core/mcp/servers/Imports") {
  static readonly layerNoDeps = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const catalog = yield* Catalog;
      const installing = yield* Installing;
      const decode = Input.decoder(ClientConfiguration);

      /** Installs the entry under the name, or under the first one after it that is free. */
      const installAs = (
        wanted: string,
        entry: CatalogEntry,
        envValues: Changes,
        number = 1,
      ): ReturnType<Installing["Service"]["install"]> => {
        const suffix = number === 1 ? "" : `-${number}`;
        const name = `${wanted.slice(0, 32 - suffix.length)}${suffix}`;
        return Effect.catchTag(
          installing.install({ catalogId: entry.id, envValues, name }),
          "NameTaken",
          () => installAs(wanted, entry, envValues, number + 1),
        );
      };

      const one = Effect.fnUntraced(function* (name: string, input: unknown) {
        const skip = (reason: SkipReason, details: string): ImportResult => ({
          name,
          status: "skipped",
          server: null,
          reason,
          details,
        });
        const client = Option.getOrNull(ClientServer.read(input));
        if (client === null) return skip("invalid", "It has neither a command nor a url.");
        const entry = catalog.all.find((entry) => ClientServer.isOf(client, entry));
        if (entry === undefined) {
          return skip("notInCatalogue", "No entry of the catalog has this package or URL.");
        }
        const { ignored, values } = valuesFor(client, entry);
        const empty = Object.keys(values).filter((name) => isPlaceholder(values[name] ?? ""));
        const envValues = Object.fromEntries(
          Object.entries(values)
            .filter(([name]) => !empty.includes(name))
            .map(([name, value]) => [name, Redacted.make(value)]),
        );
        return yield* installAs(fitName(name, entry.id), entry, envValues).pipe(
          Effect.map((server): ImportResult => ({
            name,
            status: "installed",
            server,
            reason: null,
            details: remarks(ignored, empty),
          })),
          Effect.catchTags({
            UnknownEnv: ({ unknown }) =>
              Effect.succeed(
                skip("unknownEnv", `The entry does not declare ${unknown.join(", ")}.`),
              ),
            MissingEnv: ({ missing }) =>
              Effect.succeed(skip("missingEnv", `There is no value for ${missing.join(", ")}.`)),
            ForbiddenPath: (error) =>
              Effect.succeed(
                skip("forbiddenPath", `${error.variable} lies in or above the data directory.`),
              ),
            RuntimeMissing: ({ runtime }) =>
              Effect.succeed(skip("runtimeMissing", `This host has no ${runtime}.`)),
            InvalidRequest: ({ errors }) =>
              Effect.succeed(
                skip(
                  "invalid",
                  `These values are not taken: ${errors.map(({ path }) => path).join(", ")}.`,
                ),
              ),
          }),
          // The entry is from the catalog, and no earlier request exists.
          Effect.catchTags({
            UnknownReference: Effect.die,
            NotFound: Effect.die,
            NameTaken: Effect.die,
            IdempotencyMismatch: Effect.die,
          }),
        );
      });

      const install = Span.fn("Imports.install")(
        function* (input: typeof ClientConfiguration.Encoded) {
          yield* Principal.requireUnbound("Admin");
          const { mcpServers, servers } = yield* decode(input);
          return yield* Effect.forEach(
            Object.entries(mcpServers ?? servers ?? {}),
            ([name, server]) => one(name, server),
          );
        },
        Effect.provideService(Idempotency.CurrentRequest, null),
      );

      return Imports.of({ install });
    }),
  );
}

/** Whether the client fills the value in later, from its user or its environment. */
const isPlaceholder = (value: string): boolean => value === "" || /\$\{[^}]*\}/.test(value);

/** The name as installed servers have it. */
const fitName = (name: string, entryId: string): string => {
  const fit = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 32)
    .replaceAll(/^-+|-+$/g, "");
  return fit === "" ? entryId : fit;
};

const remarks = (ignored: number, open: ReadonlyArray<string>): string | null => {
  const notes = [
    open.length > 0 && `Without a value: ${open.join(", ")}.`,
    ignored > 0 &&
      `The catalog entry has no place for ${ignored} of its arguments or headers, which were ignored.`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : notes.join(" ");
};
