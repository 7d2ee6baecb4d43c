import { Context, Effect, Layer, Option } from "effect";
import { system } from "../../../Actor.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { canonical, observe, stateOf, type ToolDefinition, type ToolRow } from "../../Tool.ts";

/** What a look at a server's tools found, by the tools' names. */
export interface Observation {
  /** Changed or new since the last acceptance: withheld. */
  readonly withheld: ReadonlyArray<string>;
  readonly gone: ReadonlyArray<string>;
}

const named = (rows: ReadonlyArray<ToolRow>, ...states: ReadonlyArray<string>) =>
  rows.filter((row) => states.includes(stateOf(row))).map(({ name }) => name);

export const observationOf = (rows: ReadonlyArray<ToolRow>): Observation => ({
  withheld: named(rows, "changed", "new"),
  gone: named(rows, "gone"),
});

/** The pinned definitions of tools: what was accepted, and what the server says now. */
export class Pins extends Context.Service<
  Pins,
  {
    /**
     * Keeps what a server listed. Its first list ever is accepted, as any is with `accept`; what
     * differs from the last accepted one is withheld, and an event says so.
     */
    observe(
      serverId: string,
      listed: ReadonlyArray<ToolDefinition>,
      accept: boolean,
    ): Effect.Effect<Observation, StorageError>;
  }
>()("@quartermaster/core/mcp/connections/internal/Pins") {
  static readonly layerNoDeps = Layer.effect(
    Pins,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const events = yield* EventLog;
      const { transact } = yield* Transactor;

      const keep = Effect.fnUntraced(function* (
        server: InstalledServerRow,
        listed: ReadonlyArray<ToolDefinition>,
        accept: boolean,
      ) {
        const before = yield* store.tools(server.id);
        const after = observe(before, listed, accept || !server.known);
        const found = observationOf(after);
        const same = canonical(before) === canonical(after);
        const toolsChanged = found.withheld.length > 0;
        if (same && server.known && server.toolsChanged === toolsChanged) return found;
        if (!same) yield* store.putTools(server.id, after);
        yield* store.update({
          ...server,
          known: true,
          toolsChanged,
          toolsVersion: server.toolsVersion + (same ? 0 : 1),
          updatedAt: yield* Timestamp.now,
        });
        if (!same && (toolsChanged || server.known)) {
          yield* events.record([
            {
              kind: "mcp.toolsChanged",
              projectId: null,
              relatedProjectId: null,
              subjectId: server.id,
              actor: system,
              data: { name: server.name, ...found },
            },
          ]);
        }
        return found;
      });

      const observed = Span.fn("Pins.observe")(function* (
        serverId: string,
        listed: ReadonlyArray<ToolDefinition>,
        accept: boolean,
      ) {
        return yield* Effect.flatMap(store.get(serverId), (server) =>
          Option.isSome(server)
            ? keep(server.value, listed, accept)
            : Effect.succeed({ withheld: [], gone: [] }),
        ).pipe(transact);
      });

      return Pins.of({ observe: observed });
    }),
  );
}
