import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

/** Just below the limit of a JSON body. */
const bytes = 1024 * 1024 - 100;

/** The parts that, joined by commas, make a body of that size. */
const filled = (start: string, piece: (index: number) => string, end: string): string => {
  const pieces: Array<string> = [];
  for (let size = 0, index = 0; ; index++) {
    const next = piece(index);
    size += next.length + 1;
    if (size > bytes - start.length - end.length) break;
    pieces.push(next);
  }
  return `${start}${pieces.join(",")}${end}`;
};

const create = "/api/projects/p1/issues";
const heartbeat = "/api/agents/agent-1/heartbeat";
const keys = "/api/keys";
const access = "/api/mcp/installed/mcp_1/access";

const bodies: ReadonlyArray<readonly [name: string, path: string, body: string]> = [
  ["a list full of numbers", heartbeat, filled('{"runs":[', () => "1", "]}")],
  ["a list full of ids", heartbeat, filled('{"runs":[', (index) => `"run_${index}"`, "]}")],
  ["unknown properties", create, filled('{"title":"t",', (index) => `"p${index}":1`, "}")],
  ["nested arrays", create, filled('{"title":[', () => "[[[[]]]]", "]}")],
  ["as many arrays as allowed", create, `{"title":[${Array(99_998).fill("[]").join()}]}`],
  ["a list of objects", access, filled('{"entries":[', () => '{"a":1}', "]}")],
  ["servers", "/api/mcp/import", filled('{"mcpServers":{', (index) => `"p${index}":{}`, "}}")],
  [
    "arguments",
    "/api/agents/agent-1/tools/call",
    filled('{"name":"a__b","arguments":{', (index) => `"p${index}":1`, "}}"),
  ],
  [
    "a list of projects",
    keys,
    filled('{"name":"n","role":"Viewer","projects":[', () => '"!"', "]}"),
  ],
];

describe("costly bodies", () => {
  it("[body.containers] a body with more than 100,000 arrays and objects is a 400", async () => {
    const send = (arrays: number) =>
      world.as(world.keys.owner.key)("POST", create, {
        raw: `{"title":[${Array(arrays).fill("[]").join()}]}`,
        headers: { "content-type": "application/json" },
      });
    const refused = await send(99_999);
    assertProblem(refused, 400, "invalid-request", { errors: Array });
    assert.include(refused.body.errors[0].message, "more than 100000 arrays and objects");
    // With the object and the list: as many as are allowed.
    assert.strictEqual((await send(99_998)).body.errors[0].path, "title");
  });

  it("[body.time] a costly body takes at most as long as 8 plain bodies of the same size", async () => {
    const send = async (path: string, raw: string) => {
      const before = process.threadCpuUsage();
      const answer = await world.as(world.keys.owner.key)(path === access ? "PUT" : "POST", path, {
        raw,
        headers: { "content-type": "application/json" },
      });
      const { system, user } = process.threadCpuUsage(before);
      return { answer, time: system + user };
    };
    const plainBody = filled('{"title":"t","description":"', () => "x".repeat(1_000), '"}');
    for (const [name, path, body] of bodies) {
      // Processor time of this thread, in which the server runs: it does not wait for other processes, as the clock
      // does. The system counts it in steps of 4 ms, about half of a plain body, so the totals are compared: more
      // rounds make them more exact, and do not hide a slow body.
      let [plain, costly] = [0, 0];
      const isFast = () => costly < plain * 8;
      for (let round = 0; round < 20 && !(round >= 3 && isFast()); round++) {
        plain += (await send(create, plainBody)).time;
        const { answer, time } = await send(path, body);
        assertProblem(answer, 400, "invalid-request", { errors: Array });
        assert.isAtMost(answer.body.errors.length, 100);
        costly += time;
      }
      assert.deepStrictEqual({ name, isFast: isFast() }, { name, isFast: true });
    }
  });
});
