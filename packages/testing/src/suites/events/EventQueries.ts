import { assert } from "@effect/vitest";
import { Event, EventStore, type Transactor } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { transact } from "../../Storage.ts";
import { assertIds, ids, type It } from "../../Suite.ts";

type Needs = EventStore.EventStore | Transactor.Transactor;

const append = (...overrides: ReadonlyArray<Partial<Event.EventRow>>) =>
  EventStore.EventStore.use((events) =>
    Effect.tap(Effect.forEach(overrides, Fixtures.eventRow), (rows) =>
      transact(events.append(rows)),
    ),
  );

/** The ids of matching events after `after`. */
const find = (query: EventStore.EventQuery, after: number, limit = 500) =>
  EventStore.EventStore.use((events) =>
    Effect.flatMap(events.lastSeq, (until) =>
      Effect.map(events.list(query, { after, until, limit }), ids),
    ),
  );

const Project = Schema.Literals(["a", "b", "c"]);
const Kind = Schema.Literals(["issue.created", "issue.updated", "issue.deleted", "key.created"]);

export const tests = (it: It<Needs>): void => {
  it.effect("projects covers the event's project and the related one", () =>
    Effect.gen(function* () {
      const before = yield* EventStore.EventStore.use((events) => events.lastSeq);
      const rows = yield* append(
        { projectId: "a" },
        { projectId: "b" },
        { projectId: "a", relatedProjectId: "b" },
        { projectId: "a", relatedProjectId: "a" },
        { projectId: null, kind: "key.created", subjectId: "key_1" },
        { projectId: null, relatedProjectId: "a", kind: "mcp.enabled" },
      );
      const [a, b, ab, aa, none, noneA] = ids(rows);
      const list = (projects: ReadonlyArray<string> | null) =>
        find({ projects, kinds: null }, before);
      assertIds(yield* list(null), [a, b, ab, aa, none, noneA]);
      assertIds(yield* list(["a"]), [a, aa]);
      assertIds(yield* list(["b"]), [b]);
      assertIds(yield* list(["c", "b", "a"]), [a, b, ab, aa]);
      assert.deepStrictEqual(yield* list(["A", ""]), []);
      assert.deepStrictEqual(yield* list([]), []);
    }),
  );

  it.effect("kinds restricts the kinds; null matches every kind", () =>
    Effect.gen(function* () {
      const before = yield* EventStore.EventStore.use((events) => events.lastSeq);
      const rows = yield* append(...Event.EventKind.literals.map((kind) => ({ kind })));
      const list = (kinds: ReadonlyArray<Event.EventKind> | null) =>
        find({ projects: null, kinds }, before);
      assert.deepStrictEqual(yield* list(null), ids(rows));
      assert.deepStrictEqual(yield* list(Event.EventKind.literals), ids(rows));
      assert.deepStrictEqual(yield* list([]), []);
      for (const { id, kind } of rows) {
        assert.deepStrictEqual(yield* list([kind]), [id]);
      }
    }),
  );

  it.effect("after is exclusive, until is inclusive, and limit counts matching events", () =>
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const before = yield* events.lastSeq;
      const projectId = yield* Fixtures.id("project");
      yield* append({ projectId }, {}, { projectId }, {}, { projectId });
      const query = { projects: [projectId], kinds: null };
      const until = yield* events.lastSeq;
      const rows = yield* events.list(query, { after: before, until, limit: 500 });
      const [first, second, third] = rows.map(({ seq }) => seq);
      assert.isDefined(third);
      const list = (after = 0, to = 0, limit = 500) =>
        Effect.map(events.list(query, { after, until: to, limit }), (found) =>
          found.map(({ seq }) => seq),
        );
      assert.deepStrictEqual(yield* list(first, third), [second, third]);
      assert.deepStrictEqual(yield* list(before, second), [first, second]);
      assert.deepStrictEqual(yield* list(before, third, 2), [first, second]);
      assert.deepStrictEqual(yield* list(second, second), []);
      assert.deepStrictEqual(yield* list(third, third), []);
      assert.deepStrictEqual(yield* list(0, third, 2), [first, second]);
      assert.deepStrictEqual(yield* list(before, before), []);
    }),
  );

  it.effect.prop(
    "lists exactly the matching events, oldest first",
    {
      made: Schema.Array(
        Schema.Struct({
          projectId: Schema.NullOr(Project),
          relatedProjectId: Schema.NullOr(Project),
          kind: Kind,
        }),
      ).check(Schema.isMaxLength(15)),
      projects: Schema.NullOr(Schema.Array(Project)),
      kinds: Schema.NullOr(Schema.Array(Kind)),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
    },
    ({ kinds, limit, made, projects }) =>
      Effect.gen(function* () {
        const before = yield* EventStore.EventStore.use((events) => events.lastSeq);
        const rows = yield* append(...made);
        const visible = (project: string | null) =>
          projects === null || projects.some((name) => name === project);
        const expected = rows.filter(
          ({ kind, projectId, relatedProjectId }) =>
            (kinds === null || kinds.some((name) => name === kind)) &&
            visible(projectId) &&
            (relatedProjectId === null || visible(relatedProjectId)),
        );
        const found = yield* find({ projects, kinds }, before, limit);
        assert.deepStrictEqual(found, ids(expected).slice(0, limit));
      }),
    { arbitrary: { runs: 40 } },
  );
};
