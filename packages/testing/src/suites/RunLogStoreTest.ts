import { assert, describe } from "@effect/vitest";
import { IssueStore, RunLogStore, RunStore } from "@quartermaster/core";
import { Effect, type Layer, Option } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { block, type It, texts } from "../Suite.ts";

const { RunLogStore: Logs } = RunLogStore;

const rowOf = (
  runId: string,
  overrides: Partial<RunLogStore.RunLogRow> = {},
): RunLogStore.RunLogRow => ({
  runId,
  issueId: "iss_1",
  entries: 2,
  bytes: 10,
  dropped: 0,
  opening: 2,
  writers: { runner: { next: 2, tails: { stdout: "qm_" } } },
  updatedAt: Fixtures.at(0),
  ...overrides,
});

/** A chunk with `count` lines of 10 bytes each, which starts with the entry `first`. */
const chunkOf = (
  runId: string,
  first: number,
  count = 1,
  overrides: Partial<RunLogStore.LogChunk> = {},
): Omit<RunLogStore.LogChunk, "seq"> => ({
  runId,
  writer: "runner",
  first,
  last: first + count - 1,
  number: first - 1,
  bytes: 10 * count,
  lines: Array.from({ length: count }, (_, n): RunLogStore.LogLine => [
    Fixtures.at(n),
    "stdout",
    `line ${n}`,
  ]),
  ...overrides,
});

const put = (row: RunLogStore.RunLogRow) => Logs.use((logs) => transact(logs.put(row)));
const append = (chunk: Omit<RunLogStore.LogChunk, "seq">) =>
  Logs.use((logs) => transact(logs.append(chunk)));
const firsts = (runId: string, after = 0, limit = 100) =>
  Logs.use((logs) =>
    Effect.map(logs.list(runId, after, limit), (chunks) => chunks.map(({ first }) => first)),
  );

const rows = (it: It<Storage>): void => {
  it.effect("put stores every field of a log and replaces it", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const runId = yield* Fixtures.id("run");
      assert.deepStrictEqual(yield* logs.get(runId), Option.none());
      yield* put(rowOf(runId));
      assert.deepStrictEqual(yield* logs.get(runId), Option.some(rowOf(runId)));
      const changed = rowOf(runId, {
        entries: 9,
        bytes: 20_000_000_000,
        dropped: 3,
        opening: 1,
        writers: {},
        updatedAt: Fixtures.at(5),
      });
      yield* put(changed);
      assert.deepStrictEqual(yield* logs.get(runId), Option.some(changed));
    }),
  );

  it.effect.each(texts)("stores the text %j", (text) =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const runId = yield* Fixtures.id("run");
      const lines: ReadonlyArray<RunLogStore.LogLine> = [
        [Fixtures.at(1), "stderr", text],
        [Fixtures.at(2.5), "host", text, true],
      ];
      const chunk = chunkOf(runId, 1, 2, { lines, writer: "hooks", number: 7 });
      yield* append(chunk);
      const [stored] = yield* logs.list(runId, 0, 10);
      assert.deepStrictEqual(stored, { ...chunk, seq: stored?.seq ?? 0 });
    }),
  );

  it.effect("list returns chunks with entries after a number, oldest first", () =>
    Effect.gen(function* () {
      const runId = yield* Fixtures.id("run");
      for (const first of [1, 4, 7]) yield* append(chunkOf(runId, first, 3));
      yield* append(chunkOf(yield* Fixtures.id("run"), 1, 9));
      assert.deepStrictEqual(yield* firsts(runId), [1, 4, 7]);
      assert.deepStrictEqual(yield* firsts(runId, 3), [4, 7]);
      assert.deepStrictEqual(yield* firsts(runId, 5), [4, 7]);
      assert.deepStrictEqual(yield* firsts(runId, 0, 2), [1, 4]);
      assert.deepStrictEqual(yield* firsts(runId, 9), []);
    }),
  );

  it.effect("before returns the writer's newest chunk that starts before a number", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const runId = yield* Fixtures.id("run");
      yield* append(chunkOf(runId, 1, 2, { number: 0 }));
      yield* append(chunkOf(runId, 3, 2, { number: 0, writer: "other" }));
      yield* append(chunkOf(runId, 5, 2, { number: 2 }));
      const first = (number: number, writer = "runner") =>
        Effect.map(logs.before(runId, writer, number), (found) => Option.getOrNull(found)?.first);
      const found = [yield* first(9), yield* first(3), yield* first(2), yield* first(0)];
      assert.deepStrictEqual(found, [5, 5, 1, undefined]);
      assert.deepStrictEqual(yield* first(9, "other"), 3);
      assert.isUndefined(yield* first(9, "none"));
    }),
  );

  it.effect("rewrite replaces lines and size of one chunk", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const runId = yield* Fixtures.id("run");
      yield* append(chunkOf(runId, 1));
      yield* append(chunkOf(runId, 2));
      const [first, ...others] = yield* logs.list(runId, 0, 2);
      if (first === undefined) return assert.fail("nothing was stored");
      const lines: ReadonlyArray<RunLogStore.LogLine> = [[Fixtures.at(0), "stdout", "x", true]];
      const rewritten = { ...first, lines, bytes: 2 };
      yield* transact(logs.rewrite(rewritten));
      assert.deepStrictEqual(yield* logs.list(runId, 0, 2), [rewritten, ...others]);
    }),
  );

  it.effect(
    "trim removes the oldest chunks after an entry, as few as have at least that size",
    () =>
      Effect.gen(function* () {
        const logs = yield* Logs;
        const runId = yield* Fixtures.id("run");
        for (const first of [1, 3, 5, 7]) yield* append(chunkOf(runId, first, 2));
        const trim = (after: number, bytes: number) => transact(logs.trim(runId, after, bytes));
        assert.deepStrictEqual(yield* trim(2, 21), { bytes: 40, entries: 4 });
        assert.deepStrictEqual(yield* firsts(runId), [1, 7]);
        assert.deepStrictEqual(yield* trim(2, 20), { bytes: 20, entries: 2 });
        assert.deepStrictEqual(yield* trim(2, 20), { bytes: 0, entries: 0 });
        assert.deepStrictEqual(yield* trim(0, Number.MAX_SAFE_INTEGER), { bytes: 20, entries: 2 });
      }),
  );

  it.effect("changedAfter returns the runs with chunks after a position", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const [a, b] = [yield* Fixtures.id("run"), yield* Fixtures.id("run")];
      yield* append(chunkOf(a, 1));
      const seq = yield* logs.lastSeq;
      assert.deepStrictEqual(yield* logs.changedAfter(seq), []);
      yield* append(chunkOf(b, 1));
      yield* append(chunkOf(b, 2));
      assert.deepStrictEqual(yield* logs.changedAfter(seq), [b]);
      assert.sameMembers([...(yield* logs.changedAfter(seq - 1))], [a, b]);
      assert.isAbove(yield* logs.lastSeq, seq + 1);
    }),
  );

  it.effect("the removal of an issue removes the logs of its runs", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const issues = yield* IssueStore.IssueStore;
      const issue = yield* Fixtures.issue();
      const [a, b] = [yield* Fixtures.id("run"), yield* Fixtures.id("run")];
      yield* put(rowOf(a, { issueId: issue.id }));
      yield* append(chunkOf(a, 1));
      yield* put(rowOf(b));
      yield* append(chunkOf(b, 1));
      yield* transact(issues.remove(issue.id));
      assert.deepStrictEqual([yield* logs.get(a), yield* firsts(a)], [Option.none(), []]);
      assert.deepStrictEqual([Option.isSome(yield* logs.get(b)), yield* firsts(b)], [true, [1]]);
    }),
  );
};

const notes = (it: It<Storage>): void => {
  it.effect(
    "notes are listed in their order, the newest 1,000, and go with their issue and run",
    () =>
      Effect.gen(function* () {
        const logs = yield* Logs;
        const issues = yield* IssueStore.IssueStore;
        const runs = yield* RunStore.RunStore;
        const issue = yield* Fixtures.issue();
        const [a, b] = [yield* Fixtures.id("run"), yield* Fixtures.id("run")];
        const add = (runId: string, note: string, issueId = issue.id) =>
          logs.addNote({ runId, issueId, note, at: Fixtures.at(1) });
        const all = Array.from({ length: 1_002 }, (_, n) => `note ${n}\u0000`);
        yield* transact(Effect.forEach(all, (note) => add(a, note)));
        yield* transact(add(b, "other", "iss_other"));
        const stored = yield* logs.notes(a);
        assert.deepStrictEqual(
          stored.map(({ note }) => note),
          all.slice(2),
        );
        assert.deepInclude(stored[0], { runId: a, issueId: issue.id, at: Fixtures.at(1) });
        yield* transact(issues.remove(issue.id));
        assert.deepStrictEqual(yield* logs.notes(a), []);
        assert.lengthOf(yield* logs.notes(b), 1);
        const row = yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
        yield* transact(add(row.id, "of a run", "iss_other"));
        yield* transact(runs.prune(Fixtures.at(2), 10));
        assert.deepStrictEqual(yield* logs.notes(row.id), []);
      }),
  );

  it.effect(
    "turns are listed in their order, the newest 1,000, and go with their issue and run",
    () =>
      Effect.gen(function* () {
        const logs = yield* Logs;
        const issues = yield* IssueStore.IssueStore;
        const runs = yield* RunStore.RunStore;
        const issue = yield* Fixtures.issue();
        const [a, b] = [yield* Fixtures.id("run"), yield* Fixtures.id("run")];
        const turn = (runId: string, commentIds: ReadonlyArray<string>, issueId = issue.id) =>
          logs.addTurn({ runId, issueId, commentIds, at: Fixtures.at(1) });
        const all = Array.from({ length: 1_002 }, (_, n) =>
          n % 2 === 0 ? [] : [`cmt_${n}`, "cmt"],
        );
        yield* transact(Effect.forEach(all, (commentIds) => turn(a, commentIds)));
        yield* transact(turn(b, [], "iss_other"));
        const stored = yield* logs.turns(a);
        assert.deepStrictEqual(
          stored.map(({ commentIds }) => commentIds),
          all.slice(2),
        );
        const of = { runId: a, issueId: issue.id, at: Fixtures.at(1) };
        assert.deepStrictEqual(stored[0], { ...of, commentIds: [] });
        yield* transact(issues.remove(issue.id));
        assert.deepStrictEqual(yield* logs.turns(a), []);
        assert.lengthOf(yield* logs.turns(b), 1);
        const row = yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
        yield* transact(turn(row.id, [], "iss_other"));
        yield* transact(runs.prune(Fixtures.at(2), 10));
        assert.deepStrictEqual(yield* logs.turns(row.id), []);
      }),
  );

  it.effect("bytesOf returns the bytes of logs", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const runId = yield* Fixtures.id("run");
      yield* put(rowOf(runId, { bytes: 77 }));
      assert.deepStrictEqual(yield* logs.bytesOf([runId, "run_none"]), new Map([[runId, 77]]));
    }),
  );
};

/** Stores a log and its run, which ended `seconds` seconds after the start; null for a live run, undefined for no run. */
const logged = Effect.fnUntraced(function* (
  seconds: number | null | undefined,
  overrides: Partial<RunLogStore.RunLogRow> = {},
) {
  const issue = yield* Fixtures.issue();
  const runs = yield* RunStore.RunStore;
  const row = yield* Fixtures.runRow(
    issue,
    seconds == null ? {} : Fixtures.ended(Fixtures.at(seconds)),
  );
  if (seconds !== undefined) yield* transact(runs.insert([row]));
  yield* put(rowOf(row.id, { issueId: issue.id, ...overrides }));
  yield* append(chunkOf(row.id, 1));
  return row.id;
});

const retention = (it: It<Storage>): void => {
  it.effect("endedFirst returns logs with bytes in the order in which their runs ended", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const live = yield* logged(null);
      const late = yield* logged(9);
      yield* logged(1, { bytes: 0 });
      const early = yield* logged(2);
      const gone = yield* logged(undefined);
      assert.deepStrictEqual(yield* logs.endedFirst(9), [gone, early, late, live]);
      assert.deepStrictEqual(yield* logs.endedFirst(2), [gone, early]);
      assert.strictEqual(yield* logs.totalBytes, 40);
    }),
  );

  it.effect("prune removes logs of runs that ended before a time or do not exist", () =>
    Effect.gen(function* () {
      const logs = yield* Logs;
      const before = Fixtures.at(100);
      while ((yield* transact(logs.prune(Fixtures.at(1_000_000), 10))) > 0);
      const old = yield* logged(50);
      const gone = yield* logged(undefined, { updatedAt: Fixtures.at(1) });
      const kept = [
        yield* logged(100),
        yield* logged(null),
        yield* logged(undefined, { updatedAt: before }),
      ];
      assert.strictEqual(yield* transact(logs.prune(before, 1)), 1);
      assert.strictEqual(yield* transact(logs.prune(before, 5)), 1);
      assert.strictEqual(yield* transact(logs.prune(before, 5)), 0);
      for (const runId of [old, gone]) {
        assert.deepStrictEqual([yield* logs.get(runId), yield* firsts(runId)], [Option.none(), []]);
      }
      for (const runId of kept) assert.isTrue(Option.isSome(yield* logs.get(runId)));
    }),
  );
};

/** The requirements of every `RunLogStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`RunLogStore: ${name}`, () => {
    block("rows", storage, rows);
    block("retention", storage, retention);
    block("notes", storage, notes);
  });
};
