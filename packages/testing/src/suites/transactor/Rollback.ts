import { assert } from "@effect/vitest";
import {
  AgentStore,
  CommentStore,
  EventStore,
  IssueStore,
  KeyStore,
  LinkStore,
  Transactor,
} from "@quartermaster/core";
import { Deferred, Effect, Exit, Fiber, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It } from "../../Suite.ts";
import { find } from "../issues/IssueSearch.ts";

const exists = (issueId: string) =>
  IssueStore.IssueStore.use((issues) => Effect.map(issues.get(issueId), Option.isSome));

/** Some issues, and a change that writes to every store that contains them. */
const scene = Effect.gen(function* () {
  const agents = yield* AgentStore.AgentStore;
  const comments = yield* CommentStore.CommentStore;
  const events = yield* EventStore.EventStore;
  const issues = yield* IssueStore.IssueStore;
  const keys = yield* KeyStore.KeyStore;
  const links = yield* LinkStore.LinkStore;
  const projectId = yield* Fixtures.id("project");
  const agentId = yield* Fixtures.id("agent");
  const [a, b, c] = yield* Effect.all([
    Fixtures.issue({ projectId, title: "before" }),
    Fixtures.issue({ projectId }),
    Fixtures.issue({ projectId }),
  ]);
  const link = yield* Fixtures.link(a, b);
  const comment = yield* Fixtures.comment(c.id);
  const key = yield* transact(Effect.flatMap(Fixtures.keyRow(), keys.insert));
  const lookAtRows = Effect.all([
    issues.list({ projectId }, everything),
    find(projectId, "added"),
    find(projectId, "before"),
    comments.get(comment.id),
    comments.list(b.id, everything),
    links.list(a.id, null, everything),
    keys.get(key.id),
    agents.get(agentId),
  ]);
  return {
    change: Effect.gen(function* () {
      yield* issues.update([{ ...a, title: "after" }]);
      yield* issues.remove(c.id);
      yield* links.remove(link.id);
      yield* keys.remove(key.id);
      yield* agents.register(agentId, Fixtures.at(0));
      const added = yield* Fixtures.issue({ projectId, title: "added" });
      yield* Fixtures.comment(b.id, { content: "added" });
      yield* Fixtures.run(added, { agentId });
      yield* events.append([yield* Fixtures.eventRow({ projectId })]);
    }),
    /** The changed rows without the event: a transaction need not see its own events. */
    lookWithin: lookAtRows,
    /** All rows and events that the change affects. */
    look: Effect.all([
      lookAtRows,
      events.list(
        { projects: [projectId], kinds: null },
        { after: 0, until: Number.MAX_SAFE_INTEGER, limit: 9 },
      ),
    ]),
  };
});

export const tests = (it: It<Storage>): void => {
  it.effect("a change that succeeds commits completely and passes its result on", () =>
    Effect.gen(function* () {
      const projectId = yield* Fixtures.id("project");
      const rows = yield* transact(
        Effect.all([Fixtures.issue({ projectId }), Fixtures.issue({ projectId })]),
      );
      const issues = yield* IssueStore.IssueStore;
      assert.deepStrictEqual(yield* issues.list({ projectId }, everything), rows);
    }),
  );

  it.effect("check succeeds, and changes nothing", () =>
    Effect.gen(function* () {
      const { look } = yield* scene;
      const before = yield* look;
      yield* Transactor.Transactor.use(({ check }) => check);
      assert.deepStrictEqual(yield* look, before);
    }),
  );

  it.effect("a change reads its own writes, and commits them as it read them", () =>
    Effect.gen(function* () {
      const { change, look, lookWithin } = yield* scene;
      const before = yield* lookWithin;
      const within = yield* transact(Effect.andThen(change, lookWithin));
      assert.notDeepEqual(within, before);
      const [rows, events] = yield* look;
      assert.deepStrictEqual(rows, within);
      assert.lengthOf(events, 1);
    }),
  );

  it.effect("a change that fails rolls back and passes its failure on", () =>
    Effect.gen(function* () {
      const { change, look } = yield* scene;
      const before = yield* look;
      const failure = yield* Effect.flip(transact(Effect.andThen(change, Effect.fail("no"))));
      assert.strictEqual(failure, "no");
      assert.deepStrictEqual(yield* look, before);
    }),
  );

  it.effect("a change that dies rolls back and passes its defect on", () =>
    Effect.gen(function* () {
      const { change, look } = yield* scene;
      const before = yield* look;
      const exit = yield* Effect.exit(transact(Effect.andThen(change, Effect.die("defect"))));
      assert.isTrue(Exit.hasDies(exit));
      assert.deepStrictEqual(yield* look, before);
    }),
  );

  it.effect("an interrupted change rolls back, and the next one takes its turn", () =>
    Effect.gen(function* () {
      const { change, look } = yield* scene;
      const before = yield* look;
      const started = yield* Deferred.make<void>();
      const fiber = yield* Effect.forkChild(
        transact(
          change.pipe(
            Effect.andThen(Deferred.succeed(started, undefined)),
            Effect.andThen(Effect.never),
          ),
        ),
      );
      yield* Deferred.await(started);
      const next = yield* Effect.forkChild(transact(Fixtures.issue()), {
        startImmediately: true,
      });
      yield* Fiber.interrupt(fiber);
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)));
      assert.deepStrictEqual(yield* look, before);
      const { id } = yield* Fiber.join(next);
      assert.isTrue(yield* exists(id));
    }),
  );

  it.effect("a change that is interrupted before its turn does not start", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>();
      const go = yield* Deferred.make<void>();
      const first = yield* Effect.forkChild(
        transact(Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(go))),
      );
      yield* Deferred.await(started);
      const row = yield* Fixtures.issueRow();
      const issues = yield* IssueStore.IssueStore;
      const waiting = yield* Effect.forkChild(transact(issues.insert(row)), {
        startImmediately: true,
      });
      yield* Effect.yieldNow;
      const interrupting = yield* Effect.forkChild(Fiber.interrupt(waiting), {
        startImmediately: true,
      });
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.join(interrupting);
      yield* Fiber.join(first);
      assert.isFalse(yield* exists(row.id));
    }),
  );

  it.effect("a nested transaction commits with the outer one", () =>
    Effect.gen(function* () {
      const [a, b] = yield* transact(
        Effect.all([
          Fixtures.issue(),
          transact(Effect.andThen(Fixtures.issue(), Fixtures.issue())),
        ]),
      );
      assert.isTrue(yield* exists(a.id));
      assert.isTrue(yield* exists(b.id));
    }),
  );

  it.effect("a nested transaction rolls back with the outer one", () =>
    Effect.gen(function* () {
      const { change, look } = yield* scene;
      const before = yield* look;
      yield* Effect.exit(transact(Effect.andThen(transact(change), Effect.fail("no"))));
      assert.deepStrictEqual(yield* look, before);
    }),
  );

  it.effect(
    "a nested transaction that fails rolls back on its own if the outer one continues",
    () =>
      Effect.gen(function* () {
        const { change, look } = yield* scene;
        const projectId = yield* Fixtures.id("project");
        const before = yield* look;
        const [first, second] = yield* transact(
          Effect.gen(function* () {
            const first = yield* Fixtures.issue({ projectId });
            yield* Effect.exit(transact(Effect.andThen(change, Effect.fail("no"))));
            yield* Effect.exit(transact(Effect.andThen(change, Effect.die("defect"))));
            assert.deepStrictEqual(yield* look, before);
            return [first, yield* Fixtures.issue({ projectId })] as const;
          }),
        );
        assert.deepStrictEqual(yield* look, before);
        const issues = yield* IssueStore.IssueStore;
        const committed = yield* issues.list({ projectId }, everything);
        assert.deepStrictEqual(ids(committed), ids([first, second]));
      }),
  );
};
