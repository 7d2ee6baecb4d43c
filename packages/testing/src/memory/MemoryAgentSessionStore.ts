import { AgentSessionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";

export const layer = Layer.effect(
  AgentSessionStore.AgentSessionStore,
  Effect.map(Database, (database) =>
    AgentSessionStore.AgentSessionStore.of({
      end: (keyId, nonce) =>
        database.write(({ endedSessions }) =>
          endedSessions.set(`${keyId} ${nonce}`, { keyId, nonce }),
        ),
      isEnded: (keyId, nonce) =>
        database.read(({ endedSessions }) => endedSessions.get(`${keyId} ${nonce}`) !== undefined),
    }),
  ),
);
