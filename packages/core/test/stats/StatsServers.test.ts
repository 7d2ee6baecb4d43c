import { assert, describe } from "@effect/vitest";
import {
  type Principal,
  Stats,
  Timestamp,
  type ToolCall,
  ToolCallStore,
  Transactor,
} from "@quartermaster/core";
import { Callers, Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import { admin, check, world } from "../support/McpWorld.ts";

const counted = (request: { readonly projectId?: string; readonly window?: "24h" | "7d" } = {}) =>
  Stats.Stats.use((stats) =>
    Effect.andThen(
      stats.fold,
      Effect.map(stats.get(request), ({ servers }) => servers),
    ),
  );

const calls = Effect.fnUntraced(function* (calls: ReadonlyArray<Partial<ToolCall.EndedCall>>) {
  const { append } = yield* ToolCallStore.ToolCallStore;
  const { transact } = yield* Transactor.Transactor;
  const startedAt = yield* Timestamp.now;
  const rows = yield* Effect.forEach(calls, (call) => Fixtures.toolCallRow({ startedAt, ...call }));
  yield* transact(append(rows));
});

describe("Servers in stats", () => {
  check(
    "[stats.calls] calls count for their server, with their durations at most 10 % off",
    Effect.gen(function* () {
      const notes = yield* world.notes();
      const other = yield* world.notes("other");
      const serverId = notes.id;
      yield* calls([
        ...Array.from({ length: 90 }, () => ({ serverId, durationMs: 9 })),
        ...Array.from({ length: 7 }, () => ({ serverId, durationMs: 1_234 })),
        ...(["error", "failing", "timeout", "crashed", "cancelled"] as const).map((outcome) => ({
          serverId,
          outcome,
          durationMs: 1_234,
        })),
        // The service refused these calls before they reached the server.
        ...(["notGranted", "notEnabled", "withheld", "agentPaused"] as const).map((outcome) => ({
          serverId,
          outcome,
          durationMs: 0,
        })),
        { serverId: null, outcome: "unknownTool" },
        { serverId: "mcp_gone" },
      ]);
      const servers = (yield* counted()) ?? [];
      assert.deepStrictEqual(
        servers.map(({ p50: _, p95: __, ...server }) => server),
        [
          { serverId, name: "test-notes", calls: 102, errors: 4 },
          { serverId: other.id, name: "other", calls: 0, errors: 0 },
        ],
      );
      assert.closeTo(servers[0]?.p50 ?? Number.NaN, 9, 0.9);
      assert.closeTo(servers[0]?.p95 ?? Number.NaN, 1_234, 123.4);
      assert.deepStrictEqual([servers[1]?.p50, servers[1]?.p95], [null, null]);
      const startedAt = Timestamp.addSeconds(yield* Timestamp.now, -2 * 86_400);
      yield* calls([{ serverId, startedAt }]);
      assert.strictEqual((yield* counted())?.[0]?.calls, 102);
      assert.strictEqual((yield* counted({ window: "7d" }))?.[0]?.calls, 103);
    }),
  );

  check(
    "[stats.servers] only an Admin bound to no project gets servers, and only without projectId",
    Effect.gen(function* () {
      yield* world.notes();
      const seenBy = (principal: Principal.Principal) =>
        Effect.map(Callers.as(principal)(counted()), (servers) => servers?.length ?? null);
      assert.strictEqual(yield* seenBy(admin), 1);
      assert.strictEqual(yield* seenBy({ ...admin, role: "Owner" }), 1);
      assert.isNull(yield* seenBy({ ...admin, role: "Editor" }));
      assert.isNull(yield* seenBy({ ...admin, projects: ["project"] }));
      assert.isNull(yield* counted({ projectId: "project" }));
    }),
  );
});
