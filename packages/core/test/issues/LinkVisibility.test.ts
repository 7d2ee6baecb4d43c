import { assert, describe } from "@effect/vitest";
import { EventLog, Issues, Links } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Fiber, Stream } from "effect";
import { alice, check, create, get, link, put } from "../support/World.ts";

const bob = Callers.as(Callers.user("bob", { projects: ["here"] }));
const both = Callers.as(Callers.user("carol", { projects: ["here", "there"] }));

const here = (input: Parameters<typeof create>[0] = {}) => create(input, "here");
const there = (input: Parameters<typeof create>[0] = {}) => create(input, "there");

/** Links disclose nothing about other projects to a caller that is bound to one project. */
describe("Links into projects that may not be seen", () => {
  check(
    "[visibility.links] links to hidden issues are left out, cannot be created and are not found",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const [near, far] = [yield* here(), yield* there()];
      const made = yield* link(near.id, "BlockedBy", far.id);
      assert.deepStrictEqual((yield* bob(get(near.id))).links, []);
      assert.deepStrictEqual((yield* bob(links.list(near.id))).items, []);
      assert.lengthOf((yield* both(links.list(near.id))).items, 1);
      assert.strictEqual((yield* Effect.flip(bob(links.remove(made.id))))._tag, "NotFound");
      const refusal = yield* Effect.flip(bob(link(near.id, "RelatedTo", far.id)));
      assert.strictEqual(refusal._tag, "UnknownReference");
      yield* both(links.remove(made.id));
    }),
  );

  check(
    "[visibility.blocked] hidden blockers and dependents count, but no error names them",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const [near, far, last] = [yield* here(), yield* there(), yield* there()];
      yield* link(near.id, "BlockedBy", far.id);
      const blocked = yield* Effect.flip(bob(put(near.id, { status: "Open" })));
      assert.deepInclude(blocked, { _tag: "Blocked", blockers: [] });
      const named = yield* Effect.flip(both(put(near.id, { status: "Open" })));
      assert.deepInclude(named, { blockers: [far.id] });
      yield* link(last.id, "BlockedBy", near.id);
      for (const close of [issues.close(near.id), put(near.id, { status: "Closed" })]) {
        const refusal = yield* Effect.flip(bob(close));
        assert.deepInclude(refusal, { _tag: "OpenDependents", dependents: [] });
        const full = yield* Effect.flip(both(close));
        assert.deepInclude(full, { dependents: [last.id] });
      }
    }),
  );

  check(
    "[visibility.cycle] a cycle names only the issues that the caller sees",
    Effect.gen(function* () {
      const [a, b, c] = [yield* here(), yield* there(), yield* here()];
      yield* link(a.id, "Blocks", b.id);
      yield* link(b.id, "Blocks", c.id);
      const refusal = yield* Effect.flip(bob(link(c.id, "Blocks", a.id)));
      assert.deepInclude(refusal, { _tag: "DependencyCycle", cycle: [c.id, a.id, c.id] });
    }),
  );

  check(
    "[visibility.activity] entries and events about hidden issues are left out",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const log = yield* EventLog.EventLog;
      const near = yield* here();
      const collect = (as: typeof bob, count: number) =>
        Effect.gen(function* () {
          const events = yield* log.subscribe({ filter: { projectId: "here" } });
          return yield* Effect.forkChild(
            Stream.runCollect(Stream.take(events, count)).pipe(
              Effect.map((found) => found.map(({ kind }) => kind)),
            ),
          );
        }).pipe(as);
      const ofBob = yield* collect(bob, 2);
      const ofBoth = yield* collect(both, 3);
      const ofAlice = yield* collect(Callers.as(alice), 3);
      yield* link(near.id, "RelatedTo", (yield* there()).id);
      yield* put(near.id, { title: "Renamed" });
      yield* put(near.id, { title: "Renamed again" });
      assert.deepStrictEqual(yield* Fiber.join(ofBob), ["issue.updated", "issue.updated"]);
      const full = ["issue.linked", "issue.updated", "issue.updated"];
      assert.deepStrictEqual<unknown>(yield* Fiber.join(ofBoth), full);
      assert.deepStrictEqual<unknown>(yield* Fiber.join(ofAlice), full);
      const { items } = yield* bob(issues.activity(near.id));
      const kinds = items.map(({ kind }) => kind);
      assert.deepStrictEqual(kinds, ["created", "updated", "updated"]);
    }),
  );

  check(
    "[visibility.freed] the entry of an issue that a hidden blocker frees does not name the blocker",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const [near, far] = [yield* here(), yield* there()];
      yield* link(near.id, "BlockedBy", far.id);
      yield* put(far.id, { status: "Resolved" });
      const { items } = yield* bob(issues.activity(near.id));
      assert.notInclude(JSON.stringify(items), far.id);
      assert.strictEqual((yield* bob(get(near.id))).status, "Open");
    }),
  );
});
