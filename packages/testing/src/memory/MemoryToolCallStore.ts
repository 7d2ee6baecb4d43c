import { ToolCallStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  ToolCallStore.ToolCallStore,
  Effect.map(Database, (database) =>
    ToolCallStore.ToolCallStore.of({
      append: (calls) =>
        database.write(({ toolCalls }) => {
          for (const call of calls) {
            toolCalls.set(call.id, { ...call, seq: database.nextSeq() });
          }
        }),
      list: ({ agentId, serverId }, slice) =>
        database.read(({ toolCalls }) =>
          Rows.slice(
            toolCalls.values(),
            slice,
            (call) =>
              (agentId === undefined || call.agentId === agentId) &&
              (serverId === undefined || call.serverId === serverId),
          ),
        ),
      prune: (before, limit) =>
        database.write(({ toolCalls }) =>
          Rows.prune(toolCalls, limit, (call) => call.startedAt < before),
        ),
    }),
  ),
);
