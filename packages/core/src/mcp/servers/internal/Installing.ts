import { Context, Effect, Layer } from "effect";
import type * as Principal from "../../../access/Principal.ts";
import {
  type IdempotencyMismatch,
  type InvalidRequest,
  type NotFound,
  type StorageError,
  UnknownReference,
} from "../../../CommonErrors.ts";
import { EffectStore } from "../../../effects/EffectStore.ts";
import * as Id from "../../../Id.ts";
import { Idempotency } from "../../../idempotency/Idempotency.ts";
import * as Input from "../../../Input.ts";
import * as Outcome from "../../../internal/Outcome.ts";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import { CallBodyStore } from "../../CallBodyStore.ts";
import * as CallSettings from "../../CallSettings.ts";
import { CatalogEntries } from "../../catalog/CatalogEntries.ts";
import type { CatalogEntry } from "../../CatalogEntry.ts";
import { GivenInstall, type InstalledServer } from "../../InstalledServer.ts";
import * as Instructions from "../../Instructions.ts";
import type { ForbiddenPath, MissingEnv, NameTaken, UnknownEnv } from "../../McpErrors.ts";
import { RuntimeMissing } from "../../McpErrors.ts";
import { McpOptions } from "../../McpOptions.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Once from "../../Once.ts";
import { RuntimeProbe } from "../../RuntimeProbe.ts";
import * as ServerLimits from "../../ServerLimits.ts";
import type { Changes } from "../../values/Values.ts";
import { Variables } from "../../values/Variables.ts";
import { ServerFiles } from "./ServerFiles.ts";
import * as ServerRows from "./ServerRows.ts";

export type InstallRefusal =
  | InvalidRequest
  | UnknownReference
  | UnknownEnv
  | MissingEnv
  | ForbiddenPath
  | RuntimeMissing
  | NameTaken
  | NotFound
  | IdempotencyMismatch
  | StorageError;

/** Installs and uninstalls servers. Callers check the role. */
export class Installing extends Context.Service<
  Installing,
  {
    install(
      input: typeof GivenInstall.Encoded,
    ): Effect.Effect<InstalledServer, InstallRefusal, Principal.CurrentPrincipal>;
    uninstall(
      serverId: string,
    ): Effect.Effect<void, NotFound | StorageError, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/core/mcp/servers/internal/Installing") {
  static readonly layerNoDeps = Layer.effect(
    Installing,
    Effect.gen(function* () {
      const rows = yield* ServerRows.make;
      const store = yield* McpServerStore;
      const effects = yield* EffectStore;
      const bodies = yield* CallBodyStore;
      const catalog = yield* CatalogEntries;
      const variables = yield* Variables;
      const files = yield* ServerFiles;
      const probe = yield* RuntimeProbe;
      const idempotency = yield* Idempotency;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const defaults = yield* McpOptions;
      const decode = Input.decoder(GivenInstall);

      const requireRuntime = Effect.fnUntraced(function* ({ runtime, transport }: CatalogEntry) {
        if (transport !== "stdio" || runtime === "none") return;
        const report = yield* probe.detect;
        // Without pipx, Python creates the environment.
        const isDetected =
          report[runtime].detected || (runtime === "pipx" && report.python.detected);
        if (!isDetected) return yield* new RuntimeMissing({ runtime });
      });

      const insert = Effect.fnUntraced(function* (
        name: string,
        entry: CatalogEntry,
        settings: ServerLimits.ServerLimits & Once.OnceSettings & CallSettings.CallSettings,
      ) {
        const now = yield* Timestamp.now;
        return yield* store.insert({
          id: yield* newId("mcp"),
          name,
          entry,
          status: "disabled",
          formerStatus: "disabled",
          outage: null,
          lastVerification: null,
          known: false,
          hasResources: null,
          instructions: Instructions.none,
          toolsChanged: false,
          generation: 1,
          toolsVersion: 0,
          ...settings,
          createdAt: now,
          updatedAt: now,
        });
      });

      const install = Span.fn("McpServers.install")(function* (input: typeof GivenInstall.Encoded) {
        const { catalogId, envValues, name, ...given } = yield* decode(input);
        const entry = yield* Effect.catchTag(
          catalog.get(catalogId),
          "NotFound",
          () => new UnknownReference({ field: "catalogId", id: catalogId }),
        );
        const settings = {
          ...ServerLimits.change(given, null, defaults),
          ...Once.change(given, null),
          ...CallSettings.change(given, null, entry),
        };
        const changes: Changes = Object.fromEntries(
          Object.entries(envValues ?? {}).filter(([, value]) => value !== null),
        );
        // Checks inside `make`, so that a repeated request returns its server in any case.
        const requirements = yield* Outcome.ahead(
          Effect.andThen(variables.check(entry, changes, new Set()), requireRuntime(entry)),
        );
        const make = Effect.gen(function* () {
          yield* requirements;
          if (name != null) yield* rows.requireFree(name);
          const server = yield* insert(name ?? (yield* rows.freeName(entry.id)), entry, settings);
          yield* variables.put(server.id, changes);
          yield* rows.record("mcp.installed", server, { catalogId: entry.id });
          yield* rows.audit("server.installed", server);
          return yield* rows.render(server);
        });
        const find = (id: string) => Effect.flatMap(rows.get(id), rows.render);
        return yield* transact(idempotency.once({ make, find }));
      });

      const uninstall = Span.fn("McpServers.uninstall")(function* (serverId: string) {
        yield* rows.get(serverId);
        const removeBodies = bodies.removeOfServer(serverId, 100);
        const isLeft = { while: (count: number) => count > 0 };
        // Most of them ahead, so that no transaction is long.
        yield* Effect.repeat(transact(removeBodies), isLeft);
        yield* transact(
          Effect.gen(function* () {
            const server = yield* rows.get(serverId);
            yield* Effect.repeat(removeBodies, isLeft);
            yield* store.remove(serverId);
            yield* effects.wipeServer(serverId);
            yield* rows.record("mcp.uninstalled", server, { catalogId: server.entry.id });
            yield* rows.audit("server.uninstalled", server);
          }),
        );
        yield* files.remove(serverId);
      }, Effect.uninterruptible);

      return Installing.of({ install, uninstall });
    }),
  );
}
