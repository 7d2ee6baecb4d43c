import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { Agent, AgentRow, Halted } from "./Agent.ts";

/** Port: agents. */
export class AgentStore extends Context.Service<
  AgentStore,
  {
    /** Inserts an agent with its id as name, unless it exists. Returns whether it is new. */
    register(agentId: string, now: Timestamp): Effect.Effect<boolean, StorageError>;
    /** Stores the name, `paused`, `toolMode` and `callsNeedRun` of an agent, if it exists. */
    update(
      agent: Pick<AgentRow, "id" | "name" | "paused" | "toolMode" | "callsNeedRun">,
    ): Effect.Effect<void, StorageError>;
    /**
     * Stores the time of a heartbeat, if the agent exists. Returns whether it is halted; null if it does not
     * exist.
     */
    heartbeat(agentId: string, now: Timestamp): Effect.Effect<boolean | null, StorageError>;
    /**
     * Stores the time of a heartbeat outside a transaction, if it has nothing else to do: the agent exists and is
     * not halted, it has no run that has not ended, and no issue in one of `projects` (null for any) to claim.
     * Returns whether it did. A storage whose transactions take no round trips returns false.
     */
    idleHeartbeat(
      agentId: string,
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
    ): Effect.Effect<boolean>;
    /** Stores that the agent's runner is halted; null if it is not. */
    halt(agentId: string, halted: Halted | null): Effect.Effect<void, StorageError>;
    /** Returns an agent. */
    get(agentId: string): Effect.Effect<Option.Option<AgentRow>, StorageError>;
    /** Removes the agent and its access to MCP servers. Leaves its runs. */
    remove(agentId: string): Effect.Effect<void, StorageError>;
    /** The number of agents. */
    readonly count: Effect.Effect<number, StorageError>;
    /** The number of agents whose last heartbeat is at `since` or later. */
    countSince(since: Timestamp): Effect.Effect<number, StorageError>;
    /** Returns whether an issue of any project and status is assigned to the agent. */
    isAssigned(agentId: string): Effect.Effect<boolean, StorageError>;
    /** Returns agents, each with its number of runs in one of `projects` (null for any) that are live at `now`. */
    list(
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<AgentRow & Pick<Agent, "activeRuns">>, StorageError>;
  }
>()("@quartermaster/core/agents/AgentStore") {}
