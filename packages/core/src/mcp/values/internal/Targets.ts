import { Context, Effect, Layer, Redacted } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import { SecretBox } from "../../../secrets/SecretBox.ts";
import {
  type CatalogEntry,
  fixedVariables,
  isStdio,
  type RemoteManifest,
  substitute,
} from "../../CatalogEntry.ts";
import { ConnectorError, type Target } from "../../McpConnector.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { PackageStore } from "../../PackageStore.ts";
import type { Given } from "../Variables.ts";
import type { Values } from "./Scrubber.ts";

/** What is needed to reach a server: its entry and the values of its variables, in the clear. */
export class Targets extends Context.Service<
  Targets,
  {
    /**
     * The values of the server's variables, defaults included, with `given` in the place of those
     * that are kept. Fails with `badVariables` if one cannot be decrypted.
     */
    values(
      serverId: string,
      entry: CatalogEntry,
      given?: Given,
    ): Effect.Effect<Values, ConnectorError | StorageError>;
    /** Prepares the package, if there is one. */
    prepare(entry: CatalogEntry): Effect.Effect<void, ConnectorError>;
    /** Prepares the package, if there is one, and fills in the values. */
    make(
      server: { readonly id: string; readonly entry: CatalogEntry },
      values: Values,
      agentId: string | null,
    ): Effect.Effect<Target, ConnectorError>;
  }
>()("@quartermaster/core/mcp/values/internal/Targets") {
  static readonly layerNoDeps = Layer.effect(
    Targets,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const box = yield* SecretBox;
      const packages = yield* PackageStore;

      const values = Span.fn("Targets.values")(function* (
        serverId: string,
        entry: CatalogEntry,
        given: Given = {},
      ) {
        const found = new Map<string, Redacted.Redacted<string>>();
        for (const variable of entry.envVars) {
          if (variable.default !== null) found.set(variable.name, Redacted.make(variable.default));
        }
        const declared = new Set(entry.envVars.map(({ name }) => name));
        for (const row of yield* store.secrets(serverId)) {
          if (!declared.has(row.name) || Object.hasOwn(given, row.name)) continue;
          const value = yield* Effect.mapError(
            box.open(row, row),
            (error) =>
              new ConnectorError({
                reason: "badVariables",
                message: `The value of ${row.name} cannot be decrypted: ${error.message}`,
                sent: false,
              }),
          );
          found.set(row.name, value);
        }
        for (const [name, value] of Object.entries(given)) {
          if (value !== null) found.set(name, Redacted.make(value));
        }
        return found;
      });

      const prepare = ({ runtime, manifest }: CatalogEntry) =>
        isStdio(manifest) ? Effect.asVoid(packages.prepare(runtime, manifest)) : Effect.void;

      const make = Span.fn("Targets.make")(function* (
        server: { readonly id: string; readonly entry: CatalogEntry },
        variables: Values,
        agentId: string | null,
      ) {
        const { manifest, runtime, transport } = server.entry;
        if (!isStdio(manifest)) {
          return remote(transport === "sse" ? "sse" : "http", manifest, variables);
        }
        const program = yield* packages.prepare(runtime, manifest);
        const folder = yield* packages.folder(server.id, agentId);
        const fixed = Object.entries(fixedVariables(manifest, folder)).map(
          ([name, value]) => [name, Redacted.make(value)] as const,
        );
        const target: Target = {
          transport: "stdio",
          command: program.command,
          args: [
            ...program.args.map((arg) => Redacted.make(arg)),
            ...manifest.args.map((arg) => Redacted.make(substitute(arg, plain(variables)))),
          ],
          env: Object.fromEntries([...fixed, ...variables]),
          folder,
        };
        return target;
      });

      return Targets.of({ values, prepare, make });
    }),
  );
}

const plain =
  (values: Values) =>
  (name: string): string | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : Redacted.value(value);
  };

const remote = (transport: "http" | "sse", manifest: RemoteManifest, values: Values): Target => {
  const valueOf = plain(values);
  const headers = Object.entries(manifest.headers).map(
    ([name, value]) => [name, Redacted.make(substitute(value, valueOf))] as const,
  );
  return {
    transport,
    url: Redacted.make(substitute(manifest.url, (name) => encodeURIComponent(valueOf(name) ?? ""))),
    headers: Object.fromEntries(headers),
  };
};
