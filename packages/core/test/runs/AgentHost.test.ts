import { assert, describe } from "@effect/vitest";
import {
  AgentHost,
  Comments,
  Errors,
  type Heartbeat,
  Issues,
  RunLogs,
  Runs,
} from "@quartermaster/core";
import { Effect, Fiber, Layer, Stream } from "effect";
import { check, world } from "../support/McpWorld.ts";

const host = (agentId = "bot") =>
  AgentHost.AgentHost.use(({ agent }) => Effect.succeed(agent(agentId)));
const create = (title = "Mend the roof", assignedAgentId = "bot") =>
  Issues.Issues.use((issues) => issues.create("project", { title, assignedAgentId }));
const statusOf = (id: string) =>
  Issues.Issues.use((issues) => Effect.map(issues.get(id), ({ status }) => status));
const isPaused = (id: string) =>
  Issues.Issues.use((issues) => Effect.map(issues.get(id), ({ paused }) => paused));
const pause = (id: string) => Issues.Issues.use((issues) => issues.pause(id));
const lastComment = (id: string) =>
  Comments.Comments.use((comments) =>
    Effect.map(comments.list(id), ({ items }) => items.at(-1)?.content),
  );
const runs = (agentId = "bot") =>
  Runs.Runs.use((service) =>
    Effect.map(service.list(agentId, { order: "asc" }), ({ items }) => items),
  );
const started = Effect.gen(function* () {
  const agent = yield* host();
  const [one] = (yield* agent.heartbeat()).started;
  return one === undefined ? yield* Effect.die("nothing was started") : agent.task(one);
});

type Handed = typeof Heartbeat.Finish.Encoded;

/** Runs the agent in the background. */
const working = Effect.fnUntraced(function* <E, R>(
  work: (task: AgentHost.Task) => Effect.Effect<Handed, E | AgentHost.Stopped, R>,
  options?: AgentHost.WorkOptions,
) {
  const agent = yield* host();
  return yield* Effect.forkChild(agent.work(work, options));
});
const become = Effect.fnUntraced(function* (id: string, status: string) {
  yield* world.idle;
  assert.strictEqual(yield* statusOf(id), status);
});

describe("AgentHost", () => {
  check(
    "[host.task] heartbeat, turn and finish act as the agent itself",
    Effect.gen(function* () {
      const { id } = yield* create();
      const task = yield* started;
      assert.strictEqual(task.issue.id, id);
      yield* Comments.Comments.use((comments) =>
        comments.create(id, { content: "Mind the cat", authorType: "User" }),
      );
      const { action, comments } = yield* task.turn;
      assert.deepStrictEqual(
        [action, comments.map(({ content }) => content)],
        ["continue", ["Mind the cat"]],
      );
      const done = yield* task.finish({ outcome: "review", comment: "It is dry." });
      assert.strictEqual(done.status, "PendingReview");
      const [, last] = (yield* Comments.Comments.use((service) => service.list(id))).items;
      assert.deepInclude(last, { content: "It is dry.", authorType: "Agent", authorId: "bot" });
      const again = yield* Effect.flip(task.finish({ outcome: "resolved" }));
      assert.deepInclude(again, { _tag: "Stopped", reason: "statusChanged" });
    }),
  );

  check(
    "[host.tools] a task lists and calls the granted tools",
    Effect.gen(function* () {
      const { id, server } = yield* world.running();
      yield* create();
      const task = yield* started;
      const { revision, tools } = yield* task.tools;
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        ["test-notes__add"],
      );
      const said: Array<unknown> = [];
      server.onCall = ({ progress }) =>
        progress({ progress: 1 }).pipe(Effect.as({ content: [{ type: "text", text: "3" }] }));
      const { content } = yield* task.call(
        "test-notes__add",
        { a: 1, b: 2 },
        { onProgress: (progress) => Effect.sync(() => said.push(progress)) },
      );
      assert.deepStrictEqual(content, [{ type: "text", text: "3" }]);
      assert.deepStrictEqual(server.calls[0]?.args, { a: 1, b: 2 });
      assert.lengthOf(said, 1);
      yield* world.revoke(id);
      assert.notStrictEqual((yield* task.turn).toolsRevision, revision);
      const refused = yield* Effect.flip(task.call("test-notes__add"));
      assert.deepInclude(refused, { _tag: "ToolUnavailable", reason: "notGranted" });
    }),
  );

  check(
    "[host.acts] a task attaches, asks, notes and logs in the name of its agent",
    Effect.gen(function* () {
      yield* create();
      const task = yield* started;
      const file = { fileName: "tables.txt", contentType: "text/plain" };
      const bytes = Stream.make(new TextEncoder().encode("orders"));
      assert.deepInclude(yield* task.attach({ ...file, bytes }), {
        fileName: "tables.txt",
        size: 6,
      });
      assert.deepInclude(yield* task.ask({ prompt: "Which side?", blocking: false }), {
        runId: task.runId,
        askedBy: { type: "Agent", id: "bot" },
      });
      assert.strictEqual((yield* task.note("Drawing")).action, "continue");
      const invalid = yield* Effect.flip(task.note(""));
      assert.strictEqual(invalid._tag, "InvalidRequest");
      yield* Effect.all([task.log("one"), task.log("two\n")], { concurrency: 2 });
      const { entries } = yield* RunLogs.RunLogs.use((logs) => logs.read("bot", task.runId));
      assert.deepStrictEqual(
        entries.map(({ text, writer }) => [writer, text]),
        [
          ["task", "one\n"],
          ["task", "two\n"],
        ],
      );
      yield* task.finish({ outcome: "resolved" });
      const late: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        task.attach({ ...file, bytes }),
        task.note("Late"),
        task.ask({ prompt: "Late?" }),
      ];
      for (const act of late) assert.strictEqual((yield* Effect.flip(act))._tag, "Stopped");
    }),
  );

  check(
    "[host.stop] an agent that has to stop learns it at its turn, and leaves the issue as it is",
    Effect.gen(function* () {
      const { id } = yield* create();
      const seen: Array<string> = [];
      const fiber = yield* working((task) =>
        Effect.gen(function* () {
          yield* task.turn;
          yield* pause(task.issue.id);
          yield* Effect.tapError(task.turn, (error) =>
            Effect.sync(() => seen.push(error._tag === "Stopped" ? error.reason : error._tag)),
          );
          return { outcome: "resolved" } as const;
        }),
      );
      yield* world.idle;
      assert.isAbove(seen.length, 0);
      assert.deepStrictEqual(seen, ["paused"]);
      yield* world.idle;
      assert.deepStrictEqual([yield* statusOf(id), yield* isPaused(id)], ["Open", true]);
      assert.strictEqual((yield* runs())[0]?.outcome, null);
      assert.strictEqual(yield* lastComment(id), undefined);
      yield* Fiber.interrupt(fiber);
    }),
  );

  check(
    "[host.stop] Stopped has the comments by others once",
    Effect.gen(function* () {
      const { id } = yield* create();
      const task = yield* started;
      const say = (content: string) =>
        Comments.Comments.use((comments) => comments.create(id, { content, authorType: "User" }));
      yield* say("Mind the cat");
      yield* task.turn;
      yield* pause(id);
      yield* say("Mend the door first");
      const stop = (yield* Effect.flip(task.turn)) as AgentHost.Stopped;
      assert.deepStrictEqual(
        [stop._tag, stop.reason, stop.comments.map(({ content }) => content)],
        ["Stopped", "paused", ["Mend the door first"]],
      );
      const again = yield* Effect.flip(task.turn);
      assert.deepInclude(again, { _tag: "Stopped", reason: "paused", comments: [] });
    }),
  );

  check(
    "[host.comments] all comments of the issue can be read, page by page",
    Effect.gen(function* () {
      const { id } = yield* create();
      for (const content of ["one", "two", "three"]) {
        yield* Comments.Comments.use((comments) =>
          comments.create(id, { content, authorType: "User" }),
        );
      }
      const task = yield* started;
      assert.deepStrictEqual((yield* task.turn).comments, []);
      const first = yield* task.comments({ limit: 2 });
      const second = yield* task.comments({ limit: 2, cursor: first.next ?? "" });
      assert.deepStrictEqual(
        [...first.items, ...second.items].map(({ content }) => content),
        ["one", "two", "three"],
      );
      const bad = yield* Effect.flip(task.comments({ limit: 0 }));
      assert.strictEqual(bad._tag, "InvalidRequest");
    }),
  );

  for (const [how, work, comment] of [
    ["fails", Effect.fail(new Error("No ladder")), "No ladder"],
    ["dies", Effect.die(new TypeError("x is undefined")), "x is undefined"],
    ["throws", undefined, "thrown"],
    ["fails without a word", Effect.fail(""), "The work failed."],
    ["fails with white space", Effect.fail(" \n"), "The work failed."],
    ["fails with broken text", Effect.fail(`${"a".repeat(1_999)}😀`), `${"a".repeat(1_999)}\ufffd`],
    [
      "returns an invalid result",
      Effect.succeed({ outcome: "resolved", comment: "" } as const),
      undefined,
    ],
  ] as const) {
    check(
      `[host.failed] work that ${how} is handed in as failed, with a comment that says why`,
      Effect.gen(function* () {
        const { id } = yield* create();
        const fiber = yield* working(() => {
          if (work === undefined) throw new Error("thrown");
          return work as Effect.Effect<Handed, unknown>;
        });
        yield* world.idle;
        assert.isTrue(yield* isPaused(id));
        assert.strictEqual(yield* statusOf(id), "Open");
        assert.deepInclude((yield* runs())[0], { status: "ended", outcome: "failed" });
        const said = (yield* lastComment(id)) ?? "";
        if (comment === undefined) assert.isAbove(said.length, 0);
        else assert.strictEqual(said, comment);
        yield* Fiber.interrupt(fiber);
      }),
    );
  }

  check(
    "[host.interrupted] interrupted work releases every issue",
    Effect.gen(function* () {
      const ids = (yield* Effect.forEach(["a", "b", "c"], (title) => create(title))).map(
        ({ id }) => id,
      );
      const fiber = yield* working(() => Effect.never, { capacity: 3 });
      for (const id of ids) yield* become(id, "InProgress");
      yield* Fiber.interrupt(fiber);
      for (const id of ids) {
        assert.deepStrictEqual([yield* statusOf(id), yield* isPaused(id)], ["Open", false]);
      }
      for (const run of yield* runs()) assert.deepInclude(run, { outcome: "released" });
    }),
  );

  check(
    "[host.capacity] an agent works on as many issues as its capacity, and polls as soon as one is done",
    Effect.gen(function* () {
      for (const title of ["1", "2", "3", "4", "5", "6"]) yield* create(title);
      const waiting: Array<(now: void) => void> = [];
      let most = 0;
      const fiber = yield* working(
        () =>
          Effect.promise(() => new Promise<void>((resolve) => waiting.push(resolve))).pipe(
            Effect.tap(() => Effect.sync(() => (most = Math.max(most, waiting.length)))),
            Effect.as({ outcome: "resolved" } as const),
          ),
        { capacity: 2 },
      );
      // The test clock does not advance, so only the heartbeat after a finished issue starts the
      // next one.
      for (let done = 0; done < 6; done++) {
        yield* world.idle;
        assert.isAbove(waiting.length, 0);
        const live = (yield* runs()).filter((run) => run.status !== "ended").length;
        assert.isAtMost(live, 2);
        assert.strictEqual(live, Math.min(2, 6 - done));
        waiting.shift()?.();
        yield* world.idle;
        const ended = (yield* runs()).filter(({ outcome }) => outcome !== null);
        assert.lengthOf(ended, done + 1);
      }
      assert.isAtMost(most, 2);
      yield* Fiber.interrupt(fiber);
    }),
  );

  check(
    "[host.released] a released issue comes back with the next heartbeat, not immediately",
    Effect.gen(function* () {
      yield* create();
      let times = 0;
      const fiber = yield* working(() =>
        Effect.sync(() => {
          times += 1;
          return { outcome: "released" } as const;
        }),
      );
      yield* world.idle;
      assert.strictEqual((yield* runs())[0]?.outcome, "released");
      assert.strictEqual(times, 1);
      yield* world.pass("10 seconds");
      assert.strictEqual(times, 2);
      yield* Fiber.interrupt(fiber);
    }),
  );

  check(
    "[host.lease] heartbeats renew the leases of runs in progress",
    Effect.gen(function* () {
      const { id } = yield* create();
      const fiber = yield* working(() => Effect.never, { leaseSeconds: 60, heartbeatSeconds: 5 });
      yield* become(id, "InProgress");
      for (let beat = 0; beat < 20; beat++) yield* world.pass("5 seconds");
      assert.deepStrictEqual(
        (yield* runs()).map(({ status }) => status),
        ["active"],
      );
      yield* Fiber.interrupt(fiber);
    }),
  );

  check(
    "[host.transient] transient failures of storage are retried, at a heartbeat and at a finish",
    Effect.gen(function* () {
      const { id } = yield* create();
      const failing = { heartbeat: 2, finish: 2 };
      const busy = (what: keyof typeof failing) =>
        failing[what]-- > 0
          ? Effect.fail(new Errors.StorageError({ reason: "busy", isRetryable: true }))
          : Effect.void;
      const real = yield* Runs.Runs;
      const layer = Layer.fresh(AgentHost.AgentHost.layerNoDeps).pipe(
        Layer.provide(
          Layer.succeed(Runs.Runs, {
            ...real,
            heartbeat: (...args) =>
              Effect.andThen(
                Effect.suspend(() => busy("heartbeat")),
                real.heartbeat(...args),
              ),
            finish: (...args) =>
              Effect.andThen(
                Effect.suspend(() => busy("finish")),
                real.finish(...args),
              ),
          }),
        ),
      );
      const agent = yield* Effect.provide(host(), layer);
      const fiber = yield* Effect.forkChild(
        agent.work(() => Effect.succeed({ outcome: "resolved" } as const)),
      );
      for (let second = 0; second < 4; second++) yield* world.pass("1 second");
      yield* become(id, "Resolved");
      yield* Fiber.interrupt(fiber);
    }),
  );

  for (const options of [
    { heartbeatSeconds: 0 },
    { heartbeatSeconds: -1 },
    { heartbeatSeconds: Number.NaN },
    { heartbeatSeconds: 300 },
    { leaseSeconds: 10, heartbeatSeconds: 10 },
  ]) {
    check(
      `[host.rhythm] heartbeats that cannot keep a lease are refused: ${Object.entries(options).join()}`,
      Effect.gen(function* () {
        const { id } = yield* create();
        const agent = yield* host();
        const refused = yield* Effect.flip(
          agent.work(() => Effect.succeed({ outcome: "resolved" } as const), options),
        );
        assert.strictEqual(refused._tag, "InvalidRequest");
        assert.match(refused.message, /^heartbeatSeconds: /);
        assert.strictEqual(yield* statusOf(id), "Open");
      }),
    );
  }

  check(
    "[host.rhythm] a short lease gets heartbeats that renew it in time",
    Effect.gen(function* () {
      const { id } = yield* create();
      const fiber = yield* working(() => Effect.never, { leaseSeconds: 9 });
      yield* become(id, "InProgress");
      for (let beat = 0; beat < 6; beat++) yield* world.pass("3 seconds");
      assert.deepStrictEqual(
        (yield* runs()).map(({ status }) => status),
        ["active"],
      );
      yield* Fiber.interrupt(fiber);
    }),
  );
});
