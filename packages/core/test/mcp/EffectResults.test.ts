import { assert, describe } from "@effect/vitest";
import { EffectStore, McpServers } from "@quartermaster/core";
import { Fixtures, Storage } from "@quartermaster/testing";
import { Effect, Option } from "effect";
import { check, world } from "../support/McpWorld.ts";

describe("Results of effects", () => {
  check(
    "[effects.uninstall] uninstalling a server removes the results of its effects and nothing else of them",
    Effect.gen(function* () {
      const effects = yield* EffectStore.EffectStore;
      const servers = yield* McpServers.McpServers;
      const { id: serverId } = yield* world.running();
      const slot = yield* Fixtures.effectSlot({ serverId, state: "done", result: "sealed" });
      yield* Storage.transact(effects.insert(slot));
      yield* servers.uninstall(serverId);
      assert.deepStrictEqual(
        yield* effects.get(slot.callId),
        Option.some({ ...slot, result: null }),
      );
    }),
  );
});
