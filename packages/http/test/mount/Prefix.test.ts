import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { HttpRouter, HttpServerResponse } from "effect/http";
import * as HttpOptions from "../../src/HttpOptions.ts";
import * as Mount from "../../src/Mount.ts";
import * as Routes from "../../src/Routes.ts";
import { system } from "../support/TestServer.ts";
import * as MountWorld from "./MountWorld.ts";

const prefix = "/quartermaster";

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail("The promise did not reject");
};

describe("a prefix", () => {
  it("[mount.description] the document, the cookie and OAuth's URLs contain it", async () => {
    const { base, call, follow, owner } = await MountWorld.start({ host: "Node", prefix });
    const { body } = await call("GET", "/openapi.json");
    assert.deepStrictEqual(body.servers, [{ url: prefix }]);
    const docs = await call("GET", "/docs/api");
    assert.include(docs.text, `"servers":[{"url":"${prefix}"}]`);
    const { body: client } = await call("GET", "/oauth/client");
    assert.deepStrictEqual(client.redirect_uris, [`${base}/oauth/callback`]);

    const session = await call("POST", "/api/session", { body: { apiKey: owner } });
    assert.strictEqual(session.headers.get("location"), `${prefix}/api/session`);
    const cookie = session.headers.get("set-cookie") ?? "";
    assert.include(cookie.split("; "), `Path=${prefix}`);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    const byCookie = await follow(`${prefix}/api/session`, { key: undefined, headers });
    assert.strictEqual(byCookie.body.principal.role, "Owner");
    const ended = await call("DELETE", "/api/session", {
      key: undefined,
      headers: { ...headers, origin: new URL(base).origin },
    });
    assert.include((ended.headers.get("set-cookie") ?? "").split("; "), `Path=${prefix}`);
  });

  it("[session.cookie-name] over HTTPS, the cookie below a prefix is `__Secure-qm_session`", async () => {
    const options = { host: "Node", prefix, publicUrl: "https://tools.example.com" } as const;
    const { call, owner } = await MountWorld.start(options);
    const { headers } = await call("POST", "/api/session", { body: { apiKey: owner } });
    const [cookie, ...attributes] = (headers.get("set-cookie") ?? "").split("; ");
    assert.match(cookie ?? "", /^__Secure-qm_session=[0-9a-f]{64}$/);
    assert.includeMembers(attributes, [`Path=${prefix}`, "Secure"]);
  });

  it("[mount.description] with a public URL, absolute links contain both", async () => {
    const publicUrl = "https://tools.example.com";
    const options = { host: "Node", prefix, publicUrl } as const;
    const { call, follow } = await MountWorld.start(options);
    await call("POST", "/api/projects/shop/issues", { body: { title: "a" } });
    await call("POST", "/api/projects/shop/issues", { body: { title: "b" } });
    const page = await follow(`${prefix}/api/projects/shop/issues?limit=1`);
    const start = `<${publicUrl}${prefix}/api/projects/shop/issues?limit=1&cursor=`;
    assert.include(page.headers.get("link"), start);
    const { body } = await call("GET", "/oauth/client");
    assert.strictEqual(body.client_id, `${publicUrl}${prefix}/oauth/client`);
    assert.deepStrictEqual(body.redirect_uris, [`${publicUrl}${prefix}/oauth/callback`]);
  });

  it("[mount.prefix] a prefix has several segments, and a longer word is another path", async () => {
    const world = await MountWorld.start({ host: "Node", prefix: "/tools/v1.0" });
    const created = await world.call("POST", "/api/projects/shop/issues", {
      body: { title: "a" },
      headers: { "x-request-id": "given" },
    });
    assert.match(created.headers.get("location") ?? "", /^\/tools\/v1\.0\/api\//);
    assert.strictEqual(created.headers.get("x-request-id"), "given");
    for (const path of ["/tools/v1.0", "/tools/v1.0/", "/tools/v1.0/api//keys"]) {
      const { body, headers, status } = await world.follow(path);
      assert.deepStrictEqual([status, body.resource], [404, "path"], path);
      assert.isNotNull(headers.get("x-request-id"), path);
    }
    for (const path of ["/tools/v1.0x/healthz", "/tools/healthz", "/healthz"]) {
      assert.isNull((await world.follow(path)).headers.get("x-request-id"), path);
    }
  });

  it("[mount.prefix] a host that removes the prefix gets a 404 that explains it", async () => {
    const { follow } = await MountWorld.start({ host: "Node", prefix });
    const { body, headers, status } = await follow("/api/session");
    assert.strictEqual(status, 404);
    assert.strictEqual(headers.get("content-type"), "application/problem+json");
    assert.include(body.detail, "Keep /quartermaster in the path");
  });

  it("[mount.prefix] a prefix that is not a path is rejected", async () => {
    const { runtime } = await MountWorld.prepare();
    for (const wrong of ["quartermaster", "/", "/tools/", "/a b", "/:id", "/a//b", "/*"]) {
      const error = await rejection(Mount.open(runtime, { prefix: wrong }));
      assert.include(String(error), `"${wrong}" is not one`, wrong);
    }
  });

  it("[mount.description] a public URL with a path is rejected, and an absent one has its default", async () => {
    const { runtime } = await MountWorld.prepare();
    for (const wrong of ["https://tools.example.com/", "https://example.com/tools", "example"]) {
      const error = await rejection(Mount.open(runtime, { publicUrl: wrong }));
      assert.include(String(error), `"${wrong}" is not one`, wrong);
    }
    const mount = await Mount.open(runtime, { prefix: undefined, publicUrl: undefined });
    const client = await mount.fetch(new Request("http://localhost/oauth/client"));
    assert.include(await client.text(), '"http://localhost/oauth/callback"');
    await mount.close();
  });

  it("[mount.effect] in an HttpRouter, routes and problems stay below the prefix", async () => {
    const { owner, runtime } = await MountWorld.prepare();
    const services = Layer.succeedContext(await runtime.context());
    const routes = Routes.layer.pipe(
      Layer.provide(system),
      Layer.merge(HttpRouter.add("GET", "/hello", HttpServerResponse.text("Hello"))),
      Layer.merge(HttpRouter.add("GET", "/broken", Effect.die("broken"))),
      Layer.provide(Layer.succeed(HttpOptions.HttpOptions, { ...HttpOptions.defaults, prefix })),
      Layer.provide(services),
    );
    // The router's own configuration, where parameters have at most 100 characters.
    const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true });
    const get = (path: string) =>
      handler(
        new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${owner}` } }),
      );
    const session = await get(`${prefix}/api/session`);
    assert.strictEqual(session.status, 200);
    const long = await get(`${prefix}/api/projects/issues/${"x".repeat(200)}`);
    assert.deepInclude(await long.json(), { status: 404, resource: "issue" });
    assert.isTrue(long.headers.has("x-request-id"));
    assert.strictEqual(await (await get("/hello")).text(), "Hello");
    for (const path of ["/broken", "/unknown", "/api/session"]) {
      const { headers, status } = await get(path);
      assert.strictEqual(status, path === "/broken" ? 500 : 404);
      assert.isFalse(headers.has("x-request-id"));
    }
    await dispose();
  });
});

describe("requests of the platform", () => {
  it("[mount.body-read] an upload that the host has read is a 500", async () => {
    const { owner, runtime } = await MountWorld.prepare();
    const mount = await Mount.open(runtime);
    const body = new FormData();
    body.append("file", new File(["a"], "a.txt"));
    const url = "http://127.0.0.1/api/projects/issues/iss_01ARZ3NDEKTSV4RRFFQ69G5FAV/attachments";
    const headers = { authorization: `Bearer ${owner}` };
    const upload = new Request(url, { method: "POST", headers, body });
    await upload.formData();
    const refused = await mount.fetch(upload);
    assert.strictEqual(refused.status, 500);
    assert.include(await refused.text(), "Mount Quartermaster before body parsers");
    await mount.close();
  });

  const request = (path: string, key: string, init: RequestInit = {}) =>
    new Request(`http://127.0.0.1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });

  it("[mount.peer] failed authentications are limited by the address of the peer", async () => {
    const { runtime } = await MountWorld.prepare();
    const mount = await Mount.open(runtime, { authFailureLimit: 2 });
    const fail = async (address: string) =>
      (await mount.fetch(request("/api/session", "qm_wrong"), { address })).status;
    for (const status of [401, 401, 429]) assert.strictEqual(await fail("192.0.2.1"), status);
    assert.strictEqual(await fail("192.0.2.2"), 401);
    await mount.close();
  });

  it("[mount.peer] secrets over plain HTTP need a peer on this machine", async () => {
    const { owner, runtime } = await MountWorld.prepare();
    const mount = await Mount.open(runtime);
    const install = async (address?: string) => {
      const body = JSON.stringify({ catalogId: "test-tool", envValues: {} });
      const init = { method: "POST", body };
      const peer = address === undefined ? undefined : { address };
      return (await mount.fetch(request("/api/mcp/installed", owner, init), peer)).status;
    };
    assert.strictEqual(await install(), 403);
    assert.strictEqual(await install("192.0.2.1"), 403);
    assert.strictEqual(await install("127.0.0.1"), 201);
    await mount.close();
  });
});
