import { Context, Effect, Layer, Option } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import {
  type IdempotencyMismatch,
  type NotFound,
  type StorageError,
  getOrNotFound,
  InvalidRequest,
  UnknownReference,
} from "../../CommonErrors.ts";
import type { AdminEventKind } from "../../events/Event.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Id from "../../Id.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { Catalog } from "../catalog/Catalog.ts";
import { type CatalogEntry, isStdio, type StdioManifest } from "../CatalogEntry.ts";
import { Connections } from "../connections/Connections.ts";
import { type Observation, Pins } from "../connections/internal/Pins.ts";
import {
  type AccessEntry,
  AccessUpdate,
  type InstalledServer,
  type InstalledServerRow,
  ServerInstall,
  ServerUpdate,
  type VerifyResult,
} from "../InstalledServer.ts";
import type { ForbiddenPath, MissingEnv, UnknownEnv } from "../McpErrors.ts";
import { NameTaken, RuntimeMissing, VerificationFailed } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { PackageStore } from "../PackageStore.ts";
import { RuntimeProbe } from "../RuntimeProbe.ts";
import { canonical, type ServerTool, stateOf } from "../Tool.ts";
import { Targets } from "../values/internal/Targets.ts";
import { type Given, Variables } from "../values/Variables.ts";
import { type Verification, Verifier } from "./internal/Verifier.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | StorageError;
type Call<A, E = never> = Effect.Effect<A, Denied | E, CurrentPrincipal>;

/** Installed MCP servers, from installing to uninstalling. Installing grants nobody anything. */
export class McpServers extends Context.Service<
  McpServers,
  {
    /** Oldest first. */
    readonly list: Call<ReadonlyArray<InstalledServer>>;
    get(serverId: string): Call<InstalledServer, NotFound>;
    install(
      input: typeof ServerInstall.Encoded,
    ): Call<
      InstalledServer,
      | InvalidRequest
      | UnknownReference
      | UnknownEnv
      | MissingEnv
      | ForbiddenPath
      | RuntimeMissing
      | NameTaken
      | NotFound
      | IdempotencyMismatch
    >;
    update(
      serverId: string,
      input: typeof ServerUpdate.Encoded,
    ): Call<
      InstalledServer,
      | NotFound
      | InvalidRequest
      | UnknownReference
      | UnknownEnv
      | MissingEnv
      | ForbiddenPath
      | NameTaken
      | VerificationFailed
    >;
    /**
     * Starts it afresh, once. With `accept`, its tools are accepted as they are. If the server is
     * changed, enabled or disabled meanwhile, the result says so and is not kept.
     */
    verify(
      serverId: string,
      options?: { readonly accept?: boolean | undefined },
    ): Call<VerifyResult, NotFound>;
    enable(serverId: string): Call<void, NotFound>;
    disable(serverId: string): Call<void, NotFound>;
    uninstall(serverId: string): Call<void, NotFound>;
    tools(serverId: string): Call<ReadonlyArray<ServerTool>, NotFound>;
    /** One entry per registered agent, by agent id. */
    access(serverId: string): Call<ReadonlyArray<AccessEntry>, NotFound>;
    /** Agents that are not named keep their access. One transaction. */
    putAccess(
      serverId: string,
      input: typeof AccessUpdate.Encoded,
    ): Call<ReadonlyArray<AccessEntry>, NotFound | InvalidRequest | UnknownReference>;
  }
>()("@quartermaster/core/mcp/servers/McpServers") {
  static readonly layerNoDeps = Layer.effect(
    McpServers,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const catalog = yield* Catalog;
      const variables = yield* Variables;
      const verifier = yield* Verifier;
      const pins = yield* Pins;
      const connections = yield* Connections;
      const packages = yield* PackageStore;
      const probe = yield* RuntimeProbe;
      const targets = yield* Targets;
      const agents = yield* Agents;
      const events = yield* EventLog;
      const idempotency = yield* Idempotency;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const decodeInstall = Input.decoder(ServerInstall);
      const decodeUpdate = Input.decoder(ServerUpdate);
      const decodeAccess = Input.decoder(AccessUpdate);

      const admin = Principal.requireUnbound("Admin");
      const row = (id: string) => getOrNotFound("installedServer", id, store.get(id));

      const record = (
        kind: typeof AdminEventKind.Type,
        server: Pick<InstalledServerRow, "id" | "name">,
        data: Readonly<Record<string, unknown>> = {},
      ) =>
        Effect.flatMap(Principal.CurrentPrincipal, (principal) =>
          events.record([
            {
              kind,
              projectId: null,
              relatedProjectId: null,
              subjectId: server.id,
              actor: Principal.actorOf(principal),
              data: { name: server.name, ...data },
            },
          ]),
        );

      const render = Effect.fnUntraced(function* (server: InstalledServerRow) {
        const set = yield* variables.names(server.id);
        const { entry } = server;
        const listed = Option.getOrNull(yield* Effect.option(catalog.get(entry.id)));
        return {
          id: server.id,
          name: server.name,
          catalogId: entry.id,
          transport: entry.transport,
          status: server.status,
          version: versionOf(entry),
          updateAvailable: listed !== null && versionOf(listed) !== versionOf(entry),
          lastVerification: server.lastVerification,
          env: entry.envVars.map(({ name }) => ({ name, isSet: set.has(name) })),
          toolsChanged: server.toolsChanged,
          createdAt: server.createdAt,
          updatedAt: server.updatedAt,
        };
      });

      const freeName = Effect.fnUntraced(function* (wanted: string | null, entryId: string) {
        if (wanted !== null) {
          if (Option.isNone(yield* store.getByName(wanted))) return wanted;
          return yield* new NameTaken({ serverName: wanted });
        }
        for (let number = 1; ; number++) {
          const suffix = number === 1 ? "" : `-${number}`;
          const name = `${entryId.slice(0, 32 - suffix.length)}${suffix}`;
          if (Option.isNone(yield* store.getByName(name))) return name;
        }
      });

      const checkRuntime = Effect.fnUntraced(function* ({ runtime, transport }: CatalogEntry) {
        if (transport !== "stdio" || runtime === "none") return;
        const report = yield* probe.detect;
        if (!report[runtime].detected) return yield* new RuntimeMissing({ runtime });
      });

      const get = Span.fn("McpServers.get")(function* (serverId: string) {
        yield* admin;
        return yield* render(yield* row(serverId));
      });

      const list = Effect.gen(function* () {
        yield* admin;
        return yield* Effect.forEach(yield* store.list, render);
      }).pipe(Effect.withSpan("McpServers.list"));

      const install = Span.fn("McpServers.install")(function* (
        input: typeof ServerInstall.Encoded,
      ) {
        yield* admin;
        const body = yield* decodeInstall(input);
        const entry = yield* Effect.catchTag(
          catalog.get(body.catalogId),
          "NotFound",
          () => new UnknownReference({ field: "catalogId", id: body.catalogId }),
        );
        const given = present(body.envValues ?? {});
        const checked = yield* Effect.exit(
          Effect.andThen(variables.check(entry, given, new Set()), checkRuntime(entry)),
        );
        const make = Effect.gen(function* () {
          yield* checked;
          const name = yield* freeName(body.name ?? null, entry.id);
          const now = yield* Timestamp.now;
          const server = yield* store.insert({
            id: yield* newId("mcp"),
            name,
            entry,
            status: "disabled",
            formerStatus: "disabled",
            lastVerification: null,
            known: false,
            toolsChanged: false,
            generation: 1,
            toolsVersion: 0,
            createdAt: now,
            updatedAt: now,
          });
          yield* variables.keep(server.id, given);
          yield* record("mcp.installed", server, { catalogId: entry.id });
          return yield* render(server);
        });
        return yield* transact(idempotency.once({ make, find: get }));
      });

      /** Verifies a move to the catalogue's entry with what its variables would be. */
      const verifyMove = Effect.fnUntraced(function* (
        server: InstalledServerRow,
        entry: CatalogEntry,
        given: Given,
      ) {
        const values = yield* Effect.catchTag(
          targets.values(server.id, entry, given),
          "ConnectorError",
          (error) => refuseMove({ status: "error", details: error.message }),
        );
        const verification = yield* verifier.verify({ id: server.id, entry }, values);
        // An uninstall ends it, too.
        yield* row(server.id);
        if (verification.result.status === "error") return yield* refuseMove(verification.result);
        return verification;
      });

      /** Entries that servers are moved to: no server has them yet, and they need their packages. */
      const moves = new Set<Pick<CatalogEntry, "manifest">>();

      const moveTo = <A, E, R>({ manifest }: CatalogEntry, move: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const one = { manifest };
          moves.add(one);
          return Effect.ensuring(
            move,
            Effect.sync(() => moves.delete(one)),
          );
        });

      const retainPackages = Effect.flatMap(store.list, (servers) =>
        packages.retain(
          [...servers.map(({ entry }) => entry), ...moves]
            .map(({ manifest }) => manifest)
            .filter(isStdioManifest),
        ),
      );

      const update = Span.fn("McpServers.update")(function* (
        serverId: string,
        input: typeof ServerUpdate.Encoded,
      ) {
        yield* admin;
        const body = yield* decodeUpdate(input);
        const given: Given = body.envValues ?? {};
        const before = yield* row(serverId);
        const listed =
          body.version === "catalog"
            ? yield* Effect.catchTag(
                catalog.get(before.entry.id),
                "NotFound",
                () => new UnknownReference({ field: "version", id: before.entry.id }),
              )
            : null;
        const isMove = listed !== null && canonical(listed) !== canonical(before.entry);
        const isChange =
          isMove || Object.keys(given).length > 0 || (body.name ?? before.name) !== before.name;
        if (!isChange) return yield* render(before);
        const checked = Effect.gen(function* () {
          const server = yield* row(serverId);
          const entry = listed ?? server.entry;
          yield* variables.check(entry, given, yield* variables.names(serverId));
          const name = body.name ?? server.name;
          if (name !== server.name) yield* freeName(name, entry.id);
          return { ...server, name, entry };
        });
        yield* checked;
        const apply = Effect.fnUntraced(function* (verification: Verification | null) {
          const server = yield* checked;
          const now = yield* Timestamp.now;
          const next = {
            ...(verification === null ? server : afterVerify(server, verification.result, now)),
            generation: server.generation + 1,
            updatedAt: now,
          };
          yield* store.update(next);
          yield* variables.keep(serverId, given);
          yield* record("mcp.updated", next, {
            version: versionOf(server.entry),
            variables: Object.keys(given),
          });
          if (verification?.tools != null) {
            yield* pins.observe(serverId, verification.tools, false);
          }
          return yield* render(yield* row(serverId));
        }, transact);
        const updated = isMove
          ? yield* moveTo(listed, Effect.flatMap(verifyMove(before, listed, given), apply))
          : yield* apply(null);
        yield* connections.drop(serverId);
        if (isMove) yield* retainPackages;
        return updated;
      });

      const verify = Span.fn("McpServers.verify")(function* (
        serverId: string,
        { accept = false }: { readonly accept?: boolean | undefined } = {},
      ) {
        yield* admin;
        const before = yield* row(serverId);
        const verification = yield* verifier.verify(before);
        return yield* Effect.gen(function* () {
          const { tools } = verification;
          const { generation } = yield* row(serverId);
          // What was verified is not there any more, and a later verify may have been of what is.
          if (generation !== before.generation) return outdated(verification.result);
          const observed = tools === null ? null : yield* pins.observe(serverId, tools, accept);
          const server = yield* row(serverId);
          const result =
            observed === null ? verification.result : withChanges(verification, observed);
          yield* store.update(afterVerify(server, result, yield* Timestamp.now));
          yield* record("mcp.verified", server, { status: result.status, details: result.details });
          return result;
        }).pipe(transact);
      });

      /** Brings the server to a status, and says so if it was another. */
      const turn = Effect.fnUntraced(function* (serverId: string, status: "enabled" | "disabled") {
        yield* admin;
        return yield* Effect.gen(function* () {
          const server = yield* row(serverId);
          if (server.status === status) return server;
          const next = {
            ...server,
            status,
            formerStatus: status,
            generation: server.generation + 1,
            updatedAt: yield* Timestamp.now,
          };
          yield* store.update(next);
          yield* record(status === "enabled" ? "mcp.enabled" : "mcp.disabled", next);
          return next;
        }).pipe(transact);
      });

      const enable = Span.fn("McpServers.enable")(function* (serverId: string) {
        yield* connections.warm(yield* turn(serverId, "enabled"));
      });

      const disable = Span.fn("McpServers.disable")(function* (serverId: string) {
        yield* turn(serverId, "disabled");
        yield* connections.drop(serverId);
      });

      const uninstall = Span.fn("McpServers.uninstall")(function* (serverId: string) {
        yield* admin;
        yield* Effect.gen(function* () {
          const server = yield* row(serverId);
          yield* store.remove(serverId);
          yield* record("mcp.uninstalled", server, { catalogId: server.entry.id });
        }).pipe(transact);
        yield* connections.drop(serverId);
        yield* packages.removeFolders(serverId);
        yield* retainPackages;
      }, Effect.uninterruptible);

      const tools = Span.fn("McpServers.tools")(function* (serverId: string) {
        yield* admin;
        yield* row(serverId);
        const rows = yield* store.tools(serverId);
        return rows.map(({ name, accepted, current }) => ({
          name,
          state: stateOf({ accepted, current }),
          accepted,
          current,
        }));
      });

      const access = Span.fn("McpServers.access")(function* (serverId: string) {
        yield* admin;
        yield* row(serverId);
        return yield* store.access(serverId);
      });

      const putAccess = Span.fn("McpServers.putAccess")(function* (
        serverId: string,
        input: typeof AccessUpdate.Encoded,
      ) {
        yield* admin;
        const { entries } = yield* decodeAccess(input);
        const named = entries.map(({ agentId }) => agentId);
        const once = new Set(named);
        const twice = named.findIndex((agentId) => !once.delete(agentId));
        if (twice >= 0) {
          return yield* InvalidRequest.at(
            `entries.${twice}.agentId`,
            "is named twice; name each agent once",
          );
        }
        // The host's directory may take its time: it is asked before the transaction.
        const admitted = yield* Effect.exit(
          Effect.forEach(named, (agentId) =>
            Effect.catchTag(
              agents.admit(agentId),
              "NotFound",
              () => new UnknownReference({ field: "entries.agentId", id: agentId }),
            ),
          ),
        );
        return yield* Effect.gen(function* () {
          const server = yield* row(serverId);
          for (const agentId of yield* admitted) yield* agents.ensure(agentId);
          const before = new Map(
            (yield* store.access(serverId)).map((entry) => [entry.agentId, entry]),
          );
          yield* store.putAccess(
            serverId,
            entries.map(({ agentId, granted, tools: given }) => ({
              agentId,
              granted,
              tools: !granted
                ? null
                : given === undefined
                  ? (before.get(agentId)?.tools ?? null)
                  : given,
            })),
          );
          yield* record("mcp.accessChanged", server, {
            agents: entries.map(({ agentId, granted }) => ({ agentId, granted })),
          });
          return yield* store.access(serverId);
        }).pipe(transact);
      });

      return McpServers.of({
        list,
        get,
        install,
        update,
        verify,
        enable,
        disable,
        uninstall,
        tools,
        access,
        putAccess,
      });
    }),
  );
}

const present = (given: Given): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null),
  );

const isStdioManifest = (manifest: CatalogEntry["manifest"]): manifest is StdioManifest =>
  isStdio(manifest);

const versionOf = ({ manifest }: CatalogEntry): string | null =>
  isStdio(manifest) ? manifest.version : null;

/** The server after a verify: in `error` if it failed, else what it was before any. */
const afterVerify = (
  server: InstalledServerRow,
  result: VerifyResult,
  now: string,
): InstalledServerRow => {
  const formerStatus = server.status === "error" ? server.formerStatus : server.status;
  return {
    ...server,
    formerStatus,
    status: result.status === "error" ? "error" : formerStatus,
    lastVerification: { ...result, verifiedAt: now },
    updatedAt: now,
  };
};

const refuseMove = (verification: VerifyResult) =>
  Effect.fail(new VerificationFailed({ verification }));

/** The result of a verify of a server that was changed, enabled or disabled meanwhile. */
const outdated = (result: VerifyResult): VerifyResult => ({
  ...result,
  details: `${result.details} The server was changed meanwhile, so this was not kept: verify it again.`,
});

/** The result of a verify, with what it found changed. */
const withChanges = ({ result }: Verification, { withheld, gone }: Observation): VerifyResult => {
  const notes = [
    withheld.length > 0 &&
      `Changed or new since they were accepted, and withheld until a verify with accept=true: ${withheld.join(", ")}.`,
    gone.length > 0 && `Gone: ${gone.join(", ")}.`,
  ].filter((note) => note !== false);
  return { ...result, details: [result.details, ...notes].join(" ") };
};
