import { EventLog, Principal, Tool, ToolGateway } from "@quartermaster/core";
import { Context, Effect, FiberHandle, Layer, Queue, Schedule, Stream } from "effect";

type List = ReadonlyArray<ToolGateway.NamedTool>;

/** An agent whose list is watched. `list` is the last known one; null if it could not be read. */
interface Watched {
  list: List | null;
  readonly listeners: Set<() => void>;
}

/** Events of any node that may change a list. */
const kinds = [
  "agent.deleted",
  "mcp.accessChanged",
  "mcp.enabled",
  "mcp.disabled",
  "mcp.toolsChanged",
  "mcp.uninstalled",
  "mcp.updated",
  "mcp.failed",
  "mcp.verified",
];

/**
 * The tools of a newly enabled server may appear after its first connection, which emits no event.
 * They are polled for with exponential backoff.
 */
const polling = Schedule.exponential("100 millis", 1.5).pipe(
  Schedule.upTo({ duration: "10 minutes" }),
);

const same = (a: List, b: List): boolean =>
  a.length === b.length &&
  a.every((tool, index) => {
    const other = b[index];
    return (
      other !== undefined &&
      tool.name === other.name &&
      (tool.definition === other.definition ||
        Tool.canonical(tool.definition) === Tool.canonical(other.definition))
    );
  });

/** Notifies listeners when the list of an agent's tools has changed. */
export class ToolChanges extends Context.Service<
  ToolChanges,
  {
    /** Reads the agent's list, so that later changes are seen as changes. */
    note(agentId: string): Effect.Effect<void>;
    /** Returns how to stop listening. */
    listen(agentId: string, listener: () => void): () => void;
  }
>()("@quartermaster/mcp/tools/ToolChanges") {
  static readonly layer = Layer.effect(
    ToolChanges,
    Effect.gen(function* () {
      const gateway = yield* ToolGateway.ToolGateway;
      const log = yield* EventLog.EventLog;
      const agents = new Map<string, Watched>();
      const bell = yield* Queue.sliding<void>(1);
      const poll = yield* FiberHandle.make();

      const listOf = (agentId: string) =>
        Effect.orElseSucceed(gateway.usable(agentId), (): List | null => null);

      const compare = Effect.fnUntraced(function* (agentId: string, watched: Watched) {
        if (watched.listeners.size === 0) {
          agents.delete(agentId);
          return;
        }
        const before = watched.list;
        watched.list = yield* listOf(agentId);
        if (before !== null && watched.list !== null && same(before, watched.list)) return;
        for (const listener of watched.listeners) listener();
      });

      yield* Queue.take(bell).pipe(
        Effect.andThen(
          Effect.suspend(() =>
            Effect.forEach([...agents], ([agentId, watched]) => compare(agentId, watched), {
              discard: true,
            }),
          ),
        ),
        Effect.forever,
        Effect.forkScoped,
      );

      const changes = yield* log
        .subscribe({ filter: { kinds } })
        .pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system), Effect.orDie);
      yield* changes.pipe(
        Stream.tapError((error) => Effect.logWarning("Changes of tools cannot be followed", error)),
        Stream.retry(Schedule.spaced("1 second")),
        Stream.runForEach(
          Effect.fnUntraced(function* ({ kind }) {
            yield* Queue.offer(bell, undefined);
            if (kind !== "mcp.enabled") return;
            yield* FiberHandle.run(poll, Effect.repeat(Queue.offer(bell, undefined), polling));
          }),
        ),
        Effect.orDie,
        Effect.forkScoped,
      );

      const note = Effect.fnUntraced(function* (agentId: string) {
        if (agents.has(agentId)) return;
        const watched: Watched = { list: null, listeners: new Set() };
        agents.set(agentId, watched);
        const list = yield* listOf(agentId);
        watched.list ??= list;
      });

      const listen = (agentId: string, listener: () => void) => {
        const watched = agents.get(agentId) ?? { list: null, listeners: new Set() };
        agents.set(agentId, watched);
        watched.listeners.add(listener);
        return () => {
          watched.listeners.delete(listener);
        };
      };

      return ToolChanges.of({ note, listen });
    }),
  );
}
