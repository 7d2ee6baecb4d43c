import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { EventStore, IssueStore } from "@quartermaster/core";
import { Clock, Effect } from "effect";
import { Storage } from "../src/index.ts";
import * as Child from "./support/Child.ts";
import { tempFolder } from "./support/TestStorage.ts";

describe("several processes", () => {
  it.live("two processes open new databases at the same time", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder;
      const children = yield* Effect.forEach([1, 2], () => Child.start("opener", folder, "60"));
      yield* Effect.forEach(children, (child) => child.line);
      const begin = (yield* Clock.currentTimeMillis) + 100;
      yield* Effect.forEach(children, (child) => child.say(`${begin}`));
      const codes = yield* Effect.forEach(children, (child) => child.exit);
      assert.deepStrictEqual(codes, [0, 0]);
    }).pipe(Effect.scoped),
  );

  it.live(
    "[keys.nodes] two processes open a new data directory at the same time, and write in turn",
    () =>
      Effect.gen(function* () {
        const dataDir = join(yield* tempFolder, "data");
        const count = 100;
        const children = yield* Effect.forEach(["a", "b", "c"], (name) =>
          Child.start("writer", dataDir, name, `${count}`),
        );
        const codes = yield* Effect.forEach(children, (child) => child.exit);
        assert.deepStrictEqual(codes, [0, 0, 0]);

        const [rows, issues] = yield* Effect.gen(function* () {
          const events = yield* EventStore.EventStore;
          const store = yield* IssueStore.IssueStore;
          const range = { after: 0, until: Number.MAX_SAFE_INTEGER, limit: 1_000 };
          const slice = { after: null, limit: 1_000, order: "asc" } as const;
          return yield* Effect.all([
            events.list({ projects: null, kinds: null }, range),
            store.list({ projectId: "project" }, slice),
          ]);
        }).pipe(Effect.provide(Storage.layer({ dataDir })));
        assert.lengthOf(rows, 3 * count);
        // Each saw all transactions that were committed before it, and none that came later.
        issues.forEach(({ number }, n) => assert.strictEqual(number, n + 1));
        assert.lengthOf(issues, 3 * count);
        rows.forEach((row, n) =>
          assert.deepStrictEqual([row.seq, row.data], [n + 1, { before: n }]),
        );
      }).pipe(Effect.scoped),
  );
});
