import { assert } from "@effect/vitest";
import { Activity, ActivityStore } from "@quartermaster/core";
import { Effect, type Layer } from "effect";
import * as Fixtures from "../Fixtures.ts";
import { type Storage, transact } from "../Storage.ts";
import { assertIds, block, checkPaging, everything, ids, texts } from "../Suite.ts";

/** The requirements of every `ActivityStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void =>
  block(`ActivityStore: ${name}`, storage, (it) => {
    it.effect("append keeps every field of entries, in their order", () =>
      Effect.gen(function* () {
        const activity = yield* ActivityStore.ActivityStore;
        const issue = yield* Fixtures.issue();
        const entries = yield* Effect.forEach(Activity.ActivityKind.literals, (kind, n) =>
          Fixtures.activityRow(issue.id, {
            kind,
            actor: { type: "System", id: "quartermaster" },
            data: { n, from: "Open", list: [1, null, { deep: true }], none: null, float: 0.1 },
            createdAt: Fixtures.at(100 - n),
            relatedProjectId: n % 2 === 0 ? null : "project",
          }),
        );
        yield* transact(activity.append(entries.slice(0, 2)));
        yield* transact(activity.append([]));
        yield* transact(activity.append(entries.slice(2)));
        const kept = yield* activity.list(issue.id, null, everything);
        assert.deepStrictEqual(
          kept,
          entries.map((entry, n) => ({ ...entry, seq: kept[n]?.seq ?? 0 })),
        );
      }),
    );

    it.effect("entries of two issues, appended together, stay apart", () =>
      Effect.gen(function* () {
        const activity = yield* ActivityStore.ActivityStore;
        const a = yield* Fixtures.issue();
        const b = yield* Fixtures.issue();
        const entries = yield* Effect.forEach([a, b, a], ({ id }) => Fixtures.activityRow(id));
        yield* transact(activity.append(entries));
        const [first, second, third] = ids(entries);
        assertIds(ids(yield* activity.list(a.id, null, everything)), [first, third]);
        assertIds(ids(yield* activity.list(b.id, null, everything)), [second]);
        assert.deepStrictEqual(yield* activity.list("iss_unknown", null, everything), []);
      }),
    );

    it.effect.each(texts)("keeps the text %j in data", (text) =>
      Effect.gen(function* () {
        const activity = yield* ActivityStore.ActivityStore;
        const issue = yield* Fixtures.issue();
        yield* transact(
          activity.append([yield* Fixtures.activityRow(issue.id, { data: { [text]: text } })]),
        );
        const [entry] = yield* activity.list(issue.id, null, everything);
        assert.deepStrictEqual(entry?.data, { [text]: text });
      }),
    );

    it.effect("list pages in both orders", () =>
      Effect.gen(function* () {
        const activity = yield* ActivityStore.ActivityStore;
        const issue = yield* Fixtures.issue();
        yield* checkPaging(
          (slice) => activity.list(issue.id, ["seen"], slice),
          Effect.gen(function* () {
            const hidden = yield* Fixtures.activityRow(issue.id, { relatedProjectId: "hidden" });
            const seen = yield* Fixtures.activityRow(issue.id, { relatedProjectId: "seen" });
            yield* transact(activity.append([hidden, seen]));
            return seen.id;
          }),
        );
      }),
    );

    it.effect("list omits entries about other projects", () =>
      Effect.gen(function* () {
        const activity = yield* ActivityStore.ActivityStore;
        const issue = yield* Fixtures.issue();
        const entries = yield* Effect.forEach([null, "a", "b", null, "a"], (relatedProjectId) =>
          Fixtures.activityRow(issue.id, { relatedProjectId }),
        );
        yield* transact(activity.append(entries));
        const list = (projects: ReadonlyArray<string> | null) =>
          Effect.map(activity.list(issue.id, projects, everything), ids);
        const [none, a, b, none2, a2] = ids(entries);
        assertIds(yield* list(null), [none, a, b, none2, a2]);
        assertIds(yield* list(["a"]), [none, a, none2, a2]);
        assertIds(yield* list(["c", "b", "A"]), [none, b, none2]);
        assertIds(yield* list([]), [none, none2]);
      }),
    );
  });
