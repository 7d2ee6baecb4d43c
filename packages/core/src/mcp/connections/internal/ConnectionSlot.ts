import { Deferred, Effect, Exit, Latch, Schema } from "effect";
import type { StorageError } from "../../../CommonErrors.ts";
import { isStdio } from "../../CatalogEntry.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ConnectorError } from "../../McpConnector.ts";
import type { GuardedConnection } from "./GuardedConnection.ts";

/**
 * A slot holds one connection to a server, from its first user until its process has exited.
 *
 * States
 * - **opening**: the connection is being opened and its tools are being listed. Users wait.
 * - **ready**: users call the server immediately.
 * - **checking**: the server announced that its tools changed, and they are being listed again. New
 *   users wait. Calls in flight continue.
 * - **draining**: the slot accepts no users. It waits for its last user, then closes.
 * - **closed**: the connection and its process are gone.
 *
 * Transitions
 *
 *     opening ── opened ──► ready ── announced ──► checking
 *        │                    │ ◄───── checked ──────┘ │
 *        └────── stopped ─────┴─────── stopped ────────┘
 *                                │
 *                                ▼
 *                            draining ── closed ──► closed
 *
 * A slot stops for one of three reasons:
 * - It is **unused** for the idle time, or its token is **stale**: its users finish their calls.
 * - It **failed**: the connection was lost, or could not be opened. Its users fail with the reason.
 * - It was **dropped**: the server was changed, disabled or uninstalled. Its users fail with
 *   `Dropped`, even in a slot that already drains.
 *
 * Invariants
 * 1. At most one slot of a key accepts users. Any number of others may drain.
 * 2. A state is never entered again after `draining`, so a stopped slot is never used again.
 * 3. No user reaches the server between an announcement and the end of the check that follows.
 * 4. The connection outlives its last user, so that calls can be canceled at the server.
 * 5. Every slot reaches `closed`. The caller that drops a server waits for that.
 */

export type State = "opening" | "ready" | "checking" | "draining" | "closed";
export type Event = "opened" | "announced" | "checked" | "stopped" | "closed";

const transitions: Record<State, Partial<Record<Event, State>>> = {
  opening: { opened: "ready", stopped: "draining" },
  ready: { announced: "checking", stopped: "draining" },
  checking: { checked: "ready", stopped: "draining" },
  draining: { closed: "closed" },
  closed: {},
};

/** The state after an event. Events that a state does not handle do not change it. */
export const transition = (state: State, event: Event): State => transitions[state][event] ?? state;

/** Whether the slot accepts users. */
export const isAvailable = (state: State): boolean =>
  state === "opening" || state === "ready" || state === "checking";

/** The server was changed, disabled or uninstalled while it was used, or before. */
export class Dropped extends Schema.TaggedError<Dropped>()("Dropped", {
  serverId: Schema.String,
}) {}

/** The reason why a connection cannot be used. */
export type Failure = ConnectorError | Dropped | StorageError;

/** Identifies a connection: to a server at a generation, of one agent, or (null) of all agents. */
export interface Key {
  readonly serverId: string;
  readonly generation: number;
  readonly agentId: string | null;
}

/** Whether each agent has its own process. */
export const isIsolated = ({ entry: { manifest } }: InstalledServerRow): boolean =>
  isStdio(manifest) && manifest.isolation === "agent";

export const keyOf = (server: InstalledServerRow, agentId: string | null): Key => ({
  serverId: server.id,
  generation: server.generation,
  agentId: isIsolated(server) ? agentId : null,
});

/** The unit that fails: the server, or one agent's own process of it. */
export const nameOf = ({ agentId, serverId }: Pick<Key, "agentId" | "serverId">): string =>
  JSON.stringify([serverId, agentId]);

/** A caller that uses a slot, and the way to interrupt it. */
export interface User {
  readonly fail: (failure: Failure) => void;
}

/** The state of a slot, and the signals that follow from it. */
export class ConnectionSlot {
  readonly key: Key;
  #state: State = "opening";
  readonly #users = new Set<User>();
  /**
   * The time at which the connection was opened or its last user left, in milliseconds since the
   * epoch.
   */
  #lastUsed = 0;
  readonly #connection = Deferred.makeUnsafe<GuardedConnection>();
  /** Open while the slot has no users. */
  readonly #unused = Latch.makeUnsafe(true);
  /** Open while the announced tools of the server are listed. */
  readonly #checked = Latch.makeUnsafe(false);
  readonly #stopped = Deferred.makeUnsafe<void>();
  readonly #closed = Deferred.makeUnsafe<void>();
  /** Whether to open another connection once this one is closed. */
  reopens = false;

  constructor(key: Key) {
    this.key = key;
  }

  get state(): State {
    return this.#state;
  }

  /**
   * The time since which it is unused, in milliseconds since the epoch; null while it has users.
   */
  get unusedSince(): number | null {
    return this.#users.size > 0 ? null : this.#lastUsed;
  }

  /** The connection, when users may call the server. */
  readonly whenChecked = Effect.flatMap(Deferred.await(this.#connection), (connection) =>
    Effect.as(this.#checked.await, connection),
  );
  readonly whenUnused = this.#unused.await;
  readonly whenStopped = Deferred.await(this.#stopped);
  readonly whenClosed = Deferred.await(this.#closed);

  enter(user: User): void {
    this.#users.add(user);
    this.#unused.closeUnsafe();
  }

  leave(user: User, now: number): void {
    this.#users.delete(user);
    this.#lastUsed = now;
    if (this.#users.size === 0) this.#unused.openUnsafe();
  }

  /** Fails all remaining users. */
  failUsers(failure: Failure): void {
    for (const { fail } of this.#users) fail(failure);
  }

  opened(connection: GuardedConnection, now: number): void {
    this.#lastUsed = now;
    this.#apply("opened");
    this.#checked.openUnsafe();
    Deferred.doneUnsafe(this.#connection, Exit.succeed(connection));
  }

  announced(): void {
    this.#apply("announced");
    this.#checked.closeUnsafe();
  }

  /** Also opens the gate in `draining`, for users that entered before. */
  checked(): void {
    this.#apply("checked");
    this.#checked.openUnsafe();
  }

  /** Returns false if the slot had stopped before. */
  stop(): boolean {
    return this.#apply("stopped");
  }

  /** Lets the owner close the connection, when the slot is stopped and its users have failed. */
  release(): void {
    Deferred.doneUnsafe(this.#stopped, Exit.void);
  }

  close(): void {
    this.#apply("closed");
    Deferred.doneUnsafe(this.#closed, Exit.void);
  }

  /** Returns whether the event changed the state. */
  #apply(event: Event): boolean {
    const before = this.#state;
    this.#state = transition(before, event);
    return this.#state !== before;
  }
}
