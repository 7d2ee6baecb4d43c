import { Context, Effect, Layer, Option, Redacted, Schema } from "effect";
import { Toml } from "effect/encoding";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { InvalidRequest, type StorageError } from "../../CommonErrors.ts";
import * as Idempotency from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { CatalogEntries } from "../catalog/CatalogEntries.ts";
import type { CatalogEntry } from "../CatalogEntry.ts";
import { ImportDocument, type ImportResult, type ServerJson, type SkipReason } from "../Import.ts";
import type { Changes } from "../values/Values.ts";
import * as ClientServer from "./internal/ClientServer.ts";
import { valuesFor } from "./internal/ClientValues.ts";
import { Installing } from "./internal/Installing.ts";
import * as Naming from "./internal/Naming.ts";
import * as RegistryImport from "./internal/RegistryImport.ts";

/**
 * Installs those servers of a client's configuration that match a catalog entry, and creates the
 * catalog entry of a `server.json`.
 */
export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Imports each server independently, in the order of the configuration; installed servers are
     * disabled. A `server.json` requires an Owner.
     */
    install(
      input: typeof ImportDocument.Encoded,
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
      const catalog = yield* CatalogEntries;
      const installing = yield* Installing;
      const createEntry = yield* RegistryImport.make;
      const decode = Input.decoder(ImportDocument);

      /** Installs the entry under this name, or under the first free name after it. */
      const installAs = (
        wanted: string,
        entry: CatalogEntry,
        envValues: Changes,
        number = 1,
      ): ReturnType<Installing["Service"]["install"]> =>
        Effect.catchTag(
          installing.install({
            catalogId: entry.id,
            envValues,
            name: Naming.numbered(wanted, number),
          }),
          "NameTaken",
          () => installAs(wanted, entry, envValues, number + 1),
        );

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
        const entry = (yield* catalog.all).find((entry) => ClientServer.isOf(client, entry));
        if (entry === undefined) {
          return skip("notInCatalogue", "No catalog entry has this package or URL.");
        }
        const { ignored, values } = valuesFor(client, entry);
        const empty = Object.keys(values).filter((name) => isPlaceholder(values[name] ?? ""));
        const envValues = Object.fromEntries(
          Object.entries(values)
            .filter(([name]) => !empty.includes(name))
            .map(([name, value]) => [name, Redacted.make(value)]),
        );
        return yield* installAs(Naming.fit(name, entry.id), entry, envValues).pipe(
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
            ForbiddenPath: (error) => Effect.succeed(skip("forbiddenPath", error.message)),
            RuntimeMissing: ({ runtime }) =>
              Effect.succeed(skip("runtimeMissing", `This host has no ${runtime}.`)),
            InvalidRequest: ({ errors }) =>
              Effect.succeed(
                skip(
                  "invalid",
                  `These values are invalid: ${errors.map(({ path }) => path).join(", ")}.`,
                ),
              ),
          }),
          // The entry comes from the catalog, and no earlier request had the same idempotency key.
          Effect.catchTags({
            UnknownReference: Effect.die,
            NotFound: Effect.die,
            NameTaken: Effect.die,
            IdempotencyMismatch: Effect.die,
          }),
        );
      });

      const install = Span.fn("Imports.install")(
        function* (input: typeof ImportDocument.Encoded) {
          yield* Principal.requireUnbound("Admin");
          const document = yield* decode(input);
          if (isServerJson(document)) return [yield* createEntry(document)];
          const { mcpServers, servers, toml } = document;
          const named = mcpServers ?? servers ?? (yield* inToml(toml ?? ""));
          return yield* Effect.forEach(Object.entries(named), ([name, server]) =>
            one(name, server),
          );
        },
        Effect.provideService(Idempotency.CurrentRequest, null),
      );

      return Imports.of({ install });
    }),
  );
}

const decodeToml = Schema.decodeUnknownEffect(
  Schema.Struct({ mcp_servers: Schema.Record(Schema.String, Schema.Unknown) }),
);

/** The servers of Codex's configuration. */
const inToml = (text: string) =>
  Effect.fromResult(Toml.parse(text)).pipe(
    Effect.mapError(({ message }) => {
      // The parser's message may contain a value from the text.
      const [where = "it ends too early or is nested too deeply"] =
        /line \d+, column \d+$/.exec(message) ?? [];
      return InvalidRequest.at("toml", `is not TOML: look at ${where}`);
    }),
    Effect.flatMap((parsed) =>
      Effect.mapError(decodeToml(parsed), () =>
        InvalidRequest.at("toml", "has no table [mcp_servers.NAME]"),
      ),
    ),
    Effect.map(({ mcp_servers }) => mcp_servers),
  );

const isServerJson = (document: ImportDocument): document is ServerJson => "name" in document;

/** Returns whether the client fills the value in later, from its user or its environment. */
const isPlaceholder = (value: string): boolean => value === "" || /\$\{[^}]*\}/.test(value);

const remarks = (ignored: number, open: ReadonlyArray<string>): string | null => {
  const notes = [
    open.length > 0 && `Without a value: ${open.join(", ")}.`,
    ignored > 0 &&
      `The catalog entry does not use ${ignored} of the server's arguments or headers. They were ignored.`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : notes.join(" ");
};
