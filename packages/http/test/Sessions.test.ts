import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Redacted } from "effect";
import { assertInvalid, assertProblem, assertShape } from "./support/Assert.ts";
import { type Answer, type Call, signIn } from "./support/Client.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const login = (apiKey: string, headers: Record<string, string> = {}) =>
  world.as(undefined)("POST", "/api/session", { body: { apiKey }, headers });

const cookieOf = (answer: Answer) => answer.headers.get("set-cookie")!.split(";")[0]!;

/** Calls with the session's cookie and secret. */
const session = async (apiKey = world.keys.admin.key) => {
  const { cookie, secret } = await signIn(world, apiKey);
  return (method: string, path: string, { headers, ...call }: Call = {}) =>
    world.as(undefined)(method, path, {
      ...call,
      headers: { cookie, "quartermaster-session": secret, ...headers },
    });
};

const sameOrigin = { "sec-fetch-site": "same-origin" };

describe("sessions", () => {
  it("[session.create.201] a login sets a cookie that scripts and other sites do not get", async () => {
    const answer = await login(world.keys.admin.key);
    assert.strictEqual(answer.status, 201);
    assertShape(answer.body, {
      principal: {
        type: "User",
        id: world.keys.admin.id,
        role: "Admin",
        projects: null,
        agentId: null,
        userId: null,
      },
      expiresAt: String,
      sessionSecret: /^[0-9a-f]{64}$/,
    });
    const cookie = answer.headers.get("set-cookie")!;
    for (const part of ["HttpOnly", "SameSite=Strict", "Path=/"]) assert.include(cookie, part);
    assert.notInclude(cookie, "Secure");
    const [, secret = ""] = cookieOf(answer).split("=");
    assert.notInclude(answer.text, secret);
  });

  it("[session.create.401] [session.create.403] wrong keys and agents' keys are refused", async () => {
    assertProblem(await login("qm_a_b"), 401, "unauthenticated");
    const { key } = await world.key({ role: "Editor", agentId: "agent-1" });
    const answer = await login(key);
    assertProblem(answer, 403, "forbidden", { requiredRole: null });
    assert.isNull(answer.headers.get("set-cookie"));
  });

  it("[session.get.200] the session is returned by key and by cookie", async () => {
    const byCookie = await (await session())("GET", "/api/session");
    const byKey = await world.as(world.keys.admin.key)("GET", "/api/session");
    assert.deepStrictEqual(byCookie.body.principal, byKey.body.principal);
    assertShape([byCookie.body.expiresAt, byKey.body.expiresAt], [String, null]);
  });

  it("[session.routes] only routes of projects, agents, events and the session accept the cookie", async () => {
    const call = await session();
    for (const path of ["/api/projects/p1/issues", "/api/agents", "/api/session"]) {
      assert.strictEqual((await call("GET", path)).status, 200, path);
    }
    for (const path of ["/api/keys", "/metrics"]) {
      assertProblem(await call("GET", path), 401, "unauthenticated");
    }
  });

  it("[session.token.201] a session's bearer token has the same principal, for the other routes", async () => {
    const call = await session();
    assertProblem(await call("POST", "/api/session/token"), 403, "csrf");
    const made = await call("POST", "/api/session/token", { headers: sameOrigin });
    assert.strictEqual(made.status, 201);
    assert.deepStrictEqual(Object.keys(made.body), ["token", "expiresAt"]);
    const byToken = world.as(made.body.token);
    assert.strictEqual((await byToken("GET", "/api/keys")).status, 200);
    const { body } = await byToken("GET", "/api/session");
    assertShape(body, { principal: Object, expiresAt: made.body.expiresAt });
    assert.strictEqual(body.principal.id, world.keys.admin.id);
    assertProblem(await byToken("POST", "/api/session/token"), 403, "forbidden", {
      requiredRole: null,
    });
  });

  it("[session.end.204] a logout ends the session and its token", async () => {
    const call = await session();
    const { token } = (await call("POST", "/api/session/token", { headers: sameOrigin })).body;
    assert.strictEqual((await world.as(token)("GET", "/api/session")).status, 200);
    assertProblem(await call("DELETE", "/api/session"), 403, "csrf");
    const ended = await call("DELETE", "/api/session", { headers: sameOrigin });
    assert.deepStrictEqual([ended.status, ended.text], [204, ""]);
    assert.match(ended.headers.get("set-cookie") ?? "", /^qm_session=; .*(Max-Age=0|1970)/);
    assertProblem(await call("GET", "/api/session"), 401, "unauthenticated");
    assertProblem(await world.as(token)("GET", "/api/session"), 401, "unauthenticated");
  });

  it("[session.key-deleted] deleting the key ends its sessions and tokens", async () => {
    const { id, key } = await world.key({ role: "Editor" });
    const call = await session(key);
    const { token } = (await call("POST", "/api/session/token", { headers: sameOrigin })).body;
    await world.as(world.keys.owner.key)("DELETE", `/api/keys/${id}`);
    assert.strictEqual((await call("GET", "/api/session")).status, 401);
    assert.strictEqual((await world.as(token)("GET", "/api/session")).status, 401);
  });

  it("[session.bearer-first] a wrong key is refused, even with a valid cookie", async () => {
    const call = await session();
    const answer = await call("GET", "/api/session", {
      headers: { authorization: "Bearer qm_a_b" },
    });
    assert.strictEqual(answer.status, 401);
  });
});

describe("session lists", () => {
  it("[sessions.list.200] [sessions.end.204] a session lists its key's sessions and ends them", async () => {
    const { id, key } = await world.key({ role: "Viewer", userId: "vera" });
    const [here, there] = [await session(key), await session(key)];
    await session();
    const { body, status } = await here("GET", "/api/sessions");
    assert.strictEqual(status, 200);
    assert.lengthOf(body, 2);
    for (const listed of body) {
      assertShape(listed, {
        id: /^ses_[0-9a-f]{64}$/,
        keyId: id,
        principal: Object,
        createdAt: String,
        expiresAt: String,
        current: listed.current,
      });
      assert.strictEqual(listed.principal.id, "vera");
    }
    const other = body.find(({ current }: { current: boolean }) => !current);
    const path = `/api/sessions/${other.id}`;
    assertProblem(await here("DELETE", path), 403, "csrf");
    const ended = await here("DELETE", path, { headers: sameOrigin });
    assert.deepStrictEqual([ended.status, ended.text], [204, ""]);
    assertProblem(await there("GET", "/api/session"), 401, "unauthenticated");
    assertProblem(await here("DELETE", path, { headers: sameOrigin }), 404, "not-found", {
      resource: "session",
      id: other.id,
    });
  });

  it("[keys.names.200] a session reads the names of exactly the keys that it asks for", async () => {
    const bot = await world.key({ name: "Deploy bot", role: "Editor" });
    const call = await session(world.keys.viewer.key);
    const path = `/api/session/names?id=${bot.id}`;
    const answer = await call("GET", path);
    assert.deepStrictEqual(
      [answer.status, answer.body],
      [200, [{ id: bot.id, name: "Deploy bot" }]],
    );
    const both = await call("GET", `${path}&id=${world.keys.viewer.id}`);
    assert.lengthOf(both.body, 2);
    assert.deepStrictEqual((await world.as(bot.key)("GET", path)).body, answer.body);
    assertProblem(await world.as(undefined)("GET", path), 401, "unauthenticated");
    assertInvalid(await call("GET", "/api/session/names"), "id");
    const many = Array.from({ length: 101 }, (_, n) => `id=key_${n}`).join("&");
    assertInvalid(await call("GET", `/api/session/names?${many}`), "id");
  });

  it("[sessions.list.owner] an Owner lists and ends sessions of all keys, page by page", async () => {
    const fresh = await World.forTest();
    const login = (key: string) =>
      fresh.as(undefined)("POST", "/api/session", { body: { apiKey: key } });
    const viewer = cookieOf(await login(fresh.keys.viewer.key));
    await login(fresh.keys.admin.key);
    const owner = fresh.as(fresh.keys.owner.key);
    const first = await owner("GET", "/api/sessions?limit=1");
    assert.lengthOf(first.body, 1);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await owner("GET", new URL(next, fresh.url).href.slice(fresh.url.length));
    const all = [...first.body, ...second.body];
    const of = (keyId: string) => all.find((listed) => listed.keyId === keyId);
    assert.lengthOf(all, 2);
    assert.isDefined(of(fresh.keys.admin.id));
    const path = `/api/sessions/${of(fresh.keys.viewer.id).id}`;
    const admin = fresh.as(fresh.keys.admin.key);
    assertProblem(await admin("DELETE", path), 404, "not-found", {
      resource: "session",
      id: of(fresh.keys.viewer.id).id,
    });
    assert.strictEqual((await owner("DELETE", path)).status, 204);
    const gone = await fresh.as(undefined)("GET", "/api/session", { headers: { cookie: viewer } });
    assertProblem(gone, 401, "unauthenticated");
  });

  it("[session.sign-in.invalid] a wrong sign-in token is 401, and counts as a wrong key; other bodies are 400", async () => {
    const strict = await World.forTest({ http: { authFailureLimit: 2 } });
    const signIn = (body: object) => strict.as(undefined)("POST", "/api/session", { body });
    const signInToken = "0".repeat(64);
    for (const body of [
      {},
      { signInToken: "" },
      { signInToken, apiKey: strict.keys.owner.key },
      { signInToken: null },
    ]) {
      assert.strictEqual((await signIn(body)).status, 400);
    }
    for (const wrong of ["x", signInToken]) {
      assertProblem(await signIn({ signInToken: wrong }), 401, "unauthenticated", {
        detail:
          "The sign-in link was used or has expired: it works once, within 5 minutes. Run `quartermaster open` for a new one, or use an API key.",
      });
    }
    assertProblem(await signIn({ signInToken }), 429, "rate-limited");
  });
});

describe("sign-in links", () => {
  it("[session.link] the key of an Admin creates a link that signs in once, and a session creates none", async () => {
    const create = (key: string) => world.as(key)("POST", "/api/session/link");
    const { body, status } = await create(world.keys.admin.key);
    assert.strictEqual(status, 201);
    assert.match(body.signInToken, /^[0-9a-f]{64}$/);
    assert.match(body.expiresAt, /Z$/);
    const use = () =>
      world.as(undefined)("POST", "/api/session", { body: { signInToken: body.signInToken } });
    const used = await use();
    assert.strictEqual(used.body.principal.role, "Admin");
    assertProblem(await use(), 401, "unauthenticated", { detail: /was used or has expired/ });
    for (const key of [world.keys.editor.key, world.agent.key]) {
      assert.strictEqual((await create(key)).status, 403);
    }
    const { headers } = await signIn(world, world.keys.admin.key);
    assert.strictEqual(
      (await world.as(undefined)("POST", "/api/session/link", { headers })).status,
      401,
    );
    const { token } = (await world.as(undefined)("POST", "/api/session/token", { headers })).body;
    assert.strictEqual((await create(token)).status, 403);
  });
});

describe("csrf", () => {
  it("[csrf.secret] a write by cookie needs the session's secret, and ending the session does not", async () => {
    const { cookie, headers, secret } = await signIn(world, world.keys.admin.key);
    const stranger = world.as(undefined);
    const { id } = (await world.call("POST", "/api/projects/p1/issues", { body: { title: "x" } }))
      .body;
    const other = await signIn(world, world.keys.admin.key);
    const writes = [
      ["POST", "/api/session/token", undefined],
      ["POST", "/api/projects/p1/issues", { title: "x" }],
      ["POST", "/api/views", { name: "x", query: "" }],
      ["PUT", `/api/projects/issues/${id}`, { title: "y" }],
      ["DELETE", `/api/projects/issues/${id}?confirm=true`, undefined],
    ] as const;
    for (const [method, path, body] of writes) {
      const call = (sent: Record<string, string>) =>
        stranger(method, path, { body, headers: { cookie, ...sameOrigin, ...sent } });
      for (const sent of [undefined, "", other.secret, cookie.slice("qm_session=".length)]) {
        const answer = await call(sent === undefined ? {} : { "quartermaster-session": sent });
        assertProblem(answer, 403, "csrf");
      }
      assert.isBelow((await call({ "quartermaster-session": secret })).status, 300, path);
    }
    const read = await stranger("GET", "/api/session", { headers: { cookie } });
    assert.deepStrictEqual(
      [read.status, Object.keys(read.body)],
      [200, ["principal", "expiresAt"]],
    );
    assertProblem(
      await stranger("POST", "/api/session/token", {
        headers: { ...headers, "sec-fetch-site": "same-site" },
      }),
      403,
      "csrf",
    );
    const ended = await stranger("DELETE", "/api/session", { headers: { cookie, ...sameOrigin } });
    assert.strictEqual(ended.status, 204);
  });

  it("[session.cookie-twice] two cookies of the session's name are refused, even if one is valid", async () => {
    const { cookie, headers } = await signIn(world, world.keys.viewer.key);
    for (const both of [
      `${cookie}; qm_session=x`,
      `qm_session=x; ${cookie}`,
      `${cookie};${cookie}`,
    ]) {
      const answer = await world.as(undefined)("GET", "/api/session", {
        headers: { ...headers, cookie: both },
      });
      assertProblem(answer, 401, "unauthenticated", {
        detail:
          "The browser sent several cookies named qm_session. Delete this site's cookies, and sign in again.",
      });
    }
    const others = `theme=dark; ${cookie}; __Host-qm_session=x; my_qm_session=y`;
    const answer = await world.as(undefined)("GET", "/api/session", {
      headers: { cookie: others },
    });
    assert.strictEqual(answer.status, 200);
  });

  it("[session.token.limit] a session has at most 100 valid tokens", async () => {
    const { headers } = await signIn(world, world.keys.viewer.key);
    const token = () => world.as(undefined)("POST", "/api/session/token", { headers });
    const answers = await Promise.all(Array.from({ length: 100 }, token));
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assertProblem(await token(), 422, "limit-exceeded", { limit: 100 });
  });

  it("[csrf.same-origin] a write by cookie must come from the same origin, and a read need not", async () => {
    const call = await session();
    const path = "/api/projects/csrf/issues";
    const body = { title: "x" };
    const host = new URL(world.url).host;
    for (const headers of [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "https://evil.example" },
      { origin: `https://${host}` },
      { origin: "null" },
    ]) {
      assertProblem(await call("POST", path, { body, headers }), 403, "csrf");
    }
    assert.deepStrictEqual((await call("GET", path)).body, []);
    for (const headers of [sameOrigin, { origin: `http://${host}` }]) {
      assert.strictEqual((await call("POST", path, { body, headers })).status, 201);
    }
    assert.strictEqual(
      (await world.call("POST", path, { body, headers: { origin: "https://evil.example" } }))
        .status,
      201,
    );
  });

  it("[csrf.public-url] the public URL is the accepted origin, and HTTPS makes the cookie Secure", async () => {
    const proxied = await World.forTest({
      http: { publicUrl: "https://qm.example", trustedProxies: ["127.0.0.0/8"] },
    });
    const https = { "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1" };
    const made = await proxied.as(undefined)("POST", "/api/session", {
      body: { apiKey: proxied.keys.editor.key },
      headers: https,
    });
    assert.match(made.headers.get("set-cookie") ?? "", /^__Host-qm_session=.*Path=\/; .*Secure/);
    const behindPlainProxy = await proxied.as(undefined)("POST", "/api/session", {
      body: { apiKey: proxied.keys.editor.key },
    });
    assert.include(behindPlainProxy.headers.get("set-cookie"), "Secure");
    const headers = {
      ...https,
      cookie: cookieOf(made),
      "quartermaster-session": made.body.sessionSecret,
    };
    const write = (origin: string) =>
      proxied.as(undefined)("POST", "/api/projects/p1/issues", {
        body: { title: "x" },
        headers: { ...headers, origin },
      });
    assert.strictEqual((await write("https://qm.example")).status, 201);
    assert.strictEqual((await write(new URL(proxied.url).origin)).status, 403);
    const unprefixed = await proxied.as(undefined)("GET", "/api/session", {
      headers: { ...https, cookie: cookieOf(made).replace("__Host-", "") },
    });
    assertProblem(unprefixed, 401, "unauthenticated");
  });

  it("[keys.admin-key.bearer] the host's own key is a bearer token, whatever its text", async () => {
    const chosen = ["qms_the host's own choice of a key", "Der Schlüssel des Hauses, 🔑 und mehr"];
    for (const adminKey of chosen) {
      const { as } = await World.forTest({ core: { adminKey: Redacted.make(adminKey) } });
      // Headers have bytes: this is what a client sends that encodes them as UTF-8.
      const sent = Buffer.from(adminKey).toString("latin1");
      const answer = await as(sent)("GET", "/api/session");
      assert.deepStrictEqual([answer.status, answer.body.principal?.id], [200, "admin"], adminKey);
      assertProblem(await as(`${sent}s`)("GET", "/api/session"), 401, "unauthenticated");
    }
    const latin1 = "Der Schlüssel des Hauses und mehr";
    const { as } = await World.forTest({ core: { adminKey: Redacted.make(latin1) } });
    assert.strictEqual((await as(latin1)("GET", "/api/session")).status, 200);
  });
});
