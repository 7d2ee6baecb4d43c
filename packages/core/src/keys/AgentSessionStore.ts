import { Context, type Effect } from "effect";
import type { StorageError } from "../CommonErrors.ts";

/** Port: the ended MCP sessions of agents. `KeyStore.remove` removes the rows of its key. */
export class AgentSessionStore extends Context.Service<
  AgentSessionStore,
  {
    /** Records that a session of the key was ended. `nonce` distinguishes the sessions of a key. */
    end(keyId: string, nonce: string): Effect.Effect<void, StorageError>;
    /** Returns whether the session was ended. */
    isEnded(keyId: string, nonce: string): Effect.Effect<boolean, StorageError>;
  }
>()("@quartermaster/core/keys/AgentSessionStore") {}
