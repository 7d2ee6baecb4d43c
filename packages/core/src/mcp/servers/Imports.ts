import { Context, Effect, Layer, Option, Redacted } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import type { InvalidRequest, StorageError } from "../../CommonErrors.ts";
import * as Idempotency from "../../idempotency/Idempotency.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import { CatalogEntries } from "../catalog/CatalogEntries.ts";
import type { CatalogEntry } from "../CatalogEntry.ts";
import { ClientConfiguration, type ImportResult, type SkipReason } from "../Import.ts";
import type { Changes } from "../values/Values.ts";
import * as ClientServer from "./internal/ClientServer.ts";
import { valuesFor } from "./internal/ClientValues.ts";
import { Installing } from "./internal/Installing.ts";

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
      const catalog = yield* CatalogEntries;
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
        const entry = (yield* catalog.all).find((entry) => ClientServer.isOf(client, entry));
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
            ForbiddenPath: (error) => Effect.succeed(skip("forbiddenPath", error.message)),
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
