import { Context, Effect, Layer, Option } from "effect";
import { system } from "../../Actor.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { Listing } from "../Definition.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Pinning from "../Pinning.ts";
import { canonical, type ToolRow, type ToolState } from "../Tool.ts";

/** What a look at a server's tools found, by the tools' names. */
export interface Observation {
  /** Changed or new since the last acceptance: withheld. */
  readonly withheld: ReadonlyArray<string>;
  readonly gone: ReadonlyArray<string>;
  /** Withheld, because clients could not read them. */
  readonly invalid: ReadonlyArray<string>;
}

const observationOf = (rows: ReadonlyArray<ToolRow>): Observation => {
  const named = (...states: ReadonlyArray<ToolState>) =>
    rows.filter((row) => states.includes(Pinning.stateOf(row))).map(({ name }) => name);
  return { withheld: named("changed", "new"), gone: named("gone"), invalid: named("invalid") };
};

/** The pinned definitions of tools: what was accepted, and what the server lists now. */
export class Pins extends Context.Service<
  Pins,
  {
    /** The server's tools, as this version judges them. */
    rows(serverId: string): Effect.Effect<ReadonlyArray<ToolRow>, StorageError>;
    /**
     * Stores what a server listed. Its first list ever is accepted. Of any other list, what differs from what
     * was accepted is withheld, and an event reports it. With `accept`, tools are accepted that are still as
     * they are in these rows, which the caller has seen.
     */
    observe(
      serverId: string,
      listing: Listing,
      accept?: ReadonlyArray<ToolRow>,
    ): Effect.Effect<Observation, StorageError>;
  }
>()("@quartermaster/core/mcp/tools/Pins") {
  static readonly layerNoDeps = Layer.effect(
    Pins,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const events = yield* EventLog;
      const { transact } = yield* Transactor;

      const rows = (serverId: string) =>
        Effect.map(store.tools(serverId), (stored) => stored.map(Pinning.judged));

      /** Stores the rows and what follows from them for the server. */
      const keep = Effect.fnUntraced(function* (
        server: InstalledServerRow,
        before: ReadonlyArray<ToolRow>,
        after: ReadonlyArray<ToolRow>,
      ) {
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
        if (!same && (server.known || found.invalid.length > 0)) {
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

      const observe = Span.fn("Pins.observe")(function* (
        serverId: string,
        listing: Listing,
        accept: ReadonlyArray<ToolRow> = [],
      ) {
        return yield* transact(
          Effect.gen(function* () {
            const server = Option.getOrNull(yield* store.get(serverId));
            if (server === null) return { withheld: [], gone: [], invalid: [] };
            const before = yield* rows(serverId);
            const listed = Pinning.observe(before, listing);
            const accepted = Pinning.unchanged(server.known ? accept : listed, listed);
            return yield* keep(server, before, Pinning.accept(listed, accepted));
          }),
        );
      });

      return Pins.of({ rows, observe });
    }),
  );
}
