import { assert, describe } from "@effect/vitest";
import {
  AgentSecrets,
  CoreOptions,
  CurrentKey,
  CurrentRun,
  EventLog,
  Housekeeping,
  Issues,
  RunLogs,
  RunLogStore,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Fiber, Layer, Option, Redacted, Stream } from "effect";
import { TestClock } from "effect/testing";
import { check, checkWith, executing, finish, refusal, turn } from "../support/World.ts";

const secret = "correct-horse-battery-staple";

type Entries = Parameters<(typeof RunLogs.RunLogs)["Service"]["append"]>[2]["entries"];

const lines = (...texts: ReadonlyArray<string>): Entries =>
  texts.map((text) => ({ stream: "stdout", text }));

const write = (runId: string, from: number, entries: Entries, writer?: string) =>
  RunLogs.RunLogs.use((logs) =>
    logs.append("bot", runId, { from, entries, ...(writer === undefined ? {} : { writer }) }),
  );

const read = (
  runId: string,
  query: Parameters<(typeof RunLogs.RunLogs)["Service"]["read"]>[2] = {},
) => RunLogs.RunLogs.use((logs) => logs.read("bot", runId, query));

const texts = (runId: string) =>
  Effect.map(read(runId, { limit: 5_000 }), ({ entries }) => entries.map(({ text }) => text));

describe("RunLogs", () => {
  check(
    "[logs.append] entries get numbers in the run, and writers have numbers of their own",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      const control = "\u0000\u001b[31mred\u001b[0m\r\n\u2028\ud800";
      const first = yield* write(runId, 0, [
        { stream: "stdout", text: control, at: "2026-11-23T20:00:00+01:00" },
        { stream: "stderr", text: "" },
      ]);
      assert.deepStrictEqual([first.next, first.dropped], [2, 0]);
      assert.strictEqual((yield* write(runId, 1, lines("hook"), "hooks")).next, 2);
      assert.strictEqual((yield* write(runId, 2, lines("c"))).next, 3);
      const page = yield* read(runId);
      assert.deepStrictEqual(page, {
        entries: [
          {
            n: 1,
            at: "2026-11-23T19:00:00.000Z",
            writer: "runner",
            stream: "stdout",
            text: control.toWellFormed(),
          },
          { n: 2, at: "1970-01-01T00:00:00.000Z", writer: "runner", stream: "stderr", text: "" },
          { n: 3, at: "1970-01-01T00:00:00.000Z", writer: "hooks", stream: "stdout", text: "hook" },
          { n: 4, at: "1970-01-01T00:00:00.000Z", writer: "runner", stream: "stdout", text: "c" },
        ],
        next: 4,
        dropped: 0,
        ended: false,
      });
      const numbers = (query: Parameters<typeof read>[1]) =>
        Effect.map(read(runId, query), ({ entries, next }) => [entries.map(({ n }) => n), next]);
      assert.deepStrictEqual(yield* numbers({ after: 1, limit: 2 }), [[2, 3], 3]);
      assert.deepStrictEqual(yield* numbers({ writer: "hooks" }), [[3], 4]);
      assert.deepStrictEqual(yield* numbers({ stream: "stderr", limit: 1 }), [[2], 2]);
      assert.deepStrictEqual(yield* numbers({ after: 9 }), [[], 9]);
    }),
  );

  check(
    "[logs.repeat] an overlap stores what is new; a gap, or a repeat with other texts, stores nothing",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      yield* write(runId, 0, lines("a", "b"));
      yield* write(runId, 2, lines("c"));
      assert.strictEqual((yield* write(runId, 0, lines("a", "b", "c"))).next, 3);
      assert.strictEqual((yield* write(runId, 1, lines("b", "c", "d"))).next, 4);
      for (const [from, entries] of [
        [5, lines("f")],
        [0, lines("a", "B", "c", "d", "e")],
        [1, [{ stream: "stderr", text: "b" }]],
      ] as const) {
        const { _tag, next } = yield* refusal(write(runId, from, entries));
        assert.deepStrictEqual([_tag, next], ["LogGap", 4]);
      }
      assert.deepStrictEqual(yield* texts(runId), ["a", "b", "c", "d"]);
      const gap = yield* refusal(write(runId, 2, lines("x"), "new"));
      assert.deepStrictEqual([gap._tag, gap["next"]], ["LogGap", 1]);
    }),
  );

  check(
    "[logs.limits] a request has 1,000 entries and 256 KiB of texts, and a run 8 writers",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      const most = 256 * 1024;
      yield* write(runId, 0, lines("ä".repeat(most / 2)));
      const large = yield* refusal(write(runId, 1, lines("ä".repeat(most / 2), "x")));
      assert.deepStrictEqual([large._tag, large["limitBytes"]], ["PayloadTooLarge", most]);
      yield* write(runId, 1, lines(...Array.from({ length: 1_000 }, () => "")));
      const many = lines(...Array.from({ length: 1_001 }, () => ""));
      assert.strictEqual((yield* refusal(write(runId, 1_001, many)))._tag, "InvalidRequest");
      for (let n = 2; n <= 8; n++) yield* write(runId, 0, lines("x"), `w${n}`);
      const ninth = yield* refusal(write(runId, 0, lines("x"), "w9"));
      assert.deepStrictEqual([ninth._tag, ninth["limit"]], ["LimitExceeded", 8]);
      for (const writer of ["", "a b", "x".repeat(33)]) {
        assert.strictEqual((yield* refusal(write(runId, 0, [], writer)))._tag, "InvalidRequest");
      }
    }),
  );

  check(
    "[logs.who] an agent writes to the log of a run that it started or names, and an Editor to any",
    Effect.gen(function* () {
      const { runId } = yield* executing().pipe(
        Effect.provideService(CurrentKey.CurrentKey, "key_a"),
      );
      const other = yield* executing();
      const asBot = <A, E, R>(key: string, call: Effect.Effect<A, E, R>) =>
        call.pipe(
          Callers.as(Callers.agent("bot")),
          Effect.provideService(CurrentKey.CurrentKey, key),
        );
      yield* asBot("key_a", write(runId, 0, lines("a")));
      assert.strictEqual(
        (yield* refusal(asBot("key_b", write(runId, 1, lines("b")))))._tag,
        "Forbidden",
      );
      const naming = (id: string) =>
        Effect.provideService(CurrentRun.CurrentRun, { id, agentId: "bot" });
      yield* asBot("key_b", write(runId, 1, lines("b"))).pipe(naming(runId));
      const wrong = asBot("key_a", write(runId, 2, lines("c"))).pipe(naming(other.runId));
      assert.strictEqual((yield* refusal(wrong))._tag, "Forbidden");
      const foreign = write(runId, 2, lines("c")).pipe(Callers.as(Callers.agent("mallory")));
      assert.strictEqual((yield* refusal(foreign))._tag, "Forbidden");
      yield* write(runId, 2, lines("c"));
      assert.deepStrictEqual(yield* texts(runId), ["a", "b", "c"]);
    }),
  );

  check(
    "[logs.fence] a run that has to stop writes on, one that ended for 10 minutes, and one without its issue does not",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* issues.pause(issue.id);
      yield* write(runId, 0, lines("a"));
      yield* turn(runId);
      yield* TestClock.adjust("10 minutes");
      yield* write(runId, 1, lines("b"));
      yield* TestClock.adjust("1 second");
      const late = yield* refusal(write(runId, 2, lines("c")));
      assert.deepStrictEqual([late._tag, late["reason"]], ["RunEnded", "paused"]);
      const deleted = yield* executing();
      yield* write(deleted.runId, 0, lines("a"));
      yield* issues.remove(deleted.issue.id, { confirm: true });
      const gone = yield* refusal(write(deleted.runId, 1, lines("b")));
      assert.deepStrictEqual([gone._tag, gone["reason"]], ["RunEnded", "deleted"]);
    }),
  );

  check(
    "[logs.deleted] the log of a run goes with its issue",
    Effect.gen(function* () {
      const store = yield* RunLogStore.RunLogStore;
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      const other = yield* executing();
      yield* write(runId, 0, lines("a"));
      yield* write(other.runId, 0, lines("b"));
      yield* issues.remove(issue.id, { confirm: true });
      assert.deepStrictEqual(yield* store.get(runId), Option.none());
      assert.deepStrictEqual(yield* store.list(runId, 0, 10), []);
      assert.deepStrictEqual(yield* texts(other.runId), ["b"]);
    }),
  );

  const secrets = Layer.succeed(AgentSecrets.AgentSecrets, {
    valuesOf: () => Effect.succeed([Redacted.make(secret)]),
  });

  checkWith(
    secrets,
    "[logs.secrets] a secret that is split over two requests goes from the stored entry too",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      yield* write(runId, 0, [
        { stream: "stdout", text: "first" },
        { stream: "stdout", text: "my correct-horse" },
        { stream: "stderr", text: "other" },
      ]);
      yield* write(runId, 3, lines("-battery-"));
      const { bytes } = yield* write(runId, 4, lines("staple!"));
      const scrubbed = ["first", "my [secret]", "other", "", "!"];
      assert.deepStrictEqual(yield* texts(runId), scrubbed);
      assert.strictEqual(bytes, scrubbed.join("\n").length + 1);
      const repeated = yield* write(runId, 3, lines("-battery-", "staple!", "end"));
      assert.deepStrictEqual([repeated.next, (yield* texts(runId)).at(-1)], [6, "end"]);
    }),
  );

  check(
    "[logs.limits.run] a log of 100 MiB retains its first and its newest entries",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      const size = 128 * 1024;
      const text = (n: number) => `${n} `.padEnd(size - 1, "x");
      let last = { next: 0, bytes: 0, dropped: 0 };
      for (let n = 0; n < 800; n++) last = yield* write(runId, n, lines(text(n)));
      const mebibyte = 1024 * 1024;
      assert.isTrue(last.bytes <= 16 * mebibyte && last.bytes >= 14.5 * mebibyte, `${last.bytes}`);
      assert.strictEqual(last.dropped, 800 - last.bytes / size);
      let after = 0;
      const numbers: Array<number> = [];
      for (;;) {
        const page = yield* read(runId, { after });
        if (page.entries.length === 0) break;
        numbers.push(...page.entries.map(({ n }) => n));
        after = page.next;
        assert.strictEqual(page.dropped, last.dropped);
      }
      assert.deepStrictEqual(numbers.slice(0, 9), [1, 2, 3, 4, 5, 6, 7, 8, 9 + last.dropped]);
      assert.deepStrictEqual([numbers.at(-1), numbers.length], [800, 800 - last.dropped]);
      const logs = yield* RunLogs.RunLogs;
      const all = yield* Stream.runCollect(yield* logs.text("bot", runId));
      const written = all.join("");
      assert.include(written, `\n[${last.dropped} entries were dropped]\n`);
      assert.strictEqual(written.match(/\n/g)?.length, numbers.length + 1);
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      logBytes: 2_500,
      logDays: 2,
    }),
    "[logs.limits.all] beyond the limit of all logs the runs that ended first lose theirs, and each log goes in the end",
    Effect.gen(function* () {
      const housekeeping = yield* Housekeeping.Housekeeping;
      const logs = yield* RunLogs.RunLogs;
      const text = "x".repeat(999);
      const runs = [yield* executing(), yield* executing(), yield* executing()] as const;
      const [first, second, live] = runs.map(({ runId }) => runId) as [string, string, string];
      yield* write(live, 0, lines(text));
      yield* write(first, 0, lines(text));
      yield* finish(first, "review");
      yield* TestClock.adjust("1 second");
      yield* write(second, 0, lines(text));
      yield* finish(second, "review");
      yield* logs.keepWithinBytes;
      assert.deepStrictEqual(yield* texts(first), []);
      assert.strictEqual((yield* read(first)).dropped, 1);
      assert.deepStrictEqual([yield* texts(second), yield* texts(live)], [[text], [text]]);
      assert.strictEqual((yield* write(first, 1, lines("y"))).next, 2);
      assert.deepStrictEqual(
        (yield* read(first)).entries.map(({ n }) => n),
        [2],
      );
      yield* logs.keepWithinBytes;
      yield* TestClock.adjust("3 days");
      yield* housekeeping.once;
      const store = yield* RunLogStore.RunLogStore;
      assert.isTrue(Option.isSome(yield* store.get(first)), "the clock jumped");
      yield* TestClock.adjust("61 minutes");
      yield* housekeeping.once;
      assert.deepStrictEqual(yield* store.get(first), Option.none());
    }),
  );

  check(
    "[logs.wait] a reader waits for the next entry, and learns of the run's end",
    Effect.gen(function* () {
      const { runId } = yield* executing();
      const reading = yield* Effect.forkChild(read(runId, { waitSeconds: 55 }), {
        startImmediately: true,
      });
      yield* write(runId, 0, lines("a"));
      const page = yield* Fiber.join(reading);
      assert.deepStrictEqual(
        page.entries.map(({ text }) => text),
        ["a"],
      );
      const waiting = yield* Effect.forkChild(read(runId, { after: page.next, waitSeconds: 3 }), {
        startImmediately: true,
      });
      yield* finish(runId, "review");
      yield* TestClock.adjust("1 second");
      const { ended, entries, next } = yield* Fiber.join(waiting);
      assert.deepStrictEqual([ended, entries, next], [true, [], 1]);
    }),
  );

  check(
    "[logs.event] subscribers get run.logged, which is not stored",
    Effect.gen(function* () {
      const log = yield* EventLog.EventLog;
      const { issue, runId } = yield* executing();
      const events = yield* log.subscribe();
      const collected = yield* Effect.forkChild(Stream.runCollect(Stream.take(events, 1)), {
        startImmediately: true,
      });
      yield* write(runId, 0, lines("a"));
      const [event] = yield* Fiber.join(collected);
      assert.deepStrictEqual(
        [event?.kind, event?.subjectId, event?.projectId, event?.data],
        ["run.logged", runId, "project", { agentId: "bot", issueId: issue.id }],
      );
      const error = yield* refusal(log.subscribe({ afterId: event?.id }));
      assert.strictEqual(error._tag, "InvalidRequest");
    }),
  );
});
