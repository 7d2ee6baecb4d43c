import { Clock, Context, Deferred, Effect, Exit, Layer, Option } from "effect";
import type * as Principal from "../../../access/Principal.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import { type CatalogEntry, secretArguments } from "../../CatalogEntry.ts";
import { Connections, type GuardedConnection, notListed } from "../../connections/Connections.ts";
import type { InstalledServerRow, VerifyResult } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import { McpOptions } from "../../McpOptions.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { tokensOf } from "../../Tool.ts";
import type { ServerListing } from "../../untrusted/Definition.ts";
import type { Changes } from "../../values/Values.ts";
import { notesOf } from "./ListingNotes.ts";
import * as Preparing from "./Preparing.ts";

/** The result of a verification, with the list of tools; null if it failed. */
export interface Verification {
  readonly result: VerifyResult;
  readonly listing: ServerListing | null;
}

/** A verification in flight. */
interface InFlight {
  readonly serverId: string;
  readonly canceled: Deferred.Deferred<Verification>;
  /** Completes when the connection of the verification is closed. */
  readonly closed: Deferred.Deferred<void>;
}

const failed = (details: string): Verification => ({
  result: { status: "error", details, tokens: null },
  listing: null,
});

/** Warnings for an Admin about an entry that works. */
const warnings = (entry: CatalogEntry): ReadonlyArray<string> => {
  const exposed = secretArguments(entry);
  return exposed.length === 0
    ? []
    : [
        `Every user of this host can read ${exposed.join(", ")} in the process list, because the entry passes it as an argument. Pass it in the environment instead.`,
      ];
};

const uninstalled = failed("The server was uninstalled during the verify.");

type Server = Pick<InstalledServerRow, "entry" | "id" | "name">;

/** Opens a fresh connection to a server, once, and lists its tools. */
export class Verifier extends Context.Service<
  Verifier,
  {
    /**
     * Verifies with the stored values and `changes` to them. The preparation of the package has its
     * own time limit. Fails the verification if the server is uninstalled on any node.
     */
    verify(
      server: Server,
      changes?: Changes,
    ): Effect.Effect<Verification, StorageError, Principal.CurrentPrincipal>;
    /**
     * Cancels the server's verifications on this node and waits until their connections are closed.
     */
    cancel(serverId: string): Effect.Effect<void>;
  }
>()("@quartermaster/core/mcp/servers/internal/Verifier") {
  static readonly layerNoDeps = Layer.effect(
    Verifier,
    Effect.gen(function* () {
      const connections = yield* Connections;
      const store = yield* McpServerStore;
      const prepare = yield* Preparing.make;
      const { verifySeconds } = yield* McpOptions;
      const inFlight = new Set<InFlight>();

      const attempt = Span.fn("Verifier.verify")(
        function* (
          server: Server,
          changes: Changes | undefined,
        ): Effect.fn.Return<
          Verification,
          StorageError | ConnectorError,
          Principal.CurrentPrincipal
        > {
          // From here on, an uninstall cancels this verification. If it came earlier, it removed
          // the row.
          if (Option.isNone(yield* store.get(server.id))) return uninstalled;
          yield* prepare(server);
          const listed = Effect.fnUntraced(function* (connection: GuardedConnection) {
            const started = yield* Clock.currentTimeMillis;
            const listing = yield* Effect.timeoutOrElse(connection.listTools, {
              duration: Math.max(0, verifySeconds * 1_000 - connection.connectMillis),
              orElse: () => notListed(verifySeconds),
            });
            const listMillis = (yield* Clock.currentTimeMillis) - started;
            const valid = listing.tools.flatMap(({ definition, problem }) =>
              definition === null || problem !== null ? [] : [definition],
            );
            const capabilities = valid.map(({ name }) => name);
            const tokens = valid.reduce((sum, definition) => sum + tokensOf(definition), 0);
            const count = `${capabilities.length} ${capabilities.length === 1 ? "tool" : "tools"}`;
            const answered = `Responded in ${connection.connectMillis + listMillis} ms with ${count}.`;
            const details = [answered, ...notesOf(listing), ...warnings(server.entry)].join(" ");
            return { result: { status: "ok" as const, details, capabilities, tokens }, listing };
          });
          return yield* connections.verify(server, changes, listed);
        },
        Effect.catchTag("ConnectorError", (error) => Effect.succeed(failed(error.message))),
      );

      const cancel = (serverId: string) =>
        Effect.suspend(() => {
          const canceled = [...inFlight].filter((verify) => verify.serverId === serverId);
          for (const verify of canceled) {
            Deferred.doneUnsafe(verify.canceled, Exit.succeed(uninstalled));
          }
          return Effect.forEach(canceled, ({ closed }) => Deferred.await(closed), {
            discard: true,
          });
        });

      const verify = (server: Server, changes?: Changes) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const started: InFlight = {
              serverId: server.id,
              canceled: Deferred.makeUnsafe(),
              closed: Deferred.makeUnsafe(),
            };
            inFlight.add(started);
            return started;
          }),
          ({ canceled }) => Effect.raceFirst(attempt(server, changes), Deferred.await(canceled)),
          (started) =>
            Effect.sync(() => {
              inFlight.delete(started);
              Deferred.doneUnsafe(started.closed, Exit.void);
            }),
        );

      return Verifier.of({ verify, cancel });
    }),
  );
}
