import { Context, Effect, Layer, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { type Actor, system } from "../../Actor.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import * as Instructions from "../Instructions.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { canonicalOf, type ToolRow, type ToolState } from "../Tool.ts";
import type { ServerListing } from "../untrusted/Definition.ts";
import * as Pinning from "../untrusted/Pinning.ts";

/** The differences in a server's lists, by the names of its tools and prompts. */
export interface Observation {
  /** Changed or new since the last acceptance: withheld. */
  readonly withheld: ReadonlyArray<string>;
  readonly gone: ReadonlyArray<string>;
  /** Withheld because clients could not read them. */
  readonly invalid: ReadonlyArray<string>;
  /** The state of the server's instructions, unless it has none or they are accepted. */
  readonly instructions?: "changed" | "new" | "gone";
}

const observationOf = (
  rows: ReadonlyArray<ToolRow>,
  instructions: Instructions.PinnedInstructions,
): Observation => {
  const state = Instructions.stateOf(instructions);
  const states = rows.map(Pinning.stateOf);
  const named = (...wanted: ReadonlyArray<ToolState>) =>
    rows
      .filter((_, index) => wanted.some((state) => state === states[index]))
      .map(({ name }) => name);
  return {
    withheld: named("changed", "new"),
    gone: named("gone"),
    invalid: named("invalid"),
    ...(state !== null && state !== "accepted" && { instructions: state }),
  };
};

const nothing: Observation = { withheld: [], gone: [], invalid: [] };

type Changed = Effect.Effect<Observation, StorageError, Principal.CurrentPrincipal>;

/** A person's decision about tools, with its name in the audit log. */
type Decision = "server.toolsAccepted" | "server.toolsBlocked" | "server.toolsUnblocked";

interface Cause {
  readonly actor: Actor;
  readonly data: Readonly<Record<string, unknown>>;
  readonly decision?: Decision;
}

/** The names of the rows whose accepted definition or block differs. */
const decided = (
  before: ReadonlyArray<ToolRow>,
  after: ReadonlyArray<ToolRow>,
): ReadonlyArray<string> => {
  const marks = (rows: ReadonlyArray<ToolRow>) =>
    new Map(
      rows.map((row) => [
        Pinning.keyOf(row),
        `${row.blocked} ${row.accepted === null ? "" : canonicalOf(row.accepted)}`,
      ]),
    );
  const [was, is] = [marks(before), marks(after)];
  const keys = new Set([...was.keys(), ...is.keys()]);
  return [...new Set(Pinning.namesOf([...keys].filter((key) => was.get(key) !== is.get(key))))];
};

/** The pinned definitions of tools and prompts: the accepted ones, and the ones that the server lists now. */
export class Pins extends Context.Service<
  Pins,
  {
    /** The server's tools and prompts, by the rules of this version. */
    rows(serverId: string): Effect.Effect<ReadonlyArray<ToolRow>, StorageError>;
    /**
     * Stores a server's lists. The server's first lists are accepted. In later lists, definitions
     * that differ from the accepted ones are withheld, and an event reports them.
     */
    observe(serverId: string, listing: ServerListing): Effect.Effect<Observation, StorageError>;
    /**
     * Accepts the stored definitions with these keys, except blocked and invalid ones, and the
     * instructions if requested.
     */
    accept(serverId: string, keys: ReadonlySet<string>, withInstructions: boolean): Changed;
    /** Blocks or unblocks the tools and prompts with these names, in any state. */
    block(serverId: string, names: ReadonlySet<string>, blocked: boolean): Changed;
  }
>()("@quartermaster/core/mcp/tools/Pins") {
  static readonly layerNoDeps = Layer.effect(
    Pins,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const events = yield* EventLog;
      const audit = yield* AuditLog;
      const { transact } = yield* Transactor;

      const rows = (serverId: string) =>
        Effect.map(store.tools(serverId), (stored) => stored.map(Pinning.judged));

      /**
       * Stores the rows, the instructions and the derived fields of the server, and reports them if
       * they differ.
       */
      const write = Effect.fnUntraced(function* (
        server: InstalledServerRow,
        before: ReadonlyArray<ToolRow>,
        after: ReadonlyArray<ToolRow>,
        instructions: Instructions.PinnedInstructions,
        cause: Cause | null,
      ) {
        const found = observationOf(after, instructions);
        const same =
          Pinning.areSame(before, after) && Instructions.areSame(server.instructions, instructions);
        const toolsChanged = found.withheld.length > 0 || Instructions.isWithheld(instructions);
        if (same && server.toolsChanged === toolsChanged) return found;
        if (!same) yield* store.putTools(server.id, after);
        yield* store.update({
          ...server,
          instructions,
          toolsChanged,
          toolsVersion: server.toolsVersion + (same ? 0 : 1),
          updatedAt: yield* Timestamp.now,
        });
        if (!same && cause !== null) {
          yield* events.record([
            {
              kind: "mcp.toolsChanged",
              projectId: null,
              relatedProjectId: null,
              subjectId: server.id,
              actor: cause.actor,
              data: { name: server.name, ...found, ...cause.data },
            },
          ]);
          if (cause.decision !== undefined) {
            const { actor, decision: action } = cause;
            const subject = { type: "server", id: server.id, name: server.name } as const;
            const isInstructed = server.instructions.accepted !== instructions.accepted;
            const changes = [...decided(before, after), ...(isInstructed ? ["instructions"] : [])];
            yield* audit.record([{ action, actor, subject, changes }]);
          }
        }
        return found;
      });

      const observe = Span.fn("Pins.observe")(function* (serverId: string, listing: ServerListing) {
        return yield* transact(
          Effect.gen(function* () {
            const stored = Option.getOrNull(yield* store.get(serverId));
            if (stored === null) return nothing;
            const { hasResources, instructions: current } = listing.greeting;
            const server = { ...stored, known: true, hasResources };
            if (!stored.known || stored.hasResources !== server.hasResources) {
              yield* store.update(server);
            }
            const before = yield* rows(serverId);
            const listed = Pinning.observe(before, listing);
            const reported = { actor: system, data: {} };
            const instructions = { ...stored.instructions, current };
            if (stored.known) return yield* write(server, before, listed, instructions, reported);
            const accepted = Pinning.accept(listed, new Set(listed.map(Pinning.keyOf)));
            const isWhole = listed.every(({ problem }) => problem === null);
            const trusted = Instructions.accept(instructions);
            return yield* write(server, before, accepted, trusted, isWhole ? null : reported);
          }),
        );
      });

      /** A change by the current principal. */
      const change = Effect.fnUntraced(function* (
        serverId: string,
        decision: Decision,
        data: Readonly<Record<string, unknown>>,
        f: (rows: ReadonlyArray<ToolRow>) => ReadonlyArray<ToolRow>,
        withInstructions = false,
      ) {
        const actor = Principal.actorOf(yield* Principal.CurrentPrincipal);
        return yield* transact(
          Effect.gen(function* () {
            const server = Option.getOrNull(yield* store.get(serverId));
            if (server === null) return nothing;
            const before = yield* rows(serverId);
            const instructions = withInstructions
              ? Instructions.accept(server.instructions)
              : server.instructions;
            return yield* write(server, before, f(before), instructions, {
              actor,
              data,
              decision,
            });
          }),
        );
      });

      return Pins.of({
        rows,
        observe,
        accept: (serverId, keys, withInstructions) =>
          change(
            serverId,
            "server.toolsAccepted",
            {
              accepted: Pinning.namesOf(keys),
              ...(withInstructions && { acceptedInstructions: true }),
            },
            (before) => Pinning.accept(before, keys),
            withInstructions,
          ),
        block: (serverId, names, blocked) =>
          change(
            serverId,
            blocked ? "server.toolsBlocked" : "server.toolsUnblocked",
            { [blocked ? "blocked" : "unblocked"]: [...names] },
            (before) => Pinning.block(before, names, blocked),
          ),
      });
    }),
  );
}
