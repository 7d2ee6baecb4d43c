import { assert, describe } from "@effect/vitest";
import { Issues, RunLogs, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import { check, world } from "../support/McpWorld.ts";

const value = "sk-live-0123456789/abc+def";

describe("Secrets in logs of runs", () => {
  check(
    "[logs.secrets.granted] the values of servers that the agent is granted are removed, from when they are",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const runs = yield* Runs.Runs;
      const logs = yield* RunLogs.RunLogs;
      yield* issues.create("p", { title: "a", assignedAgentId: "bot" });
      const { started } = yield* runs.heartbeat("bot");
      const runId = started[0]?.runId ?? "";
      const { id } = yield* world.install("test-notes", { NOTES_KEY: value });
      let from = 0;
      const logged = Effect.fnUntraced(function* (text: string) {
        const entries = [{ stream: "stdout" as const, text }];
        yield* logs.append("bot", runId, { from: from++, entries });
        return (yield* logs.read("bot", runId)).entries.at(-1)?.text;
      });
      assert.strictEqual(yield* logged(`key ${value}`), `key ${value}`);
      yield* world.putAccess(id, { agentId: "bot", granted: true });
      assert.strictEqual(yield* logged(`key ${value}`), "key [secret]");
      const changed = "a value that was changed later";
      yield* world.update(id, { envValues: { NOTES_KEY: changed } });
      assert.strictEqual(yield* logged(`${changed}, ${value}`), `[secret], ${value}`);
    }),
  );
});
