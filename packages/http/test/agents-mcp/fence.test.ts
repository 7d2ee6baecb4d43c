import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest";
import { MemoryStorage } from "@quartermaster/testing";
import { Clock, Context, Effect, Layer, ManagedRuntime } from "effect";
import { TestClock } from "effect/testing";
import * as Agent from "../support/Agent.ts";
import type { Answer } from "../support/Client.ts";
import * as World from "../support/World.ts";

/**
 * The end of a run at each step of a call, by each road. The call goes to one node, and what ends its run to another
 * node of the same storage. All roads of a cell run side by side, each for a run of its own.
 */

const runtime = ManagedRuntime.make(MemoryStorage.layer);
let clock: TestClock.TestClock;
let node: World.World;
let other: World.World;
let serverId: string;

beforeAll(async () => {
  clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  const options = {
    clock: Layer.succeedContext(Context.make(Clock.Clock, clock) as Context.Context<never>),
    storage: Layer.succeedContext(await runtime.context()),
  };
  node = await World.start(options);
  other = await World.start(options);
  node.server.resources.resources = [{ uri: "file:///notes", name: "notes" }];
  node.server.prompts = [{ name: "review", arguments: [{ name: "n" }] }];
  serverId = await node.usableTool();
  const search = await node.admin("PUT", "/api/agents/bot", { body: { toolMode: "search" } });
  assert.strictEqual(search.status, 200, search.text);
});
afterAll(async () => {
  await node.close();
  await other.close();
  await runtime.dispose();
});

/** One call of a road: its number in the cell, its run, its process, and its session of the legacy version. */
interface Caller {
  readonly n: number;
  readonly runId: string;
  readonly issueId: string;
  readonly worker: string;
  readonly session: string;
  readonly road: Road;
}

/** A call that was sent, or the reason of its refusal: a code, or the text for a model. */
type Outcome = "sent" | { readonly reason: string };

interface Road {
  readonly name: string;
  /** Whether the request names the run. Otherwise its process does, or nothing. */
  readonly names: "run" | "worker" | "nothing";
  readonly isLegacy?: boolean;
  readonly send: (caller: Caller) => Promise<Outcome>;
}

const tool = "test-tool__add";

/** The JSON of a response, which is an event stream for calls that take long. */
const bodyOf = ({ body, text }: Answer) => {
  if (body !== undefined) return body;
  const data = text.split("\n").findLast((line) => line.startsWith("data: ")) ?? "";
  return JSON.parse(data.slice(6));
};

const outcomeOf = (answer: Answer): Outcome => {
  const body = bodyOf(answer);
  if (answer.status === 409) return { reason: body.reason };
  assert.strictEqual(answer.status, 200, answer.text);
  if (body.error !== undefined) {
    assert.deepInclude(body.error, { code: -32603 }, answer.text);
    return { reason: body.error.data.reason };
  }
  const result = body.result ?? body;
  if (result.isError !== true) return "sent";
  return { reason: result.content[0].text };
};

const args = ({ n }: Caller) => ({ a: n, b: 0 });

const rest = async (
  caller: Caller,
  more: { readonly runId?: string; readonly header?: string },
) => {
  const { header, ...body } = more;
  const bot = node.as(node.agent.key);
  return outcomeOf(
    await bot("POST", "/api/agents/bot/tools/call", {
      body: { name: tool, arguments: args(caller), ...body },
      ...(header === undefined ? {} : { headers: { "quartermaster-run": header } }),
    }),
  );
};

const current = async (
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string>,
  meta: Record<string, unknown> = {},
) => {
  const message = Agent.stateless(method, params);
  Object.assign(message.body.params._meta, meta);
  const name = params["name"] ?? params["uri"];
  const named = name === undefined ? {} : { "mcp-name": String(name) };
  return outcomeOf(await node.post(message.body, { ...message.headers, ...named, ...headers }));
};

const legacy = async (params: object, headers: Record<string, string>, method = "tools/call") =>
  outcomeOf(await node.post({ jsonrpc: "2.0", id: 1, method, params }, headers));

const direct = (caller: Caller) => ({ name: tool, arguments: args(caller) });
const throughSearch = (caller: Caller) => ({ name: "call_tool", arguments: direct(caller) });
const read = ({ n }: Caller) => ({ uri: `qm+test-tool+file:///notes?${n}` });
const prompt = ({ n }: Caller) => ({ name: "test-tool__review", arguments: { n: `${n}` } });
const completion = ({ n }: Caller) => ({
  ref: { type: "ref/prompt", name: "test-tool__review" },
  argument: { name: "n", value: `${n}` },
});
const run = ({ runId }: Caller) => ({ "quartermaster-run": runId });
const worker = (caller: Caller) => ({ "quartermaster-worker": caller.worker });
const session = (caller: Caller) => ({ "mcp-session-id": caller.session });

const roads: ReadonlyArray<Road> = [
  { name: "REST, header", names: "run", send: (c) => rest(c, { header: c.runId }) },
  { name: "REST, runId", names: "run", send: (c) => rest(c, { runId: c.runId }) },
  { name: "REST, no run", names: "nothing", send: (c) => rest(c, {}) },
  { name: "/mcp, header", names: "run", send: (c) => current("tools/call", direct(c), run(c)) },
  {
    name: "/mcp, _meta",
    names: "run",
    send: (c) => current("tools/call", direct(c), {}, { "quartermaster/run": c.runId }),
  },
  {
    name: "/mcp, worker",
    names: "worker",
    send: (c) => current("tools/call", direct(c), worker(c)),
  },
  {
    name: "legacy /mcp, header",
    names: "run",
    isLegacy: true,
    send: (c) => legacy(direct(c), { ...session(c), ...run(c) }),
  },
  {
    name: "legacy /mcp, session",
    names: "worker",
    isLegacy: true,
    send: (c) => legacy(direct(c), session(c)),
  },
  {
    name: "call_tool, header",
    names: "run",
    send: (c) => current("tools/call", throughSearch(c), run(c)),
  },
  {
    name: "call_tool, worker",
    names: "worker",
    send: (c) => current("tools/call", throughSearch(c), worker(c)),
  },
  {
    name: "resource, header",
    names: "run",
    send: (c) => current("resources/read", read(c), run(c)),
  },
  {
    name: "resource, worker",
    names: "worker",
    send: (c) => current("resources/read", read(c), worker(c)),
  },
  {
    name: "legacy resource, session",
    names: "worker",
    isLegacy: true,
    send: (c) => legacy(read(c), session(c), "resources/read"),
  },
  {
    name: "prompt, header",
    names: "run",
    send: (c) => current("prompts/get", prompt(c), run(c)),
  },
  {
    name: "prompt, worker",
    names: "worker",
    send: (c) => current("prompts/get", prompt(c), worker(c)),
  },
  {
    name: "legacy prompt, session",
    names: "worker",
    isLegacy: true,
    send: (c) => legacy(prompt(c), session(c), "prompts/get"),
  },
  {
    name: "completion, header",
    names: "run",
    send: (c) => current("completion/complete", completion(c), run(c)),
  },
  {
    name: "legacy completion, session",
    names: "worker",
    isLegacy: true,
    send: (c) => legacy(completion(c), session(c), "completion/complete"),
  },
];

/** The calls that the server has received, by the numbers of their roads. */
const arrived = () => [
  ...node.server.calls.map((call) => Number(call.args["a"])),
  ...node.server.reads.map((uri) => Number(uri.split("?")[1])),
  ...node.server.prompted.map(({ args }) => Number(args["n"])),
  ...node.server.completions.map(({ argument }) => Number(argument.value)),
];

const leaseSeconds = 5;
const pass = (seconds: number) => Effect.runPromise(clock.adjust(`${seconds} seconds`));

/** Changes of an issue by a person, through the other node. */
const person =
  (method: string, rest = "", body?: object) =>
  (caller: Caller) =>
    other.call(method, `/api/projects/issues/${caller.issueId}${rest}`, { body });

interface End {
  readonly name: string;
  /** In the text of a refusal for a model. */
  readonly words: RegExp;
  /** The reason in the refusal of a write. */
  readonly reason: string;
  /** Ends one run; `all` ends all runs of the cell. */
  readonly each?: (caller: Caller) => Promise<unknown>;
  readonly all?: () => Promise<unknown>;
}

const pauseAgent = () => other.admin("PUT", "/api/agents/bot", { body: { paused: true } });

const workTurn = (through: World.World, caller: Caller, more: object) => {
  const params = { name: "work_turn", arguments: { runId: caller.runId, ...more } };
  if (caller.road.isLegacy === true) {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    return through.post(message, session(caller), node.agent.key);
  }
  const { body, headers } = Agent.stateless("tools/call", params);
  const sent = { ...headers, "mcp-name": params.name, ...worker(caller) };
  return through.post(body, sent, node.agent.key);
};

/** The process that holds the run takes it over, like one that has started again. */
const takeOver = async (caller: Caller) => {
  const { text } = await workTurn(other, caller, { takeOver: true });
  assert.include(text, "continue", text);
};

const ends: ReadonlyArray<End> = [
  { name: "pause", words: /issue was paused/, reason: "paused", each: person("POST", "/pause") },
  {
    name: "reassignment",
    words: /assigned to another agent/,
    reason: "reassigned",
    each: person("PUT", "", { assignedAgentId: "eve" }),
  },
  {
    name: "deletion",
    words: /was deleted/,
    reason: "deleted",
    each: person("DELETE", "?confirm=true"),
  },
  { name: "takeover", words: /took/, reason: "takenOver", each: takeOver },
  {
    name: "lost lease",
    words: /lease expired/,
    reason: "leaseExpired",
    all: () => pass(leaseSeconds + 1),
  },
  {
    name: "pause of the agent",
    words: /your agent was paused/,
    reason: "agentPaused",
    all: pauseAgent,
  },
];

const end = async ({ all, each }: End, callers: ReadonlyArray<Caller>) => {
  await all?.();
  if (each !== undefined) await Promise.all(callers.map(each));
};

let cell = 0;

/** A server that opens has no resources yet, and the server's side of a test does not hold reads. */
const ofTools = roads.filter(({ name }) => !/resource|prompt|completion/.test(name));

/** `/mcp` renews the lease of a call that waits. */
const ofRest = roads.filter(({ name }) => name.startsWith("REST"));

/** One run and one process for each road. */
const running = async (roads: ReadonlyArray<Road>): Promise<ReadonlyArray<Caller>> => {
  cell += 1;
  const sessions = await Promise.all(roads.map(() => node.post(Agent.initialize)));
  for (const _ of roads) await node.issue({ assignedAgentId: "bot" });
  const { body } = await node.call("POST", "/api/agents/bot/heartbeat", {
    body: { capacity: roads.length, leaseSeconds },
  });
  assert.lengthOf(body.started, roads.length);
  const callers = roads.map((road, n) => ({
    n,
    road,
    runId: body.started[n].runId as string,
    issueId: body.started[n].issue.id as string,
    worker: `fence-cell-${cell}-road-${n}`,
    session: sessions[n]?.headers.get("mcp-session-id") ?? "",
  }));
  for (const caller of callers) {
    const { text } = await workTurn(node, caller, {});
    assert.include(text, "continue", text);
  }
  node.server.calls.length = 0;
  node.server.reads.length = 0;
  node.server.prompted.length = 0;
  node.server.completions.length = 0;
  return callers;
};

type Step = "before" | "waiting";

/**
 * Whether the call may be sent after the end: it acts for no run, or its process holds the new run of a takeover. A
 * call acts for the run that its process held at its start.
 */
const isFree = ({ name }: End, { road }: Caller, step: Step) =>
  road.names === "nothing"
    ? name !== "pause of the agent"
    : step === "before" && name === "takeover" && road.names === "worker";

/** The server received exactly the calls that were sent. */
const checkArrivals = (callers: ReadonlyArray<Caller>, outcomes: ReadonlyArray<Outcome>) => {
  const sent = callers.filter((_, n) => outcomes[n] === "sent").map(({ n }) => n);
  assert.sameMembers(arrived(), sent);
};

const call = (callers: ReadonlyArray<Caller>) =>
  Promise.all(callers.map((caller) => caller.road.send(caller)));

/** Every call after the end is refused with the reason, and nothing of it arrives. */
const checkRefused = (
  ending: End,
  callers: ReadonlyArray<Caller>,
  outcomes: ReadonlyArray<Outcome>,
  step: Step = "before",
) => {
  for (const [n, caller] of callers.entries()) {
    const outcome = outcomes[n];
    const where = `${caller.road.name}, ${ending.name}`;
    if (isFree(ending, caller, step)) assert.strictEqual(outcome, "sent", where);
    else if (outcome === "sent" || outcome === undefined) assert.fail(`${where}: was sent`);
    else if (/^\w+$/.test(outcome.reason)) {
      // Only a call that acts for no run is judged by its agent.
      const code = caller.road.names === "nothing" ? "agentPaused" : "runEnded";
      assert.strictEqual(outcome.reason, code, where);
    } else assert.match(outcome.reason, ending.words, where);
  }
};

/** Blocks until it is opened, and counts what waits. */
const gate = () => {
  const opened = Promise.withResolvers<void>();
  return { open: opened.resolve, wait: Effect.promise(() => opened.promise) };
};

/** Makes every next call open its server, which waits at the gate. */
const disconnect = async () => {
  const { open, wait } = gate();
  const connecting = Promise.withResolvers<void>();
  await node.act(serverId, "disable");
  node.server.onConnect = Effect.andThen(Effect.sync(connecting.resolve), wait);
  await node.act(serverId, "enable");
  return { open, connecting: connecting.promise };
};

afterEach(async () => {
  node.server.onConnect = Effect.void;
  await other.admin("PUT", "/api/agents/bot", { body: { paused: false } });
});

describe("the end of a run at each step of a call", () => {
  for (const ending of ends) {
    it(`[run.fence.steps] ${ending.name}: before the call, each road refuses it`, async () => {
      const callers = await running(roads);
      await end(ending, callers);
      const outcomes = await call(callers);
      checkRefused(ending, callers, outcomes);
      checkArrivals(callers, outcomes);
    });

    it(`[run.fence.steps] ${ending.name}: while it waits for its server, the call is not sent`, async () => {
      const callers = await running(ending.name === "lost lease" ? ofRest : ofTools);
      const { connecting, open } = await disconnect();
      const calling = call(callers);
      await connecting;
      await end(ending, callers);
      open();
      const outcomes = await calling;
      checkRefused(ending, callers, outcomes, "waiting");
      checkArrivals(callers, outcomes);
    });

    // The call in flight prevents a takeover: [work.take-over.call].
    it.skipIf(ending.name === "takeover")(
      `[run.fence.steps] ${ending.name}: beside its admission, the call is sent or refused, and the next one is refused`,
      async () => {
        const callers = await running(ofTools);
        const { connecting, open } = await disconnect();
        const calling = call(callers);
        await connecting;
        open();
        await end(ending, callers);
        checkArrivals(callers, await calling);
        node.server.calls.length = 0;
        node.server.reads.length = 0;
        const next = await call(callers);
        checkRefused(ending, callers, next);
        checkArrivals(callers, next);
      },
    );

    // A call in flight renews its run, and prevents a takeover: [tools.calls.renews], [work.take-over.call].
    it.skipIf(["lost lease", "takeover"].includes(ending.name))(
      `[run.fence.steps] ${ending.name}: in flight, the call continues and its issue is not claimed; the next one is refused`,
      async () => {
        const callers = await running(ofTools);
        const { open, wait } = gate();
        const result = { content: [{ type: "text", text: "done" }] };
        node.server.onCall = () => Effect.as(wait, result);
        const calling = call(callers);
        await Effect.runPromise(node.server.until(() => arrived().length === callers.length));
        await end(ending, callers);
        for (const { issueId, road } of callers) {
          if (ending.name === "deletion" || road.names === "nothing") continue;
          const { body } = await other.call("GET", `/api/projects/issues/${issueId}/readiness`);
          const codes = body.reasons.map(({ code }: { readonly code: string }) => code);
          assert.include(codes, "callInFlight", road.name);
        }
        open();
        const outcomes = await calling;
        for (const outcome of outcomes) assert.strictEqual(outcome, "sent");
        node.server.onCall = () => Effect.succeed(result);
        node.server.calls.length = 0;
        node.server.reads.length = 0;
        const next = await call(callers);
        checkRefused(ending, callers, next);
        checkArrivals(callers, next);
      },
    );
  }
});

/** The issue that no run executes; a write that is not refused changes it. */
let aside: Awaited<ReturnType<World.World["issue"]>>;
/** The ids of a link and a question that a write which is not refused removes. */
let linkId: string;
let questionId: string;

const prepare = async () => {
  aside = await node.issue({ assignedAgentId: null });
  const [source, target] = [await node.issue(), await node.issue()];
  const url = `/api/projects/issues/${source.id}`;
  const link = { linkType: "RelatedTo", targetIssueId: target.id };
  linkId = (await node.call("POST", `${url}/links`, { body: link })).body.id;
  const question = { prompt: "Which slates?", blocking: false };
  questionId = (await node.call("POST", `${url}/questions`, { body: question })).body.id;
  return url;
};

/** A write of a service's tool, with arguments that would succeed. */
const writes: ReadonlyArray<readonly [tool: string, args: (caller: Caller) => object]> = [
  ["issue_create", () => ({ projectId: "p1", title: "Late" })],
  ["plan_create", () => ({ projectId: "p1", issues: [{ ref: "a", title: "Late" }] })],
  ["issue_update", () => ({ issueId: aside.id, title: "Late" })],
  ["issue_link", (c) => ({ issueId: aside.id, targetIssueId: c.issueId, linkType: "RelatedTo" })],
  ["issue_unlink", () => ({ linkId })],
  ["question_withdraw", () => ({ questionId })],
  ["attachment_add", () => ({ issueId: aside.id, fileName: "late.txt", text: "x" })],
  ["ask", () => ({ issueId: aside.id, prompt: "Late?", blocking: false })],
];

/** The outcome of a write: `sent` if it was carried out, otherwise its code and reason. */
const written = (answer: Answer): Outcome => {
  const { content, isError } = bodyOf(answer).result;
  const { error, reason } = JSON.parse(content[0].text);
  return isError === true ? { reason: `${error} ${reason}` } : "sent";
};

const viaMcp = async (params: Record<string, unknown>, headers: Record<string, string>) => {
  const message = Agent.stateless("tools/call", params);
  const named = { ...message.headers, "mcp-name": String(params["name"]), ...headers };
  return written(await node.post(message.body, named));
};

const writing: ReadonlyArray<Road> = [
  ...writes.flatMap(([name, args]): ReadonlyArray<Road> => [
    {
      name: `${name}, header`,
      names: "run",
      send: (c) => viaMcp({ name, arguments: args(c) }, run(c)),
    },
    {
      name: `${name}, worker`,
      names: "worker",
      send: (c) => viaMcp({ name, arguments: args(c) }, worker(c)),
    },
    {
      name: `legacy ${name}, session`,
      names: "worker",
      isLegacy: true,
      send: async (c) => {
        const params = { name, arguments: args(c) };
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
        return written(await node.post(message, session(c)));
      },
    },
  ]),
  {
    name: "REST, header",
    names: "run",
    send: async (c) => {
      const { body, status } = await node.as(node.agent.key)(
        "PUT",
        `/api/projects/issues/${aside.id}`,
        { body: { title: "Late" }, headers: run(c) },
      );
      return status === 200 ? "sent" : { reason: `${body.type.split(":").at(-1)} ${body.reason}` };
    },
  },
];

describe("the end of a run before a write", () => {
  for (const ending of ends) {
    it(`[run.fence.writes] ${ending.name}: each road refuses each write, and nothing is written`, async () => {
      const held = ending.name === "takeover";
      // A process that took its run over again writes for the new one.
      const roads = held ? writing.filter(({ names }) => names === "run") : writing;
      const linked = await prepare();
      const callers = await running(roads);
      await end(ending, callers);
      for (const [n, outcome] of (await call(callers)).entries()) {
        const where = `${roads[n]?.name}, ${ending.name}`;
        assert.deepStrictEqual(outcome, { reason: `run-ended ${ending.reason}` }, where);
      }
      const read = async (path: string) => (await other.call("GET", path)).body;
      const late = await read("/api/projects/p1/issues?q=Late");
      assert.deepStrictEqual(late.items ?? late, []);
      const url = `/api/projects/issues/${aside.id}`;
      const { links, title } = await read(url);
      assert.deepStrictEqual([title, links], [aside["title"], []]);
      assert.deepStrictEqual(await read(`${url}/attachments`), []);
      assert.deepStrictEqual(await read(`${url}/questions`), []);
      assert.deepInclude((await read(`${linked}/links`))[0], { id: linkId });
      assert.deepInclude((await read(`${linked}/questions`))[0], {
        id: questionId,
        status: "open",
      });
    });
  }
});
