import { afterAll, assert, beforeAll, describe, inject, it, vi } from "@effect/vitest";
import { type Answer, as, signIn } from "../../../http/test/support/Client.ts";
import * as EventStream from "../../../http/test/support/EventStream.ts";
import type { Quartermaster } from "../../../server/test/Quartermaster.ts";
import * as Node from "../support/Node.ts";
import { valueCatalog } from "../support/ValueServer.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const endings: Array<() => Promise<void>> = [];
const end = (ending: () => Promise<void>) => endings.unshift(ending);
let one: Quartermaster;
let other: Quartermaster;

const start = async () => {
  const catalog = await valueCatalog(end);
  const nodes = await Node.startAll(2, { ...Node.variables(), QM_CATALOG: catalog }, end);
  const [first, second] = nodes.map(({ server }) => server);
  if (first === undefined || second === undefined) throw new Error("no nodes");
  one = first;
  other = second;
};

const done = async (answer: Promise<Answer>): Promise<Answer> => {
  const got = await answer;
  assert.isBelow(got.status, 300, got.text);
  return got;
};

/** Asks until the response fits. Fails if it does not fit when asked after 2 seconds. */
const within2s = async (ask: () => Promise<Answer>, fits: (answer: Answer) => boolean) => {
  const started = performance.now();
  for (;;) {
    const asked = performance.now();
    const answer = await ask();
    if (fits(answer)) return;
    assert.isBelow(asked - started, 2_000, answer.text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const isUnauthenticated = ({ status }: Answer) => status === 401;

/** Waits for the end of a stream. Fails after 5 seconds. */
const endsWithin5s = async (stream: Awaited<ReturnType<typeof EventStream.open>>) => {
  const started = performance.now();
  while ((await stream.next()) !== undefined);
  assert.isBelow(performance.now() - started, 5_000, "ms");
};

describe.skipIf(inject("postgres") === "")("what ended on one of two servers", () => {
  beforeAll(start);
  afterAll(async () => {
    for (const ending of endings) await ending();
  });

  it("a deleted key is refused on the other within 2 seconds, and its streams close within 5", async () => {
    const { body: made } = await done(
      one.call("POST", "/api/keys", { body: { name: "k", role: "Editor" } }),
    );
    const asKey = as(other, made.key);
    await done(asKey("GET", "/api/agents"));
    const stream = await EventStream.open(other, "", { authorization: `Bearer ${made.key}` });
    assert.strictEqual(stream.response.status, 200);
    await done(one.call("DELETE", `/api/keys/${made.id}`));
    await within2s(() => asKey("GET", "/api/agents"), isUnauthenticated);
    await endsWithin5s(stream);
  });

  it("an ended session is refused on the other within 2 seconds, and its streams close within 5", async () => {
    const session = await signIn(one, one.key);
    const anyone = as(other, undefined);
    const { headers } = session;
    await done(anyone("GET", "/api/session", { headers }));
    const stream = await EventStream.open(other, "", headers);
    assert.strictEqual(stream.response.status, 200);
    await done(as(one, undefined)("DELETE", "/api/session", { headers }));
    await within2s(() => anyone("GET", "/api/session", { headers }), isUnauthenticated);
    await endsWithin5s(stream);
  });

  it("a changed value and a revoked grant of an MCP server hold on the other within 2 seconds", async () => {
    const { body: server } = await done(
      one.call("POST", "/api/mcp/installed", {
        body: { catalogId: "value", envValues: { VALUE: "old" } },
      }),
    );
    const path = `/api/mcp/installed/${server.id}`;
    const verified = await done(one.call("POST", `${path}/verify`));
    assert.strictEqual(verified.body.status, "ok", verified.text);
    await done(one.call("POST", `${path}/enable`));
    const grant = (granted: boolean) =>
      done(one.call("PUT", `${path}/access`, { body: { entries: [{ agentId: "bot", granted }] } }));
    await grant(true);
    const look = (node: Quartermaster) =>
      node.call("POST", "/api/agents/bot/tools/call", {
        body: { name: "value__look", arguments: {} },
      });
    // Both have a process with the old value, after this.
    for (const node of [one, other]) assert.include((await done(look(node))).text, "value old");

    await done(one.call("PUT", path, { body: { envValues: { VALUE: "new" } } }));
    await within2s(
      () => look(other),
      ({ text }) => text.includes("value new"),
    );
    await grant(false);
    await within2s(
      () => look(other),
      ({ status }) => status === 403 || status === 404 || status === 409,
    );
    await grant(true);
    await done(look(other));
    await done(one.call("POST", `${path}/disable`));
    await within2s(
      () => look(other),
      ({ status }) => status >= 400 && status < 500,
    );
  });
});
