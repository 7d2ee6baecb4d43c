import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertInvalid, assertProblem } from "./support/Assert.ts";
import { request, signIn } from "./support/Client.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start({ http: { trustedProxies: ["127.0.0.1"] } });
});
afterAll(() => world.close());

const client = { "user-agent": "audit-test/1", "x-forwarded-for": "198.51.100.7" };

/** Creates a key with the Owner's key. Returns the actor to filter by. */
const createKey = async (name: string) => {
  const body = { name, role: "Viewer" };
  const answer = await world.as(world.keys.owner.key)("POST", "/api/keys", {
    body,
    headers: client,
  });
  assert.strictEqual(answer.status, 201);
  return answer.body.id as string;
};

describe("the audit log", () => {
  it("[audit.list.200] an entry has the key, the address behind proxies and the User-Agent of the request", async () => {
    const id = await createKey("CI");
    const { body, status } = await world.admin(
      "GET",
      `/api/audit?actor=${world.keys.owner.id}&action=key.created&limit=1`,
    );
    assert.strictEqual(status, 200);
    const [{ at, ...entry }] = body;
    assert.match(at, /^\d{4}-.*Z$/);
    assert.deepStrictEqual(entry, {
      actor: { type: "User", id: world.keys.owner.id },
      keyId: world.keys.owner.id,
      address: "198.51.100.7",
      userAgent: "audit-test/1",
      action: "key.created",
      subject: { type: "key", id, name: "CI" },
      changes: [],
    });
  });

  it("[audit.session] a sign-in has its key and its client, and a sign-out too", async () => {
    const { id, key } = await world.key({ role: "Viewer" });
    const { cookie } = await signIn(world, key);
    await world.as(undefined)("DELETE", "/api/session", {
      headers: { cookie, "sec-fetch-site": "same-origin", ...client },
    });
    const { body } = await world.admin("GET", `/api/audit?actor=${id}&order=asc`);
    assert.deepStrictEqual(
      body.map(({ action, keyId }: Record<string, unknown>) => [action, keyId]),
      [
        ["session.created", id],
        ["session.deleted", id],
      ],
    );
    assert.deepStrictEqual([body[0].address, body[1].address], ["127.0.0.1", "198.51.100.7"]);
  });

  it("[audit.export] NDJSON has every entry that matches, over all pages, or as many as asked for", async () => {
    for (let n = 0; n < 5; n++) await createKey(`export ${n}`);
    const read = async (query: string) => {
      const answer = await request(world, "GET", `/api/audit?${query}`, {
        key: world.keys.admin.key,
        headers: { accept: "text/plain, application/x-ndjson;q=0.9" },
      });
      assert.strictEqual(answer.status, 200);
      assert.strictEqual(answer.headers.get("content-type"), "application/x-ndjson");
      const text = await answer.text();
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    };
    const filter = `actor=${world.keys.owner.id}`;
    const all = await read(filter);
    const { body } = await world.admin("GET", `/api/audit?${filter}&limit=500`);
    assert.isAtLeast(all.length, 5);
    assert.deepStrictEqual(all, body);
    assert.deepStrictEqual(await read(`${filter}&limit=2`), body.slice(0, 2));
    assert.deepStrictEqual(await read("actor=nobody"), []);
    const refused = await world.admin("GET", "/api/audit?limit=0", {
      headers: { accept: "application/x-ndjson" },
    });
    assertInvalid(refused, "limit");
  });

  it("[audit.list.400] unknown actions and times are refused by name", async () => {
    assertInvalid(await world.admin("GET", "/api/audit?action=key.made"), "action");
    assertInvalid(await world.admin("GET", "/api/audit?from=yesterday"), "from");
  });

  it("[audit.secret] by cookie, the read requires the session's secret", async () => {
    const { cookie, secret } = await signIn(world, world.keys.admin.key);
    const read = (headers: Record<string, string>) =>
      world.as(undefined)("GET", "/api/audit", { headers: { cookie, ...headers } });
    assertProblem(await read({}), 403, "csrf");
    assertProblem(await read({ "quartermaster-session": "0".repeat(64) }), 403, "csrf");
    assert.strictEqual((await read({ "quartermaster-session": secret })).status, 200);
  });
});
