import { Clock, Context, Deferred, Effect, Exit, Layer } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Span from "../../../internal/Span.ts";
import type { CatalogEntry } from "../../CatalogEntry.ts";
import { Connections, notListed } from "../../connections/Connections.ts";
import type { VerifyResult } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import { McpOptions } from "../../McpOptions.ts";
import * as ServerEvents from "../../ServerEvents.ts";
import type { ToolDefinition } from "../../Tool.ts";
import type { Values } from "../../values/internal/Scrubber.ts";
import { Targets } from "../../values/internal/Targets.ts";

/** What a verify found, with the tools' definitions if it found any. */
export interface Verification {
  readonly result: VerifyResult;
  readonly tools: ReadonlyArray<ToolDefinition> | null;
}

/** A verify that is under way, and how it is ended. */
interface UnderWay {
  readonly serverId: string;
  readonly cut: Deferred.Deferred<Verification>;
}

const failed = (details: string): Verification => ({
  result: { status: "error", details },
  tools: null,
});

const uninstalled = failed("The server was uninstalled meanwhile.");

/** Starts a server afresh, once, and looks whether it answers as it should. */
export class Verifier extends Context.Service<
  Verifier,
  {
    /** With the stored values of its variables, or with these. It ends if the server is uninstalled. */
    verify(
      server: { readonly id: string; readonly entry: CatalogEntry },
      values?: Values,
    ): Effect.Effect<Verification, StorageError>;
  }
>()("@quartermaster/core/mcp/servers/internal/Verifier") {
  static readonly layerNoDeps = Layer.effect(
    Verifier,
    Effect.gen(function* () {
      const connections = yield* Connections;
      const targets = yield* Targets;
      const { verifySeconds } = yield* McpOptions;

      const events = yield* EventLog;
      const underWay = new Set<UnderWay>();

      yield* ServerEvents.follow(events, ["mcp.uninstalled"], ({ subjectId }) =>
        Effect.sync(() => {
          for (const { cut, serverId } of underWay) {
            if (serverId === subjectId) Deferred.doneUnsafe(cut, Exit.succeed(uninstalled));
          }
        }),
      );

      const attempt = Span.fn("Verifier.verify")(
        function* (
          server: { readonly id: string; readonly entry: CatalogEntry },
          given?: Values,
        ): Effect.fn.Return<Verification, StorageError | ConnectorError> {
          const values = given ?? (yield* targets.values(server.id, server.entry));
          // The package has its own time limit; the answer's begins when it is there.
          yield* targets.prepare(server.entry);
          return yield* Effect.gen(function* () {
            const started = yield* Clock.currentTimeMillis;
            const connection = yield* connections.open(server, values, null);
            const tools = yield* Effect.timeoutOrElse(connection.listTools, {
              duration: Math.max(0, verifySeconds * 1_000 - connection.connectMillis),
              orElse: () => notListed(verifySeconds),
            });
            const millis = (yield* Clock.currentTimeMillis) - started;
            const capabilities = tools.map(({ name }) => name);
            const count = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
            const details = `Answered in ${millis} ms with ${count}.`;
            return { result: { status: "ok" as const, details, capabilities }, tools };
          }).pipe(Effect.scoped);
        },
        Effect.catchTag("ConnectorError", (error) => Effect.succeed(failed(error.message))),
      );

      const verify: Verifier["Service"]["verify"] = (server, values) =>
        Effect.suspend(() => {
          const one: UnderWay = { serverId: server.id, cut: Deferred.makeUnsafe() };
          underWay.add(one);
          return Effect.raceFirst(attempt(server, values), Deferred.await(one.cut)).pipe(
            Effect.ensuring(Effect.sync(() => underWay.delete(one))),
          );
        });

      return Verifier.of({ verify });
    }),
  );
}
