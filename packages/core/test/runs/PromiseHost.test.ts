import { assert, describe, it, onTestFinished } from "@effect/vitest";
import { AgentHost, Errors, Issues, Principal, PromiseHost, Runs } from "@quartermaster/core";
import { Callers, type TestCore } from "@quartermaster/testing";
import { Effect, Layer, ManagedRuntime } from "effect";
import * as TestStorage from "../support/Storage.ts";

type Services = TestCore.McpServices | Principal.CurrentPrincipal;

/** The host, and the agents' runs with the methods that `change` replaces. */
const hostOver = (change: (runs: Runs.Runs["Service"]) => Partial<Runs.Runs["Service"]>) =>
  Layer.fresh(AgentHost.AgentHost.layerNoDeps).pipe(
    Layer.provide(
      Layer.effect(
        Runs.Runs,
        Effect.map(Runs.Runs, (runs) => ({ ...runs, ...change(runs) })),
      ),
    ),
    Layer.provideMerge(TestStorage.layerMcp),
  );

/** The services that a test needs, as plain promises. */
const start = async (layer: typeof TestStorage.layerMcp = TestStorage.layerMcp) => {
  const maria = Layer.succeed(Principal.CurrentPrincipal, Callers.user("maria"));
  const runtime = ManagedRuntime.make(Layer.merge(layer, maria));
  onTestFinished(() => runtime.dispose());
  const run = <A, E>(effect: Effect.Effect<A, E, Services>) => runtime.runPromise(effect);
  const issues = <A, E>(
    f: (service: Issues.Issues["Service"]) => Effect.Effect<A, E, Principal.CurrentPrincipal>,
  ) => run(Issues.Issues.use(f));
  return {
    agent: await PromiseHost.make(runtime).agent("bot"),
    create: (title: string) =>
      issues((service) => service.create("project", { title, assignedAgentId: "bot" })),
    get: (id: string) => issues((service) => service.get(id)),
    pause: (id: string) => issues((service) => service.pause(id)),
    runs: () =>
      run(Runs.Runs.use((runs) => runs.list("bot", { order: "asc" }))).then(({ items }) => items),
  };
};

/** An interval between heartbeats that is short enough for a test. */
const quick = { heartbeatSeconds: 0.005 };

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail("it was not rejected"),
    (error: unknown) => error as { readonly _tag?: string; readonly message: string },
  );

describe("PromiseHost", () => {
  it("[host.promises] tasks come one after the other, until the signal", async () => {
    const { agent, create, get } = await start();
    const made = [await create("1"), await create("2"), await create("3")];
    const controller = new AbortController();
    const seen: Array<string> = [];
    for await (const task of agent.tasks({ ...quick, signal: controller.signal })) {
      seen.push(task.issue.title);
      const { action } = await task.turn();
      assert.strictEqual(action, "continue");
      assert.strictEqual((await task.finish({ outcome: "resolved" })).status, "Resolved");
      // The last issue is created only after heartbeats that found nothing.
      if (seen.length === 3) void create("4");
      if (seen.length === 4) controller.abort();
    }
    assert.deepStrictEqual(seen, ["1", "2", "3", "4"]);
    for (const { id } of made) assert.strictEqual((await get(id)).status, "Resolved");
  });

  it("[host.promises] a turn rejects with Stopped when the agent has to stop", async () => {
    const { agent, create, get, pause, runs } = await start();
    const { id } = await create("Paused");
    const other = await create("Another");
    for await (const task of agent.tasks(quick)) {
      if (task.issue.id === other.id) break;
      await pause(id);
      assert.deepInclude<object>(await rejection(task.turn()), {
        _tag: "Stopped",
        reason: "paused",
      });
      assert.deepInclude<object>(await rejection(task.finish({ outcome: "resolved" })), {
        _tag: "Stopped",
      });
    }
    assert.deepInclude(await get(id), { status: "Open", paused: true });
    assert.deepInclude((await runs())[0], { status: "ended", outcome: null });
  });

  it("[host.promises] leaving the loop releases a task that was not handed in", async () => {
    const { agent, create, get, runs } = await start();
    const { id } = await create("Left");
    for await (const task of agent.tasks(quick)) {
      assert.strictEqual(task.issue.id, id);
      break;
    }
    assert.deepInclude(await get(id), { status: "Open", paused: false });
    const failing = async () => {
      for await (const task of agent.tasks(quick)) throw new Error(task.issue.title);
    };
    assert.strictEqual((await rejection(failing())).message, "Left");
    assert.deepStrictEqual(
      (await runs()).map(({ outcome }) => outcome),
      ["released", "released"],
    );
  });

  it("[host.promises] a loop whose signal is already aborted picks nothing up", async () => {
    const { agent, create, get } = await start();
    const { id } = await create("Never started");
    for await (const task of agent.tasks({ ...quick, signal: AbortSignal.abort() })) {
      assert.fail(task.issue.title);
    }
    assert.strictEqual((await get(id)).status, "Open");
  });

  it("[host.promises][host.rhythm] heartbeats that cannot keep a lease are refused", async () => {
    const { agent } = await start();
    for (const heartbeatSeconds of [0, -1, 300]) {
      const next = agent.tasks({ heartbeatSeconds }).next();
      assert.deepInclude<object>(await rejection(next), { _tag: "InvalidRequest" });
    }
  });

  it("[host.promises] heartbeats keep the run while the loop is busy with it", async () => {
    const { agent, create, runs } = await start();
    await create("Long");
    for await (const task of agent.tasks({ ...quick, leaseSeconds: 5 })) {
      const [before] = await runs();
      for (;;) {
        await nextTurn();
        const [now] = await runs();
        if ((now?.leaseExpiresAt ?? "") > (before?.leaseExpiresAt ?? "")) break;
      }
      await task.finish({ outcome: "review" });
      break;
    }
    assert.deepInclude((await runs())[0], { status: "ended", outcome: "review" });
  });

  it("[host.promises] tools and calls reject with the error that refuses them", async () => {
    const { agent, create } = await start();
    await create("Tools");
    for await (const task of agent.tasks(quick)) {
      assert.deepStrictEqual((await task.tools()).tools, []);
      assert.deepInclude<object>(await rejection(task.call("nothing__at-all")), {
        _tag: "ToolUnavailable",
        reason: "unknownTool",
      });
      break;
    }
  });

  it("[host.promises] an issue that your own heartbeat started can be worked on", async () => {
    const { agent, create } = await start();
    const { id } = await create("By hand");
    const [started] = (await agent.heartbeat()).started;
    if (started === undefined) assert.fail("nothing was started");
    const task = agent.task(started);
    assert.deepStrictEqual([task.runId, task.issue.id], [started.runId, id]);
    assert.strictEqual((await task.turn()).action, "continue");
    assert.deepStrictEqual(await task.comments(), { items: [], next: null });
    assert.strictEqual((await task.finish({ outcome: "review" })).status, "PendingReview");
  });

  for (const isRetryable of [true, false]) {
    const what = isRetryable ? "for a moment is asked again" : "permanently ends the loop";
    it(`[host.promises][host.transient] storage that fails ${what}`, async () => {
      let failures = 1;
      const { agent, create, get } = await start(
        hostOver((runs) => ({
          heartbeat: (...args) =>
            Effect.suspend(() =>
              failures-- > 0
                ? Effect.fail(new Errors.StorageError({ reason: "busy", isRetryable }))
                : runs.heartbeat(...args),
            ),
        })),
      );
      const { id } = await create("Late");
      const loop = async () => {
        for await (const task of agent.tasks(quick)) {
          await task.finish({ outcome: "resolved" });
          break;
        }
      };
      if (isRetryable) await loop();
      else assert.deepInclude<object>(await rejection(loop()), { _tag: "StorageError" });
      assert.strictEqual((await get(id)).status, isRetryable ? "Resolved" : "Open");
    });
  }

  it("[host.promises][host.transient] a release is retried while storage fails", async () => {
    let failures = 1;
    const { agent, create, runs } = await start(
      hostOver((service) => ({
        finish: (...args) =>
          Effect.suspend(() =>
            failures-- > 0
              ? Effect.fail(new Errors.StorageError({ reason: "busy", isRetryable: true }))
              : service.finish(...args),
          ),
      })),
    );
    await create("Left");
    for await (const task of agent.tasks(quick)) {
      assert.strictEqual(task.issue.title, "Left");
      break;
    }
    assert.deepInclude((await runs())[0], { status: "ended", outcome: "released" });
  });

  it("[host.promises] a signal ends the loop while storage fails", async () => {
    const controller = new AbortController();
    const { agent } = await start(
      hostOver(() => ({
        heartbeat: () => {
          setTimeout(() => controller.abort(), 5);
          return Effect.fail(new Errors.StorageError({ reason: "busy", isRetryable: true }));
        },
      })),
    );
    for await (const task of agent.tasks({ ...quick, signal: controller.signal })) {
      assert.fail(task.issue.title);
    }
  });

  it("[host.promises] an issue that a heartbeat picks up while the signal aborts is released", async () => {
    const controller = new AbortController();
    const { agent, create, get, runs } = await start(
      hostOver((service) => ({
        heartbeat: (...args) =>
          Effect.tap(service.heartbeat(...args), () => Effect.sync(() => controller.abort())),
      })),
    );
    const { id } = await create("Aborted at its start");
    for await (const task of agent.tasks({ ...quick, signal: controller.signal })) {
      assert.fail(task.issue.title);
    }
    assert.strictEqual((await get(id)).status, "Open");
    assert.deepStrictEqual(
      (await runs()).map(({ outcome }) => outcome),
      ["released"],
    );
  });
});
