import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { RunStore, Transactor } from "@quartermaster/core";
import { Errors, Quartermaster } from "@quartermaster/embedded";
import { Effect } from "effect";
import { folder, rejection } from "./support/World.ts";

/**
 * The end of a run at each step of a call, in a program that embeds the library. The call goes to one instance, and
 * what ends its run to another one on the same folder. One call acts for the run, another one for none.
 */

const endings: Array<() => Promise<void>> = [];
const onEnd = (end: () => Promise<void>) => endings.unshift(end);
let gates: string;
let node: Quartermaster;
let other: Quartermaster;
let serverId: string;

const open = (gate: "answer" | "open") => writeFileSync(join(gates, gate), "");
const close = (gate: "answer" | "open") => rmSync(join(gates, gate), { force: true });
const log = () => readFileSync(join(gates, "log"), "utf8").trim().split("\n");
const logged = (line: string, count = 1) =>
  vi.waitFor(() => assert.isAtLeast(log().filter((found) => found === line).length, count, line), {
    timeout: 20_000,
    interval: 10,
  });

const entry = () => ({
  id: "gated",
  name: "Gated",
  description: "Responds when the test says so.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "Nothing to do.",
  manifest: {
    command: process.execPath,
    args: [fileURLToPath(new URL("support/gatedServer.ts", import.meta.url)), gates],
  },
});

beforeAll(async () => {
  const dataDir = await folder(onEnd);
  gates = await folder(onEnd);
  open("open");
  open("answer");
  const catalog = join(gates, "catalog.json");
  writeFileSync(catalog, JSON.stringify([entry()]));
  const options = { dataDir, catalogFiles: [catalog], sandbox: "direct" } as const;
  node = await Quartermaster.open(options);
  onEnd(() => node.close());
  other = await Quartermaster.open(options);
  onEnd(() => other.close());
  ({ id: serverId } = await node.servers.install({ catalogId: "gated", name: "gated" }));
  const { details, status } = await node.servers.verify(serverId);
  assert.strictEqual(status, "ok", details);
  await node.servers.enable(serverId);
  await node.agents.put("bot");
  await node.servers.putAccess(serverId, { entries: [{ agentId: "bot", granted: true }] });
});
afterAll(async () => {
  for (const end of endings) await end();
});
afterEach(() => restore());

/** The issues of the runs since the last `restore`. */
const used: Array<string> = [];

/** Leaves no issue that the agent could pick up, and opens everything. */
const restore = async () => {
  open("open");
  open("answer");
  for (const id of used.splice(0)) await other.issues.remove(id, { confirm: true }).catch(() => {});
  await other.agents.put("bot", { paused: false });
};

/** A call, by its number in the log of the server. */
interface Call {
  readonly n: number;
  /** The reason of the refusal; null for a result. */
  readonly refusal: Promise<string | null>;
}

let number = 0;

/** The reason of a refusal: `runEnded` with the reason of the run's end. */
const refusalOf = (error: unknown): string => {
  if (error instanceof Errors.ToolUnavailable) {
    return [error.reason, ...(error.run === undefined ? [] : [error.run.reason])].join(" ");
  }
  throw error;
};

const call = (send: (args: { readonly n: number }) => Promise<unknown>): Call => {
  const n = (number += 1);
  return { n, refusal: send({ n }).then(() => null, refusalOf) };
};

const leaseSeconds = 5;

const running = async () => {
  const { id: issueId } = await node.issues.create("shop", {
    title: "Act",
    assignedAgentId: "bot",
  });
  used.push(issueId);
  const agent = await node.agent("bot");
  const { started } = await agent.heartbeat({ leaseSeconds });
  const [run] = started;
  if (run?.issue.id !== issueId) throw new Error("The agent picked up another issue");
  const task = agent.task(run);
  return {
    issueId,
    runId: run.runId,
    task,
    forRun: () => call((args) => task.call("gated__act", args)),
    forNone: () =>
      call((args) => node.tools.call("bot", { name: "gated__act", arguments: { ...args } })),
  };
};
type Running = Awaited<ReturnType<typeof running>>;

/** The lease of the run is over, as if its agent had been silent for so long. */
const loseLease = ({ runId }: Running) =>
  other.runtime.runPromise(
    Effect.gen(function* () {
      const store = yield* RunStore.RunStore;
      const { transact } = yield* Transactor.Transactor;
      const run = yield* Effect.flatMap(store.get(runId), Effect.fromOption);
      yield* transact(store.update([{ ...run, leaseExpiresAt: "2026-01-01T00:00:00.000Z" }]));
    }),
  );

interface End {
  readonly name: string;
  readonly reason: string;
  readonly end: (run: Running) => unknown;
  /** Whether the run may still comment. */
  readonly mayComment?: false;
  /** The refusal of a call that acts for no run. */
  readonly ofNone?: string;
}

const ends: ReadonlyArray<End> = [
  { name: "pause", reason: "paused", end: ({ issueId }) => other.issues.pause(issueId) },
  {
    name: "reassignment",
    reason: "reassigned",
    end: ({ issueId }) => other.issues.update(issueId, { assignedAgentId: "eve" }),
  },
  { name: "lost lease", reason: "leaseExpired", end: loseLease },
  {
    name: "deletion",
    reason: "deleted",
    end: ({ issueId }) => other.issues.remove(issueId, { confirm: true }),
    mayComment: false,
  },
  {
    name: "pause of the agent",
    reason: "agentPaused",
    end: () => other.agents.put("bot", { paused: true }),
    ofNone: "agentPaused",
  },
];

/** The server received exactly the calls that were not refused. */
const checkArrivals = async (calls: ReadonlyArray<Call>) => {
  for (const { n, refusal } of calls) {
    const expected = (await refusal) === null ? 1 : 0;
    assert.lengthOf(
      log().filter((line) => line === `call ${n}`),
      expected,
      `call ${n}`,
    );
  }
};

/** The next calls after the end are refused: for the run, and for none only if the agent is paused. */
const checkRefused = async (
  { mayComment, ofNone, reason }: End,
  { task }: Running,
  [forRun, forNone]: readonly [Call, Call],
) => {
  assert.deepStrictEqual(
    { forRun: await forRun.refusal, forNone: await forNone.refusal },
    { forRun: `runEnded ${reason}`, forNone: ofNone ?? null },
  );
  await checkArrivals([forRun, forNone]);
  const comment = task.comment("Half of it is done.");
  if (mayComment !== false) await comment;
  else assert.deepInclude(await rejection(comment), { _tag: "Stopped", reason });
};

/** Closes the connection to the server; the next one waits for the gate. */
const disconnect = async () => {
  await node.servers.disable(serverId);
  close("open");
  await node.servers.enable(serverId);
  return log().filter((line) => line === "start").length;
};

describe("the end of a run at each step of a call of the embedded library", () => {
  for (const ending of ends) {
    it(`[run.fence.steps] ${ending.name}: before the call, it is refused`, async () => {
      const run = await running();
      await ending.end(run);
      await checkRefused(ending, run, [run.forRun(), run.forNone()]);
    });

    it(`[run.fence.steps] ${ending.name}: while it waits for its server, the call is not sent`, async () => {
      const run = await running();
      const starts = await disconnect();
      const calls = [run.forRun(), run.forNone()] as const;
      await logged("start", starts + 1);
      await ending.end(run);
      open("open");
      await checkRefused(ending, run, calls);
    });

    it(`[run.fence.steps] ${ending.name}: beside its admission, the call is sent or refused, and the next one is refused`, async () => {
      for (let round = 0; round < 5; round++) {
        const run = await running();
        const calls = [run.forRun(), run.forNone()] as const;
        for (let step = 0; step < round; step++) await Promise.resolve();
        await ending.end(run);
        await checkArrivals(calls);
        await checkRefused(ending, run, [run.forRun(), run.forNone()]);
        await restore();
      }
    });

    it(`[run.fence.steps] ${ending.name}: in flight, the call continues unless its lease is lost, its issue is not claimed, and the next one is refused`, async () => {
      const run = await running();
      close("answer");
      const calls = [run.forRun(), run.forNone()] as const;
      for (const { n } of calls) await logged(`call ${n}`);
      await ending.end(run);
      if (ending.name !== "deletion") {
        const { reasons } = await other.issues.readiness(run.issueId);
        assert.include(
          reasons.map(({ code }) => code),
          "callInFlight",
        );
      }
      if (ending.name === "lost lease") {
        assert.strictEqual(await calls[0].refusal, "runEnded leaseExpired");
        await logged("cancelled");
      }
      open("answer");
      if (ending.name !== "lost lease") assert.isNull(await calls[0].refusal);
      assert.isNull(await calls[1].refusal);
      await checkRefused(ending, run, [run.forRun(), run.forNone()]);
    });
  }
});

describe("the records of calls in the embedded library", () => {
  it("[embedded.services] a host reads the calls of a run, and settles a call whose reply was lost", async () => {
    await node.servers.update(serverId, { once: [{ tools: ["act"] }], recordCalls: "all" });
    const run = await running();
    const { n, refusal } = run.forRun();
    assert.isNull(await refusal);
    const { items } = await node.tools.callsOf("bot", run.runId);
    assert.deepStrictEqual(
      items.map(({ outcome, tool }) => [tool, outcome]),
      [["act", "ok"]],
    );
    const callId = items[0]?.id ?? "";
    assert.deepStrictEqual((await node.tools.recordOf(callId)).arguments, { n });
    const [effect] = await node.effects.list(run.issueId);
    assert.deepInclude(effect, { callId, state: "done" });
    const settled = node.effects.settle(run.issueId, callId, { happened: true, note: "Seen" });
    assert.deepInclude(await rejection(settled), { _tag: "EffectSettled", state: "done" });
    await node.effects.reset(run.issueId);
    await node.servers.update(serverId, { once: null, recordCalls: null });
  });
});
