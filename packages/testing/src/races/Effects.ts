import { assert } from "@effect/vitest";
import { CurrentRun, IssueEffects, McpServers, ToolGateway, Workers } from "@quartermaster/core";
import { Clock, Effect, Result } from "effect";
import { TestClock } from "effect/testing";
import * as Fixtures from "../Fixtures.ts";
import { ScriptedConnector } from "../mcp/ScriptedConnector.ts";
import * as Callers from "../model/Callers.ts";
import { executing } from "./RunsAndIssues.ts";
import type { Race, World } from "./World.ts";

/** Races between calls that happen once per issue, and between a call and the end of its run. */

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

/** A call waits for an equal one by looking again and again: the test clock would stand still. */
const inRealTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue());

/** A server with the tools `pay`, which happens once, and `look`, for the agent of the round. */
const bank = ({ agentId, round }: World) =>
  Effect.gen(function* () {
    const servers = yield* McpServers.McpServers;
    const connector = yield* ScriptedConnector;
    const server = connector.server("tool");
    server.tools = [Fixtures.definition("pay"), Fixtures.definition("look")];
    const name = `bank-${round}`;
    const { id } = yield* servers.install({
      catalogId: "test-tool",
      name,
      once: [{ tools: ["pay"] }],
    });
    yield* servers.verify(id);
    yield* servers.enable(id);
    yield* servers.putAccess(id, { entries: [{ agentId, granted: true }] });
    return { server, tool: `${name}__pay`, look: `${name}__look` };
  });

export const races: ReadonlyArray<Race> = [
  {
    name: "of two equal calls that happen once, one is sent and the other returns its result",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, round, run } = world;
      const { server, tool } = yield* run(admin(bank(world)));
      const { issueId, runId } = yield* run(executing(world));
      const pay = (effectName: string) =>
        ToolGateway.ToolGateway.use((gateway) =>
          gateway.call(agentId, { name: tool, arguments: { amount: 7 } }, { effectName }),
        ).pipe(
          Callers.as(Callers.agent(agentId)),
          Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId }),
        );
      // Both nodes have a connection before the race.
      yield* world.both(pay("first"), pay("second"));
      const before = server.calls.length;
      server.onCall = () =>
        Effect.as(Effect.replicateEffect(Effect.yieldNow, round % 5, { discard: true }), {
          content: [{ type: "text", text: `receipt ${server.calls.length - before}` }],
        });
      const results = yield* world.both(pay("invoice"), pay("invoice"));
      assert.lengthOf(server.calls.slice(before), 1, "An effect was sent twice");
      for (const result of results) {
        assert.isTrue(Result.isSuccess(result));
        if (Result.isSuccess(result)) {
          assert.deepStrictEqual(result.success.content, [{ type: "text", text: "receipt 1" }]);
        }
      }
      const effects = yield* run(IssueEffects.IssueEffects.use(({ list }) => list(issueId)));
      assert.deepStrictEqual(
        effects.map(({ state }) => state),
        ["done", "done", "done"],
      );
    }, inRealTime),
  },
  {
    name: "a run is not taken over while its call is in flight",
    check: Effect.fnUntraced(function* (world) {
      const { agentId, round, run } = world;
      const { look, server } = yield* run(admin(bank(world)));
      const { runId } = yield* run(executing(world));
      const call = ToolGateway.ToolGateway.use((gateway) =>
        gateway.call(agentId, { name: look, arguments: {} }),
      ).pipe(
        Callers.as(Callers.agent(agentId)),
        Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId }),
      );
      // Both nodes have a connection before the race.
      yield* world.both(call, call);
      yield* TestClock.adjust("2 minutes");
      const log: Array<"sent" | "ended" | "taken"> = [];
      server.onCall = () =>
        Effect.gen(function* () {
          log.push("sent");
          yield* Effect.replicateEffect(Effect.yieldNow, 50, { discard: true });
          log.push("ended");
          return { content: [] };
        });
      const worker = { id: `worker-${round}`, runId: null, isShared: false };
      const takeOver = Workers.Workers.use((workers) =>
        Effect.map(workers.takeOver(agentId, worker, runId), ({ run: taken }) => {
          if (taken !== null) log.push("taken");
        }),
      );
      yield* world.both(call, takeOver);
      const isLate = log.includes("taken") && log.indexOf("taken") < log.indexOf("ended");
      assert.isFalse(isLate, "The run was taken over during its call");
    }),
  },
];
