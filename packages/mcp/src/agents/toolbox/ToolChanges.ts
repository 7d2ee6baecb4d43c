import {
  EventLog,
  Principal,
  PromptGateway,
  ResourceGateway,
  Tool,
  ToolGateway,
} from "@quartermaster/core";
import { Context, Effect, FiberHandle, Layer, Queue, Schedule, Stream } from "effect";

type List = ReadonlyArray<ToolGateway.NamedTool>;
type Servers = ReadonlyArray<readonly [serverId: string, generation: number]>;

/** The list that changed. */
export type Kind = "prompts" | "resources" | "tools";
type Listener = (kind: Kind) => void;

/** An agent whose lists are watched. */
interface Watched {
  /** The last known tools; null if they could not be read. */
  tools: List | null;
  /** The last known prompts; null if they could not be read. */
  prompts: List | null;
  /** The servers whose resources the agent may list; null if they could not be read. */
  servers: Servers | null;
  readonly listeners: Set<Listener>;
}

/** Event kinds that may change a list. Events of other nodes count. */
const kinds = [
  "agent.deleted",
  "mcp.accessChanged",
  "mcp.enabled",
  "mcp.disabled",
  "mcp.toolsChanged",
  "mcp.uninstalled",
  "mcp.updated",
  "mcp.failed",
  "mcp.recovered",
  "mcp.verified",
];

/**
 * A newly enabled server may list its tools only after its first connection, which emits no event.
 * The poll uses exponential backoff.
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

const sameServers = (a: Servers, b: Servers): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a list may have changed. True if either version is unknown. */
const differs = <A>(before: A | null, after: A | null, same: (a: A, b: A) => boolean): boolean =>
  before === null || after === null || !same(before, after);

/** Notifies listeners when an agent's tools, prompts or resources have changed. */
export class ToolChanges extends Context.Service<
  ToolChanges,
  {
    /** Reads the agent's lists as the baseline for later changes. */
    note(agentId: string): Effect.Effect<void>;
    /** Returns a function that stops listening. */
    listen(agentId: string, listener: (kind: Kind) => void): () => void;
  }
>()("@quartermaster/mcp/agents/toolbox/ToolChanges") {
  static readonly layer = Layer.effect(
    ToolChanges,
    Effect.gen(function* () {
      const gateway = yield* ToolGateway.ToolGateway;
      const prompts = yield* PromptGateway.PromptGateway;
      const resources = yield* ResourceGateway.ResourceGateway;
      const log = yield* EventLog.EventLog;
      const agents = new Map<string, Watched>();
      const bell = yield* Queue.sliding<void>(1);
      const poll = yield* FiberHandle.make();

      const listsOf = (agentId: string) =>
        Effect.all({
          tools: Effect.orElseSucceed(gateway.usable(agentId), (): List | null => null),
          prompts: Effect.orElseSucceed(prompts.list(agentId), (): List | null => null),
          servers: Effect.orElseSucceed(resources.servers(agentId), (): Servers | null => null),
        });

      const notify = ({ listeners }: Watched, kind: Kind) => {
        for (const listener of listeners) listener(kind);
      };

      const compare = Effect.fnUntraced(function* (agentId: string, watched: Watched) {
        if (watched.listeners.size === 0) {
          agents.delete(agentId);
          return;
        }
        const { prompts, servers, tools } = watched;
        Object.assign(watched, yield* listsOf(agentId));
        if (differs(tools, watched.tools, same)) notify(watched, "tools");
        if (differs(prompts, watched.prompts, same)) notify(watched, "prompts");
        if (differs(servers, watched.servers, sameServers)) notify(watched, "resources");
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
        Stream.tapError((error) => Effect.logWarning("Cannot follow changes of tools", error)),
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

      yield* resources.changed.pipe(
        Stream.runForEach((serverId) =>
          Effect.sync(() => {
            for (const watched of agents.values()) {
              const sees = watched.servers?.some(([id]) => id === serverId) ?? true;
              if (sees) notify(watched, "resources");
            }
          }),
        ),
        Effect.forkScoped,
      );

      const unread = (): Watched => ({
        tools: null,
        prompts: null,
        servers: null,
        listeners: new Set(),
      });

      const note = Effect.fnUntraced(function* (agentId: string) {
        if (agents.has(agentId)) return;
        const watched = unread();
        agents.set(agentId, watched);
        const { prompts, servers, tools } = yield* listsOf(agentId);
        watched.tools ??= tools;
        watched.prompts ??= prompts;
        watched.servers ??= servers;
      });

      const listen = (agentId: string, listener: Listener) => {
        const watched = agents.get(agentId) ?? unread();
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
