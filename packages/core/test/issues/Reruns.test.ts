import { assert, it } from "@effect/vitest";
import { CurrentRun, Projects } from "@quartermaster/core";
import { Callers, MemoryStorage, TestCore } from "@quartermaster/testing";
import { Effect } from "effect";
import { alice, executing, project, put, type Services } from "../support/World.ts";

const agentsMay = (value: "review" | "resolve") =>
  Callers.as(alice)(
    Projects.Projects.use((projects) => projects.put(project, { agentsMay: value })),
  );

it.effect("a hand-in that runs again reports how its last run carried it out", () =>
  Effect.gen(function* () {
    yield* agentsMay("review");
    const { issue, runId } = yield* Callers.as(alice)(executing());
    const services = yield* Effect.context<Services>();
    const relaxed = Effect.ignore(Effect.provideContext(agentsMay("resolve"), services));
    const resolved = yield* put(issue.id, { status: "Resolved" }).pipe(
      Callers.as(Callers.agent("bot")),
      Effect.provideService(CurrentRun.CurrentRun, { id: runId, agentId: "bot" }),
      Effect.provideService(MemoryStorage.BetweenRuns, relaxed),
    );
    assert.strictEqual(resolved.status, "Resolved");
    assert.notProperty(resolved, "handedInAs");
  }).pipe(Effect.provide(TestCore.layerWith({ storage: MemoryStorage.layerRerun }))),
);
