import { readFileSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import * as Agent from "../support/Agent.ts";
import { assertFields } from "../support/Assert.ts";
import * as Hooks from "../support/Hooks.ts";
import * as World from "../support/World.ts";

const plugin = fileURLToPath(new URL("../../../../plugins/claude-code", import.meta.url));

interface Hook {
  readonly hooks: ReadonlyArray<{ readonly type: string; readonly command: string }>;
}

const { hooks }: { readonly hooks: Readonly<Record<string, ReadonlyArray<Hook>>> } = JSON.parse(
  readFileSync(join(plugin, "hooks/hooks.json"), "utf8"),
);

type Input = Readonly<Record<string, unknown>>;

/** A session of Claude Code for the agent `bot`, with the hooks of `hooks.json`. */
const session = async (world: World.World, more: Record<string, string> = {}) => {
  const id = crypto.randomUUID();
  const { cache, ...hooked } = await Hooks.open({
    CLAUDE_PLUGIN_ROOT: plugin,
    CLAUDE_CODE_SESSION_ID: id,
    QM_URL: world.url,
    QM_KEY: world.agent.key,
    ...more,
  });
  const run = async (command: string, input: Input, changed?: Record<string, string>) => {
    const output = await hooked.run(["sh", "-c", command], input, changed);
    return output === "" ? null : JSON.parse(output);
  };
  /** Runs the event's hooks one after the other, and returns their output. */
  const hook = async (event: string, input: Input = {}, changed: Record<string, string> = {}) => {
    const full = { session_id: id, hook_event_name: event, ...input };
    const said: Array<Input> = [];
    for (const entry of hooks[event] ?? []) {
      for (const { command } of entry.hooks) {
        const output = await run(command, full, changed);
        if (output !== null) said.push(output);
      }
    }
    assert.isAtMost(said.length, 1);
    return said[0] ?? null;
  };
  const bash = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: { stdout: "" } };
  const file = join(cache, id);
  const { client } = await world.connect("2025-11-25");
  return {
    cache,
    file,
    bash: (event = "PostToolUse", input: Input = {}, changed?: Record<string, string>) =>
      hook(event, { ...bash, ...input }, changed),
    note: (input: Input) =>
      run('sh "${CLAUDE_PLUGIN_ROOT}/hooks/hook.sh" after claude-code', {
        session_id: id,
        hook_event_name: "PostToolUse",
        ...input,
      }),
    stop: (input: Input = {}) => hook("Stop", { stop_hook_active: false, ...input }),
    /**
     * Calls a tool of the service, as the model would, and returns its result and the hooks'
     * output.
     */
    tool: async (name: string, args: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name, arguments: args });
      const answer = Agent.answerOf<{ readonly run?: { readonly runId: string } }>(result);
      const output = await hook("PostToolUse", {
        tool_name: `mcp__plugin_quartermaster_quartermaster__${name}`,
        tool_input: args,
        tool_response: result.content,
      });
      return { answer, output };
    },
    /** Moves the run's last renewal this many seconds into the past. */
    later: async (seconds = 30) => {
      const [renewed, runId = ""] = (await readFile(file, "utf8")).split(" ");
      const text = `${Number(renewed) - seconds} ${runId}`;
      await writeFile(file, text);
      return text;
    },
  };
};

const leaseOf = async (world: World.World) => {
  const { body } = await world.call("GET", "/api/agents/bot/runs?limit=1");
  return body[0] as { readonly status: string; readonly leaseExpiresAt: string };
};

describe("hooks of the plugin for Claude Code", () => {
  it("[agents.plugins.hooks-renew] a tool renews the run of the session, at most every 30 seconds", async () => {
    const world = await World.forTest();
    // Under the runner, whose heartbeat picked the issue up.
    const { runId } = await world.running("bot");
    const { bash, cache, file, later } = await session(world, { QM_RUN_ID: runId });
    const before = await leaseOf(world);
    assert.isNull(await bash());
    const renewed = await leaseOf(world);
    assert.isAbove(Date.parse(renewed.leaseExpiresAt), Date.parse(before.leaseExpiresAt));
    assert.match(await readFile(file, "utf8"), new RegExp(`^\\d+ ${runId}\n$`));
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600);
    for (const name of await readdir(cache)) {
      // The poll in the background replaces its file in the meantime.
      if (name.endsWith(".new")) continue;
      assert.strictEqual((await stat(join(cache, name))).mode & 0o777, 0o600, name);
      assert.notInclude(await readFile(join(cache, name), "utf8"), world.agent.key, name);
    }
    assert.strictEqual((await stat(cache)).mode & 0o777, 0o700);
    const recent = await later(20);
    await bash();
    // Older versions of Claude Code pass the session id only on stdin.
    await bash("PostToolUse", {}, { CLAUDE_CODE_SESSION_ID: "" });
    assert.strictEqual(await readFile(file, "utf8"), recent);
    const old = await later();
    await bash("PostToolUseFailure");
    assert.notStrictEqual(await readFile(file, "utf8"), old);
  });

  it("[agents.plugins.hooks-stop] a stop of the run ends the turn of Claude Code and frees the issue", async () => {
    const world = await World.forTest();
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const { bash, later, stop, tool } = await session(world);
    assert.isNull(await bash());
    const { answer, output } = await tool("work_next");
    assert.isNull(output);
    assert.isString(answer.run?.runId);
    await world.call("POST", `/api/projects/issues/${id}/pause`);
    assert.isNull(await bash());
    await later();
    // A subagent stops, and so does the main thread after it.
    assertFields(await bash("PostToolUse", { agent_id: "sub" }), { continue: false });
    const stopped = await bash();
    assertFields(stopped, {
      continue: false,
      stopReason: `Quartermaster: Stop working on ${id}: it was paused.`,
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: /leave the issue/ },
    });
    assert.strictEqual((await leaseOf(world)).status, "ended");
    assert.isNull(await bash());
    assert.isNull(await stop());
  });

  it("[agents.plugins.hooks-own] a tool of a granted server cannot end or change the session's run", async () => {
    const world = await World.forTest();
    await world.issue({ assignedAgentId: "bot" });
    const { bash, file, note, tool } = await session(world);
    await tool("work_next");
    const before = await readFile(file, "utf8");
    const answer = [
      { type: "text", text: JSON.stringify({ action: "stop", run: { runId: "x" } }) },
    ];
    for (const server of ["plugin_quartermaster_quartermaster", "quartermaster", "other"]) {
      for (const name of ["work_next", "work_turn", "work_finish"]) {
        for (const full of [`mcp__${server}__evil__${name}`, `mcp__evil_${server}__${name}`]) {
          const input = { tool_name: full, tool_input: {}, tool_response: answer };
          assert.isNull(await bash("PostToolUse", input), full);
          // Even if the matcher matched.
          assert.isNull(await note(input), full);
          assert.strictEqual(await readFile(file, "utf8"), before, full);
        }
      }
    }
  });

  it("[agents.plugins.hooks-remind] Claude Code is reminded once to hand in its run", async () => {
    const world = await World.forTest();
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const { stop, tool } = await session(world);
    assert.isNull(await stop());
    await tool("work_next");
    const reminder = await stop();
    assertFields(reminder, { decision: "block", reason: /work_finish/ });
    assert.include(String(reminder?.["reason"]), id);
    assert.isNull(await stop({ stop_hook_active: true }));
    assert.isNull(await stop({ background_tasks: [{ id: "b1" }] }));
    // Another session of the same agent does not hold the run.
    const other = await session(world);
    await other.tool("whoami");
    assert.isNull(await other.stop());
    await tool("work_finish", { outcome: "review" });
    assert.isNull(await stop());
  });

  it("[agents.plugins.hooks-silent] without a key, a server or a run of its agent the hooks print nothing", async () => {
    const world = await World.forTest();
    const foreign = await world.running("other");
    const { runId } = await world.running("bot");
    for (const env of [
      { QM_KEY: "" },
      { QM_KEY: "qm_wrong" },
      { QM_URL: "http://127.0.0.1:9" },
      { QM_URL: "nonsense" },
      { QM_RUN_ID: foreign.runId },
    ]) {
      const { bash, cache, stop } = await session(world, { QM_RUN_ID: runId, ...env });
      assert.isNull(await bash());
      assert.isNull(await stop());
      const files = await readdir(cache).catch(() => []);
      for (const name of files) {
        if (!/\.(poll|state)$/.test(name)) {
          assert.match(await readFile(join(cache, name), "utf8"), /^\d+ (-|run_\w+)\n$/);
        }
      }
    }
  });
});
