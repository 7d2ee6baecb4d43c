import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;

beforeAll(async () => {
  world = await World.start({ http: { maxJsonBytes: 4_096 } });
});
afterAll(() => world.close());

const post = (issues: unknown, headers: Record<string, string> = {}) =>
  world.call("POST", "/api/projects/p1/plan", { body: { issues }, headers });

interface Created {
  readonly ref: string;
  readonly issue: { readonly id: string; readonly status: string };
}

describe("plans", () => {
  it("[plan.http] POST creates the issues of a plan once for each idempotency key", async () => {
    const issues = [
      { ref: "a", title: "A", blockedBy: ["b"] },
      { ref: "b", title: "B" },
    ];
    const headers = { "idempotency-key": "plan" };
    const first = await post(issues, headers);
    assert.strictEqual(first.status, 201);
    assert.deepStrictEqual(
      first.body.map(({ issue, ref }: Created) => [ref, issue.status]),
      [
        ["a", "WaitingOnDependency"],
        ["b", "Open"],
      ],
    );
    const again = await post(issues, headers);
    assert.deepStrictEqual([again.status, again.text], [201, first.text]);
    assert.lengthOf((await world.call("GET", "/api/projects/p1/issues")).body, 2);
    assertProblem(await post([issues[1]], headers), 422, "idempotency-mismatch");
  });

  it("[plan.http] a plan is refused with the path of the error, and with its cycle", async () => {
    assertInvalid(await post([{ ref: "a", title: "A", blockedBy: ["z"] }]), "issues.0.blockedBy");
    assertInvalid(await post([{ ref: "a", title: "A", color: "red" }]), "issues.0.color");
    assertProblem(
      await post([{ ref: "a", title: "A", blockedBy: ["iss_none"] }]),
      422,
      "unknown-reference",
      { field: "issues.0.blockedBy", id: "iss_none" },
    );
    const cycle = [
      { ref: "a", title: "A", blockedBy: ["b"] },
      { ref: "b", title: "B", blockedByIssueId: "a" },
    ];
    assertProblem(await post(cycle), 409, "dependency-cycle", { cycle: ["a", "b", "a"] });
  });

  it("[plan.http] a plan of up to 8 MiB is accepted, and no other body beyond the limit", async () => {
    const plan = (length: number) =>
      Array.from({ length: 128 }, (_, n) => ({
        ref: `r${n}`,
        title: "Long",
        description: "x".repeat(length),
      }));
    const taken = await post(plan(65_000));
    assert.strictEqual(taken.status, 201);
    assert.lengthOf(taken.body, 128);
    assertProblem(await post(plan(66_000)), 413, "payload-too-large", {
      limitBytes: 8 * 1024 * 1024,
    });
    const single = await world.call("POST", "/api/projects/p1/issues", {
      body: { title: "Long", description: "x".repeat(5_000) },
    });
    assertProblem(single, 413, "payload-too-large", { limitBytes: 4_096 });
  });
});
