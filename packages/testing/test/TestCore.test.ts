import { assert, it } from "@effect/vitest";
import { Issues, Principal } from "@quartermaster/core";
import { TestCore } from "@quartermaster/testing";
import { Effect } from "effect";

const createTwo = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const first = yield* issues.create("project", { title: "Mend the roof" });
  const second = yield* issues.create("project", {
    title: "Paint it",
    blockedByIssueId: first.id,
  });
  return [first, yield* issues.get(second.id)];
}).pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.user("alice")));

it.effect("every build of the layer is empty and creates the same ids", () =>
  Effect.gen(function* () {
    const once = yield* Effect.provide(createTwo, TestCore.layer);
    const again = yield* Effect.provide(createTwo, TestCore.layer);
    assert.deepStrictEqual(once, again);
    assert.strictEqual(again[1]?.status, "WaitingOnDependency");
  }),
);
