import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Effect } from "effect";
import * as Agent from "../support/Agent.ts";
import { assertFields } from "../support/Assert.ts";
import * as Bridge from "../support/Bridge.ts";
import * as World from "../support/World.ts";

/**
 * A model that knows only the text that a host shows it: the instructions, the names, descriptions
 * and parameters of tools, and the results. It finds each tool by words in this text.
 */

interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly properties?: unknown };
}

/** The common part of both major versions of the official client. */
interface Client {
  getInstructions(): string | undefined;
  listTools(): Promise<{ readonly tools: ReadonlyArray<Tool> }>;
  callTool(params: {
    readonly name: string;
    readonly arguments: Record<string, unknown>;
  }): Promise<unknown>;
}

type Answer = Readonly<Record<string, unknown>>;
type Result = Parameters<typeof Agent.answerOf>[0] & { readonly isError?: boolean };

const modelOf = async (client: Client) => {
  const instructions = client.getInstructions() ?? "";
  const { tools } = await client.listTools();
  const named = (pattern: RegExp, text = instructions) => {
    const [, name] = pattern.exec(text) ?? [];
    const tool = tools.find((tool) => tool.name === name);
    assert.isDefined(tool, `${pattern} names no tool in: ${text}`);
    return tool!;
  };
  const described = (pattern: RegExp) => {
    const found = tools.filter(({ description = "" }) => pattern.test(description));
    assert.lengthOf(found, 1, String(pattern));
    return found[0]!;
  };
  const call = async ({ inputSchema, name }: Tool, args: Record<string, unknown> = {}) => {
    const parameters = Object(inputSchema.properties);
    for (const name of Object.keys(args)) assert.isString(parameters[name]?.description, name);
    const result = (await client.callTool({ name, arguments: args })) as Result;
    const texts = result.content.map(({ text }) => String(text));
    return { answer: Agent.answerOf<Answer>(result), notice: texts[1] };
  };
  const ok = async (tool: Tool, args?: Record<string, unknown>) => {
    const { answer, notice } = await call(tool, args);
    assert.notProperty(answer, "error");
    assert.isUndefined(notice);
    return answer;
  };
  return { call, described, named, ok };
};

const [legacy, current] = Agent.eras;

type Connect = (world: World.World) => Promise<Client>;

const version1: Connect = async (world) => {
  const client = new Client1({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${world.agent.key}` };
  await client.connect(new Http1(new URL(`${world.url}/mcp`), { requestInit: { headers } }));
  return client;
};

const version2 =
  (era: Agent.Era): Connect =>
  async (world) =>
    (await world.connect(era)).client;

const bridge: Connect = async ({ agent, url }) =>
  (await Bridge.connect({ QM_URL: url, QM_KEY: agent.key }, legacy)).client;

const connections: Readonly<Record<string, Connect>> = {
  "version 1 of the SDK": version1,
  "version 2, legacy": version2(legacy),
  "version 2, current": version2(current),
  "the bridge": bridge,
};

describe("a model that follows the descriptions of the tools", { timeout: 60_000 }, () => {
  it.each(Object.entries(connections))(
    "[work.loop] finds its work, asks, reads the review, stops and hands in: %s",
    async (_, connect) => {
      const world = await World.forTest();
      const first = await world.issue({ assignedAgentId: "bot", priority: "high" });
      const second = await world.issue({ assignedAgentId: "bot" });
      const { call, described, named, ok } = await modelOf(await connect(world));
      const person = (path: string, body?: object, method = "POST") =>
        world.call(method, `/api/projects/${path}`, { body });
      const next = named(/pick one up with (\w+)/);
      const turn = named(/Call (\w+) between two steps/);
      const finish = named(/Hand the issue in with (\w+)/);

      const started = await ok(next);
      assertFields(started, {
        run: { attempt: 1, runId: /^run_/, leaseExpiresAt: String },
        issue: { id: first.id, status: "InProgress" },
        comments: [],
        attachments: [],
        questions: [],
        effects: [],
      });
      assertFields(await ok(described(/^Returns the agent that you are/)), {
        agentId: "bot",
        projects: null,
        runs: [{ issueId: first.id }],
      });

      const ask = described(/^Asks a person/);
      const asked = ok(ask, { prompt: "Slate or tin?", waitSeconds: 55 });
      const open = Effect.promise(() => person(`issues/${first.id}/questions`, undefined, "GET"));
      // The question's id is known only once a person reads it.
      const { body } = await Effect.runPromise(
        Effect.repeat(open, { until: ({ body }) => body.length === 1, times: 1_000 }),
      );
      await person(`questions/${body[0].id}/answer`, { answer: "Slate" });
      assertFields(await asked, { status: "answered", answer: "Slate" });

      await person(`issues/${first.id}/comments`, { content: "Hurry", authorType: "User" });
      const turned = await ok(turn);
      assertFields(turned, { action: "continue", reason: null });
      // The answer is also a comment.
      assert.match(JSON.stringify(turned["comments"]), /Slate.*Hurry/s);
      const comment = described(/^Adds a comment/);
      await ok(comment, { issueId: first.id, content: "The left half is done" });
      const inReview = await ok(finish, { outcome: "review", comment: "Done in slate" });
      assertFields(inReview, {
        id: first.id,
        status: "PendingReview",
        attempts: 0,
        blocksCount: 0,
        liveRun: null,
      });
      assert.notProperty(inReview, "description");

      await person(`issues/${first.id}/comments`, { content: "Nails!", authorType: "User" });
      await person(`issues/${first.id}`, { status: "Open" }, "PUT");
      const again = await ok(next);
      assertFields(again, { run: { attempt: 1 }, issue: { id: first.id } });
      assert.match(JSON.stringify(again["comments"]), /Done in slate.*Nails!/s);
      assertFields(await ok(finish, { outcome: "resolved" }), { status: "Resolved" });

      assertFields(await ok(next), { issue: { id: second.id } });
      await person(`issues/${second.id}/pause`);
      const { notice = "" } = await call(comment, { issueId: second.id, content: "Started" });
      assert.match(
        notice,
        new RegExp(`^\\[Quartermaster\\] Stop working on ${second.id}: it was paused\\.`),
      );
      // The text names the run if only the key identifies the worker, because another process may read it.
      const [, runId] = / with runId (\w+)\.$/.exec(notice) ?? [];
      const acknowledge = named(/Call (\w+)(?: with runId \w+)?\.$/, notice);
      const { answer: stop } = await call(acknowledge, runId === undefined ? {} : { runId });
      assertFields(stop, { action: "stop", reason: "paused" });
      const other = named(/After stop, leave the issue as it is and call (\w+)/, turn.description);
      const { answer: none } = await call(other);
      assertFields(none, { run: null, reason: "nothing", retryAfterSeconds: 30 });
      assertFields(
        (await call(turn)).answer,
        runId === undefined ? { error: "no-run" } : { action: "stop", runId },
      );
    },
  );
});
