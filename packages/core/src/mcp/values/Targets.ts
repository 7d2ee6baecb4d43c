import { Context, Effect, Layer, Redacted } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { SettingNames } from "../../SettingNames.ts";
import {
  fixedVariables,
  isStdio,
  type RemoteManifest,
  type StdioManifest,
  substitute,
  variablesIn,
} from "../CatalogEntry.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { isLoaderVariable } from "../LoaderVariables.ts";
import { ConnectorError, type Target } from "../McpConnector.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { PackageStore } from "../PackageStore.ts";
import { type Need, needOf } from "../Sandbox.ts";
import type { Changes, Values } from "./Values.ts";

/** The part of an installed server that decides how to reach it. */
export type Server = Pick<InstalledServerRow, "id" | "entry">;

export interface Overrides {
  /** The agent whose own process to start. Default: null, the process that all agents share. */
  readonly agentId?: string | null | undefined;
  /** Changes to the stored values that are not stored yet. */
  readonly changes?: Changes | undefined;
}

/** A server's target, and the values that were filled in. */
export interface Resolved {
  readonly values: Values;
  readonly target: Target;
}

/**
 * Decrypts the values of a server's variables and fills them into its entry. The result must not
 * outlive the scope of a connection.
 */
export class Targets extends Context.Service<
  Targets,
  {
    /**
     * Values are, in ascending order of precedence: the entry's defaults, stored values, and
     * `changes`. Prepares the package of a program. Fails with `badVariables` if a value cannot be
     * decrypted.
     */
    resolve(
      server: Server,
      overrides?: Overrides,
    ): Effect.Effect<Resolved, ConnectorError | StorageError>;
    /** Only the values. */
    values(server: Server): Effect.Effect<Values, ConnectorError | StorageError>;
  }
>()("@quartermaster/core/mcp/values/Targets") {
  static readonly layerNoDeps = Layer.effect(
    Targets,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const box = yield* SecretBox;
      const packages = yield* PackageStore;
      const { allowedPaths } = yield* SettingNames;

      const valuesOf = Effect.fnUntraced(function* ({ entry, id }: Server, changes: Changes) {
        const values = new Map<string, Redacted.Redacted<string>>();
        for (const variable of entry.envVars) {
          if (variable.default !== null) values.set(variable.name, Redacted.make(variable.default));
        }
        const declared = new Set(entry.envVars.map(({ name }) => name));
        for (const row of yield* store.secrets(id)) {
          if (!declared.has(row.name) || Object.hasOwn(changes, row.name)) continue;
          const value = yield* Effect.mapError(box.open(row, row), (error) =>
            badVariables(`The value of ${row.name} cannot be decrypted: ${error.message}`),
          );
          values.set(row.name, value);
        }
        for (const [name, value] of Object.entries(changes)) {
          if (value !== null) values.set(name, value);
        }
        return values;
      });

      /** The declared paths of one kind, with values. Omits a path whose variable has no value. */
      const pathsOf = (paths: ReadonlyArray<string>, values: Values, isOwn: boolean) =>
        Effect.forEach(
          paths.filter((path) => variablesIn(path).every((name) => inTheClear(values)(name))),
          Effect.fnUntraced(function* (path) {
            const filled = substitute(path, inTheClear(values));
            const isForbidden = yield* packages.isForbiddenPath(filled);
            if (!isAbsolute.test(filled) || (isForbidden && !isKernelFile.test(path))) {
              return yield* badVariables(
                `The sandbox path ${path} must become an absolute path outside the data directory and not above it.`,
              );
            }
            if (isOwn && !(yield* packages.isAllowedPath(filled))) {
              return yield* badVariables(
                `The sandbox path ${path} is not in a folder that ${allowedPaths} names. Add its folder there and restart the service.`,
              );
            }
            return filled;
          }),
        );

      const reachOf = Effect.fnUntraced(function* ({ isOwn, sandbox }: Need, values: Values) {
        if (sandbox === null) return null;
        const read = yield* pathsOf(sandbox.read, values, isOwn);
        return { ...sandbox, read, write: yield* pathsOf(sandbox.write, values, isOwn) };
      });

      const programTarget = Effect.fnUntraced(function* (
        server: Server,
        manifest: StdioManifest,
        values: Values,
        agentId: string | null,
      ): Effect.fn.Return<Target, ConnectorError> {
        const need = needOf(server.entry, manifest);
        const names = [
          ...Object.keys(manifest.env),
          ...server.entry.envVars.map(({ name }) => name),
        ];
        const loader = need.isOwn ? names.find(isLoaderVariable) : undefined;
        if (loader !== undefined) {
          return yield* badVariables(
            `The catalog entry has the variable ${loader}, which makes a loader or a runtime run other code. Remove it from the entry.`,
          );
        }
        const program = yield* packages.prepare(server.entry.runtime, manifest);
        const folder = yield* packages.folder(server.id, agentId);
        const fixed = Object.entries(fixedVariables(manifest, folder)).map(
          ([name, value]) => [name, Redacted.make(value)] as const,
        );
        return {
          ...need,
          transport: "stdio",
          command: program.command,
          args: [
            ...program.args.map((arg) => Redacted.make(arg)),
            ...manifest.args.map((arg) => Redacted.make(substitute(arg, inTheClear(values)))),
          ],
          env: Object.fromEntries([...fixed, ...values]),
          folder,
          files: program.files,
          sandbox: yield* reachOf(need, values),
        };
      });

      const resolve = Span.fn("Targets.resolve")(function* (
        server: Server,
        { agentId = null, changes = {} }: Overrides = {},
      ) {
        const { manifest, transport } = server.entry;
        const values = yield* valuesOf(server, changes);
        const target = isStdio(manifest)
          ? yield* programTarget(server, manifest, values, agentId)
          : remoteTarget(transport === "sse" ? "sse" : "http", manifest, values);
        return { values, target };
      });

      return Targets.of({ resolve, values: (server) => valuesOf(server, {}) });
    }),
  );
}

const badVariables = (message: string) =>
  new ConnectorError({ reason: "badVariables", message, sent: false });

const isAbsolute = /^(?:[/\\]|[A-Za-z]:[/\\])[^*]*$/;

/** A file that the entry itself names: a value never contains such a path. */
const isKernelFile = /^\/(?:proc|sys)\/[\w/]+$/;

const inTheClear =
  (values: Values) =>
  (name: string): string | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : Redacted.value(value);
  };

const remoteTarget = (
  transport: "http" | "sse",
  manifest: RemoteManifest,
  values: Values,
): Target => {
  const valueOf = inTheClear(values);
  const headers = Object.entries(manifest.headers).map(
    ([name, value]) => [name, Redacted.make(substitute(value, valueOf))] as const,
  );
  return {
    transport,
    url: Redacted.make(substitute(manifest.url, (name) => encodeURIComponent(valueOf(name) ?? ""))),
    headers: Object.fromEntries(headers),
  };
};
