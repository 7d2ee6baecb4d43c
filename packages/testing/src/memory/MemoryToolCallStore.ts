import { type ToolCall, ToolCallStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

const is = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === value;

const matches = (query: ToolCallStore.CallQuery, call: ToolCall.ToolCall): boolean =>
  is(query.agentId, call.agentId) &&
  is(query.serverId, call.serverId) &&
  is(query.runId, call.runId) &&
  is(query.issueId, call.issueId) &&
  is(query.tool, call.tool) &&
  (query.from === undefined || call.startedAt >= query.from) &&
  (query.to === undefined || call.startedAt < query.to);

export const layer = Layer.effect(
  ToolCallStore.ToolCallStore,
  Effect.map(Database, (database) =>
    ToolCallStore.ToolCallStore.of({
      admit: (call) =>
        database.write(({ admittedCalls }) => {
          const seq = admittedCalls.get(call.id)?.seq ?? database.nextSeq();
          admittedCalls.set(call.id, { ...call, seq });
        }),
      extend: (ids, until) =>
        database.write(({ admittedCalls }) =>
          ids.filter((id) => {
            const call = admittedCalls.get(id);
            if (call !== undefined) {
              admittedCalls.set(id, { ...call, until });
            }
            return call !== undefined;
          }),
        ),
      append: (calls) =>
        database.write(({ admittedCalls, toolCalls }) => {
          for (const call of calls) {
            const seq = toolCalls.get(call.id)?.seq ?? database.nextSeq();
            toolCalls.set(call.id, { ...call, seq });
            admittedCalls.delete(call.id);
          }
        }),
      admitted: (query, limit) =>
        database.read(({ admittedCalls }) =>
          Rows.slice(admittedCalls.values(), { after: null, limit, order: "desc" }, (call) =>
            matches(query, call),
          ),
        ),
      overdue: (now, limit) =>
        database.read(({ admittedCalls }) =>
          Array.from(admittedCalls.values())
            .filter(({ until }) => until <= now)
            .toSorted((a, b) => (a.until < b.until ? -1 : 1))
            .slice(0, limit),
        ),
      get: (callId) =>
        database.read(({ admittedCalls, toolCalls }) =>
          Option.fromNullishOr(admittedCalls.get(callId) ?? toolCalls.get(callId)),
        ),
      list: ({ outcomes, ...query }, slice) =>
        database.read(({ toolCalls }) =>
          Rows.slice(
            toolCalls.values(),
            slice,
            (call) =>
              matches(query, call) && (outcomes === undefined || outcomes.includes(call.outcome)),
          ),
        ),
      countByRun: (runIds, failed) =>
        database.read(({ toolCalls }) => {
          const counts = new Map<string, { readonly total: number; readonly failed: number }>();
          for (const { outcome, runId } of toolCalls.values()) {
            if (runId === null || !runIds.includes(runId)) continue;
            const count = counts.get(runId) ?? { total: 0, failed: 0 };
            counts.set(runId, {
              total: count.total + 1,
              failed: count.failed + Number(failed.includes(outcome)),
            });
          }
          return counts;
        }),
      prune: (before, limit) =>
        database.write(({ toolCalls }) =>
          Rows.prune(toolCalls, limit, (call) => call.startedAt < before),
        ),
    }),
  ),
);
