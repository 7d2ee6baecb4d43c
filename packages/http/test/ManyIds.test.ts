import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const many = 103;
const path = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;
const issues = async (count: number, body: Record<string, unknown> = {}) => {
  const made: Array<string> = [];
  for (let n = 0; n < count; n++) made.push((await world.issue(body)).id);
  return made;
};
const block = (blocker: string, targetIssueId: string) =>
  world.call("POST", path(blocker, "/links"), { body: { linkType: "Blocks", targetIssueId } });

describe("a problem with many ids", () => {
  it("[problem.ids-100] it names at most 100 dependents", async () => {
    const { id } = await world.issue();
    const dependents = await issues(many, { blockedByIssueId: id });
    assertProblem(await world.call("POST", path(id, "/close")), 409, "open-dependents", {
      dependents: dependents.slice(0, 100),
    });
  });

  it("[problem.ids-100] it names at most 100 blockers", async () => {
    const { id } = await world.issue();
    const blockers = await issues(many);
    for (const blocker of blockers) await block(blocker, id);
    const put = await world.call("PUT", path(id), { body: { status: "InProgress" } });
    assertProblem(put, 409, "blocked", { blockers: blockers.slice(0, 100) });
  });

  it("[problem.ids-100] it names at most 100 issues of a cycle", async () => {
    const chain = await issues(many);
    for (const [n, id] of chain.slice(1).entries()) await block(chain[n]!, id);
    const [first = ""] = chain;
    const answer = await block(chain.at(-1)!, first);
    assertProblem(answer, 409, "dependency-cycle", { cycle: answer.body.cycle });
    const cycle: ReadonlyArray<string> = answer.body.cycle;
    // The issue that it starts with is also the last one.
    assert.deepStrictEqual([cycle.length, new Set(cycle).size, cycle.at(-1)], [100, 99, cycle[0]]);
    assert.includeMembers(chain, [...cycle]);
  });
});
