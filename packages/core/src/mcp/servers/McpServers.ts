import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import type {
  InvalidRequest,
  LimitExceeded,
  NotFound,
  PreconditionFailed,
  StorageError,
  UnknownReference,
} from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import type * as Page from "../../Page.ts";
import type { AccessEntry, AccessUpdate } from "../AccessEntry.ts";
import type {
  GivenInstall,
  GivenUpdate,
  InstalledServer,
  VerifyResult,
} from "../InstalledServer.ts";
import type {
  ForbiddenPath,
  MissingEnv,
  NameTaken,
  SandboxMissing,
  UnknownEnv,
  VerificationFailed,
} from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import type { ServerTool, ToolAcceptance, ToolNames } from "../Tool.ts";
import { PinnedTools } from "../tools/PinnedTools.ts";
import * as Accepting from "./internal/Accepting.ts";
import * as Enabling from "./internal/Enabling.ts";
import * as Granting from "./internal/Granting.ts";
import { Installing, type InstallRefusal } from "./internal/Installing.ts";
import * as ServerRows from "./internal/ServerRows.ts";
import * as Updating from "./internal/Updating.ts";
import * as Verifying from "./internal/Verifying.ts";

type Call<A, E = never> = Effect.Effect<
  A,
  Forbidden | StorageError | E,
  Principal.CurrentPrincipal
>;

/**
 * Installed MCP servers. Every operation requires an Admin whose key is not bound to projects.
 * Values of variables may be given as strings or as `Redacted` strings, and are never returned.
 */
export class McpServers extends Context.Service<
  McpServers,
  {
    /** Lists all servers, oldest first. */
    readonly list: Call<ReadonlyArray<InstalledServer>>;
    get(serverId: string): Call<InstalledServer, NotFound>;
    /**
     * Installs a catalog entry: disabled, and without access for any agent.
     *
     * @example
     * ```ts
     * import { McpServers } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const servers = yield* McpServers.McpServers;
     *   const server = yield* servers.install({
     *     catalogId: "time",
     *     name: "clock",
     *   });
     *   return [server.name, server.status]; // ["clock","disabled"]
     * });
     * ```
     */
    install(input: typeof GivenInstall.Encoded): Call<InstalledServer, InstallRefusal>;
    /**
     * Changes values and the name, or updates the server to the catalog's version if its
     * verification succeeds.
     */
    update(
      serverId: string,
      input: typeof GivenUpdate.Encoded,
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
     * Opens a fresh connection, once, and lists the tools. With `accept`, accepts the tools that
     * have not changed since the last recorded list; a `toolsDigest` that is no longer current
     * fails. If the server is changed, enabled or disabled in the meantime, the result reports that
     * and is not stored. Interrupting a caller does not stop the verification. Concurrent calls
     * without `accept` share one verification.
     */
    verify(
      serverId: string,
      options?: Verifying.VerifyOptions,
    ): Call<VerifyResult, NotFound | PreconditionFailed | SandboxMissing>;
    /**
     * Starts a verification like `verify`, and returns the server without waiting:
     * `lastVerification` gets the result, and the event `mcp.verified` reports it.
     */
    startVerify(
      serverId: string,
      options?: Verifying.VerifyOptions,
    ): Call<InstalledServer, NotFound | PreconditionFailed | SandboxMissing>;
    /** Enables the server and opens its connection in the background. */
    enable(serverId: string): Call<void, NotFound>;
    /** Disables the server. Returns when its processes are gone. */
    disable(serverId: string): Call<void, NotFound>;
    /**
     * Removes the server with its secrets, tools, access and folders. Returns when its processes
     * are gone, processes of verifies included.
     */
    uninstall(serverId: string): Call<void, NotFound>;
    /** Lists the server's tools in its order, with their accepted and current definitions. */
    tools(serverId: string): Call<ReadonlyArray<ServerTool>, NotFound>;
    /**
     * Accepts tools by the digests that the caller saw, all or none. Returns the list of `tools`.
     */
    acceptTools(
      serverId: string,
      input: typeof ToolAcceptance.Encoded,
    ): Call<ReadonlyArray<ServerTool>, NotFound | InvalidRequest | PreconditionFailed>;
    /** Withholds tools in any state, including tools that the server has not listed yet. */
    blockTools(
      serverId: string,
      input: typeof ToolNames.Encoded,
    ): Call<ReadonlyArray<ServerTool>, NotFound | InvalidRequest | LimitExceeded>;
    unblockTools(
      serverId: string,
      input: typeof ToolNames.Encoded,
    ): Call<ReadonlyArray<ServerTool>, NotFound | InvalidRequest | LimitExceeded>;
    /** Lists one entry per registered agent, by agent id. */
    access(
      serverId: string,
      request?: Page.PageRequest,
    ): Call<Page.Page<AccessEntry>, NotFound | InvalidRequest>;
    /** Grants and revokes access in one transaction. The access of other agents does not change. */
    putAccess(
      serverId: string,
      input: typeof AccessUpdate.Encoded,
    ): Call<
      ReadonlyArray<AccessEntry>,
      NotFound | InvalidRequest | UnknownReference | LimitExceeded
    >;
  }
>()("@quartermaster/core/mcp/servers/McpServers") {
  static readonly layerNoDeps = Layer.effect(
    McpServers,
    Effect.gen(function* () {
      const rows = yield* ServerRows.make;
      const store = yield* McpServerStore;
      const pinned = yield* PinnedTools;
      const installing = yield* Installing;
      const { update } = yield* Updating.make;
      const { startVerify, verify } = yield* Verifying.make;
      const { disable, enable } = yield* Enabling.make;
      const { access, putAccess } = yield* Granting.make;
      const accepting = yield* Accepting.make;
      const admin = Principal.requireUnbound("Admin");

      /** Runs the operation for Admins. This is the only place that checks the role. */
      const forAdmins =
        <Args extends ReadonlyArray<unknown>, A, E, R>(
          operation: (...args: Args) => Effect.Effect<A, E, R>,
        ) =>
        (...args: Args) =>
          Effect.flatMap(admin, () => operation(...args));

      const list = Effect.withSpan(
        Effect.flatMap(store.list, Effect.forEach(rows.render)),
        "McpServers.list",
      );
      const get = Span.fn("McpServers.get")(function* (serverId: string) {
        return yield* rows.render(yield* rows.get(serverId));
      });
      const tools = Span.fn("McpServers.tools")(function* (serverId: string) {
        const server = yield* rows.get(serverId);
        return (yield* pinned.of(server)).tools;
      });

      return McpServers.of({
        list: Effect.andThen(admin, list),
        get: forAdmins(get),
        install: forAdmins(installing.install),
        update: forAdmins(update),
        verify: forAdmins(verify),
        startVerify: forAdmins(startVerify),
        enable: forAdmins(enable),
        disable: forAdmins(disable),
        uninstall: forAdmins(installing.uninstall),
        tools: forAdmins(tools),
        acceptTools: forAdmins(accepting.accept),
        blockTools: forAdmins(accepting.block),
        unblockTools: forAdmins(accepting.unblock),
        access: forAdmins(access),
        putAccess: forAdmins(putAccess),
      });
    }),
  );
}
