import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Slice } from "../Page.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { Agent, AgentRow } from "./Agent.ts";

/** Port: where agents are kept. */
export class AgentStore extends Context.Service<
  AgentStore,
  {
    /** Keeps an agent of that id, named like it, unless there is one. Answers whether it is new. */
    register(agentId: string, now: Timestamp): Effect.Effect<boolean, StorageError>;
    rename(agentId: string, name: string): Effect.Effect<void, StorageError>;
    /** Notes a heartbeat of an agent, if there is one of that id. Answers whether there is. */
    heartbeat(agentId: string, now: Timestamp): Effect.Effect<boolean, StorageError>;
    get(agentId: string): Effect.Effect<Option.Option<AgentRow>, StorageError>;
    /** Agents with the runs in one of `projects` (null for any) that are live at the moment `now`. */
    list(
      projects: ReadonlyArray<string> | null,
      now: Timestamp,
      slice: Slice,
    ): Effect.Effect<ReadonlyArray<Agent & { readonly seq: number }>, StorageError>;
  }
>()("@quartermaster/core/agents/AgentStore") {}
