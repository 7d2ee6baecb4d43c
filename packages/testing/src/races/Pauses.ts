import { assert } from "@effect/vitest";
import { Agents, Projects, Runs } from "@quartermaster/core";
import { Effect } from "effect";
import * as Callers from "../model/Callers.ts";
import * as Invariants from "../model/Invariants.ts";
import { type Call, create, type Race, type World } from "./World.ts";

/** Races over the pauses of agents and projects. */

const admin = Callers.as(Callers.user("root", { role: "Admin" }));

/**
 * Races a pause against a claim. A run that the pause had to stop does not continue, and no later
 * claim succeeds.
 */
const pauseAgainstClaim = <A, E>(name: string, pause: (world: World) => Call<A, E>): Race => ({
  name,
  check: Effect.fnUntraced(function* (world) {
    const { agentId, projectId, run } = world;
    yield* run(create(world, { assignedAgentId: agentId }));
    yield* run(Runs.Runs.use((runs) => runs.heartbeat(agentId, { capacity: 0 })));
    const beat = Runs.Runs.use((runs) => runs.heartbeat(agentId));
    yield* world.both(pause(world), beat);
    const { items } = yield* run(Runs.Runs.use((runs) => runs.list(agentId)));
    assert.notInclude(
      items.map(({ status }) => status),
      "active",
      "A claim and a pause did not see each other",
    );
    assert.deepStrictEqual((yield* run(beat)).started, []);
    yield* run(Invariants.check(projectId, [agentId]));
  }),
});

export const races: ReadonlyArray<Race> = [
  pauseAgainstClaim("a paused agent has no active run", ({ agentId }) =>
    admin(Agents.Agents.use((agents) => agents.put(agentId, { paused: true }))),
  ),
  pauseAgainstClaim("an issue of a paused project has no active run", ({ projectId }) =>
    Projects.Projects.use((projects) => projects.put(projectId, { paused: true })),
  ),
];
