import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

/** Every character of it takes six bytes of JSON. */
const longest = "\u0001".repeat(65_536);
const count = 100;
const mebibyte = 1024 * 1024;

const ends: Array<() => Promise<void>> = [];
let server: Quartermaster;
const ids: Array<string> = [];

beforeAll(async () => {
  const folder = await temporaryFolder((end) => ends.push(end));
  // A heap that a few concurrent responses of 39 MB, the size of the whole list, would fill.
  server = Quartermaster.serve(
    folder,
    { NODE_OPTIONS: "--max-old-space-size=320", QM_RATE_LIMIT: "0", QM_DURABILITY: "normal" },
    (end) => ends.push(end),
  );
  for (let index = 0; index < count; index++) {
    const answer = await server.fetch("/api/projects/demo/issues", {
      method: "POST",
      body: JSON.stringify({ title: `${index}`, description: longest }),
    });
    ids.push(((await answer.json()) as { readonly id: string }).id);
  }
}, 120_000);

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

const list = "/api/projects/demo/issues?limit=500&order=asc";

/** The status of a small request, on one connection that stays open. */
const small = async (agent: Agent): Promise<number | undefined> => {
  const { url } = await server.welcome();
  const headers = { authorization: `Bearer ${await server.ownerKey()}` };
  const sent = request(new URL(`/api/projects/issues/${ids[0]}`, url), { agent, headers });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
};

/** Reads a response to its end without storing it. */
const drain = async (response: Response): Promise<number> => {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
};

describe("large responses", () => {
  it("[paging.bytes] a page ends at 16 MiB, and its next link continues it", async () => {
    const found: Array<string> = [];
    let pages = 0;
    for (let next: string | undefined = list; next !== undefined; pages++) {
      const answer = await server.fetch(next);
      assert.strictEqual(answer.status, 200);
      const text = await answer.text();
      assert.isAtMost(Buffer.byteLength(text), 16 * mebibyte);
      assert.strictEqual(Number(answer.headers.get("content-length")), Buffer.byteLength(text));
      for (const { id } of JSON.parse(text)) found.push(id);
      next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];
    }
    assert.deepStrictEqual(found, ids);
    assert.strictEqual(pages, 3);
  });

  it("[paging.in-flight] the server serves or refuses many large responses, and small requests do not wait", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.strictEqual(await small(agent), 200);
    const startedAt = performance.now();
    const state = { isOver: false };
    const burst = Promise.all(
      Array.from({ length: 64 }, async () => {
        const answer = await server.fetch(list);
        const bytes = await drain(answer);
        return { status: answer.status, retryAfter: answer.headers.get("retry-after"), bytes };
      }),
    ).finally(() => (state.isOver = true));

    let slowest = 0;
    while (!state.isOver) {
      const sent = performance.now();
      assert.strictEqual(await small(agent), 200);
      slowest = Math.max(slowest, performance.now() - sent);
    }
    const answers = await burst;
    agent.destroy();
    assert.isBelow(slowest, (performance.now() - startedAt) / 2);
    const served = answers.filter(({ status }) => status === 200);
    assert.isAtLeast(served.length, 3);
    for (const { bytes } of served) assert.isAbove(bytes, 15 * mebibyte);
    for (const { retryAfter, status } of answers) {
      if (status === 200) continue;
      assert.strictEqual(status, 503);
      assert.isAtLeast(Number(retryAfter), 1);
    }
    assert.isBelow(served.length, answers.length);
  });

  it("[paging.in-flight.released] a client that disconnects leaves room for others", async () => {
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        Array.from({ length: 3 }, async () => {
          const answer = await server.fetch(list);
          await answer.body?.cancel();
        }),
      );
      // The server has noticed when it accepts another page.
      let status: number;
      do
        status = (await server.fetch(list).then((answer) => drain(answer).then(() => answer)))
          .status;
      while (status === 503);
      assert.strictEqual(status, 200);
    }
  });
});
