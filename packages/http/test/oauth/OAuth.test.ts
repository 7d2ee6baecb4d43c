import { assert, describe, it } from "@effect/vitest";
import { assertFields, assertProblem } from "../support/Assert.ts";
import * as OAuthWorld from "./OAuthWorld.ts";

/** The whole flow, by real HTTP: authorization server, protected MCP server, and a browser. */

const failed = (page: { readonly status: number; readonly text: string }, why: RegExp) => {
  assert.strictEqual(page.status, 400);
  assert.include(page.text, "<h1>Not authorized</h1>");
  assert.match(page.text, why);
};

describe("authorization of an MCP server", () => {
  it("[mcp.oauth.flow] after the consent in a browser the server is usable", async () => {
    const world = await OAuthWorld.start();
    const { provider } = world;
    const refused = await world.verify();
    assert.match(refused.details, /^HTTP status 401.*must be authorized/);

    const begun = await world.begin();
    assert.strictEqual(begun.status, 200);
    assert.deepStrictEqual(Object.keys(begun.body), ["url"]);
    const address = new URL(begun.body.url);
    assert.strictEqual(`${address.origin}${address.pathname}`, `${provider.url}/issuer/authorize`);
    assertFields(Object.fromEntries(address.searchParams), {
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: `${world.url}/oauth/callback`,
      resource: `${provider.url}/mcp`,
      scope: "read",
    });
    const page = await world.visit(await world.consent(begun.body.url));
    assert.strictEqual(page.status, 200);
    assert.include(page.text, "The server board is authorized.");
    assert.deepStrictEqual((await world.verify()).capabilities, ["whoami"]);
    assert.deepStrictEqual(provider.grants, ["authorization_code"]);
  });

  it("[mcp.oauth.page] the page is plain text in HTML, and runs no script", async () => {
    const world = await OAuthWorld.start();
    const evil = `<script>alert("1")</script>`;
    const { url } = (await world.begin()).body;
    const state = new URL(url).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ state, error: evil });
    const page = await world.visit(`${world.url}/oauth/callback?${query}`);
    failed(page, /answered an error/);
    assert.notMatch(page.text, /<script|alert/);
    assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none';/);
    assert.strictEqual(page.headers.get("cache-control"), "no-store");
    assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer");
    assert.strictEqual(page.headers.get("x-content-type-options"), "nosniff");
  });

  it("[mcp.oauth.callback-once] a repeated callback, or a HEAD of one, does nothing", async () => {
    const world = await OAuthWorld.start();
    const back = await world.consent((await world.begin()).body.url);
    assert.strictEqual((await world.visit(back, { method: "HEAD" })).status, 200);
    const bare = `${world.url}/oauth/callback`;
    assert.strictEqual((await world.visit(bare, { method: "HEAD" })).status, 400);
    const twice = new URL(back);
    twice.searchParams.append("state", back.searchParams.get("state") ?? "");
    failed(await world.visit(twice), /used already/);
    assert.strictEqual((await world.visit(back)).status, 200);
    failed(await world.visit(back), /used already/);
    failed(await world.visit(`${world.url}/oauth/callback`), /used already/);
    assert.deepStrictEqual(world.provider.grants, ["authorization_code"]);
  });

  it("[mcp.oauth.pkce] a code without its verifier yields no tokens", async () => {
    const world = await OAuthWorld.start();
    const [one, other] = [
      await world.consent((await world.begin()).body.url),
      await world.consent((await world.begin()).body.url),
    ];
    one.searchParams.set("code", other.searchParams.get("code") ?? "");
    failed(await world.visit(one), /responded with the error invalid_grant/);
    assert.strictEqual((await world.verify()).status, "error");
  });

  it("[mcp.oauth.mix-up] a response that names another issuer is refused", async () => {
    const world = await OAuthWorld.start();
    world.provider.behaviour.iss = "https://evil.example";
    failed(await world.authorize(), /not from the authorization server/);
    world.provider.behaviour.metadata = { authorization_response_iss_parameter_supported: true };
    world.provider.behaviour.iss = null;
    failed(await world.authorize(), /not from the authorization server/);
    assert.deepStrictEqual(world.provider.grants, []);
    world.provider.behaviour.iss = `${world.provider.url}/issuer`;
    assert.strictEqual((await world.authorize()).status, 200);
  });

  it("[mcp.oauth.redirect-uri] the redirect URI uses the public URL, regardless of the request's headers", async () => {
    const world = await OAuthWorld.start({ http: { publicUrl: "https://qm.example" } });
    const { url } = (await world.begin()).body;
    assert.strictEqual(
      new URL(url).searchParams.get("redirect_uri"),
      "https://qm.example/oauth/callback",
    );
    const own = await OAuthWorld.start();
    const begun = await own.call("POST", `${own.path}/authorize`, {
      headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    });
    assert.strictEqual(
      new URL(begun.body.url).searchParams.get("redirect_uri"),
      `${own.url}/oauth/callback`,
    );
  });

  it("[mcp.oauth.client-document] without registration the client uses its Client ID Metadata Document", async () => {
    const world = await OAuthWorld.start({ http: { publicUrl: "https://qm.example" } });
    const { behaviour } = world.provider;
    const byDocument = {
      registration_endpoint: undefined,
      client_id_metadata_document_supported: true,
    };
    behaviour.metadata = byDocument;
    const { url } = (await world.begin()).body;
    const clientId = new URL(url).searchParams.get("client_id") ?? "";
    assert.strictEqual(clientId, "https://qm.example/oauth/client");
    assert.strictEqual(world.provider.clients.size, 0);
    const document = await world.as(undefined)("GET", new URL(clientId).pathname);
    assertFields(document.body, {
      client_id: clientId,
      redirect_uris: ["https://qm.example/oauth/callback"],
    });
    const back = await world.consent(url);
    const page = await world.visit(`${world.url}${back.pathname}${back.search}`);
    assert.strictEqual(page.status, 200);

    const local = await OAuthWorld.start();
    local.provider.behaviour.metadata = byDocument;
    assertProblem(await local.begin(), 422, "authorization-failed", { reason: "unsupported" });
  });

  it("[mcp.oauth.registered] without dynamic registration the server's variables name the client", async () => {
    const world = await OAuthWorld.start();
    const { behaviour, clients, paths, registerByHand } = world.provider;
    const put = (envValues: Record<string, string | null>) =>
      world.call("PUT", world.path, { body: { envValues } });
    behaviour.metadata = { registration_endpoint: undefined };
    const refused = await world.begin();
    assertProblem(refused, 422, "authorization-failed", { reason: "unsupported" });
    assert.include(refused.body.detail, "OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET");

    const redirectUri = `${world.url}/oauth/callback`;
    const secret = registerByHand("by-hand", redirectUri);
    await put({ OAUTH_CLIENT_ID: "by-hand", OAUTH_CLIENT_SECRET: secret });
    assert.strictEqual((await world.authorize()).status, 200);
    assert.strictEqual((await world.verify()).status, "ok");
    // The same client refreshes the token.
    world.provider.forget();
    assert.strictEqual((await world.verify()).status, "ok");

    clients.set("public", { secret: undefined, redirectUri });
    await put({ OAUTH_CLIENT_ID: "public", OAUTH_CLIENT_SECRET: null });
    assert.strictEqual((await world.authorize()).status, 200);
    assert.strictEqual((await world.verify()).status, "ok");

    behaviour.metadata = true;
    assert.strictEqual((await world.authorize()).status, 200);
    assert.notInclude(paths, "POST /issuer/register");
    for (const text of [...world.answers, ...world.log]) assert.notInclude(text, secret);
  });

  it("[mcp.oauth.scope] missing scopes are reported, and the next authorization requests them", async () => {
    const world = await OAuthWorld.start();
    world.provider.behaviour.right = "write";
    await world.authorize();
    const refused = await world.verify();
    assert.strictEqual(refused.status, "error");
    assert.match(
      refused.details,
      /HTTP status 403: it requires the scopes write\. The server must be authorized/,
    );
    const { url } = (await world.begin()).body;
    assert.strictEqual(new URL(url).searchParams.get("scope"), "read write");
    await world.visit(await world.consent(url));
    assert.deepStrictEqual((await world.verify()).capabilities, ["whoami"]);
  });

  it("[mcp.oauth.no-metadata] a server without usable metadata is reported with the reason", async () => {
    const world = await OAuthWorld.start();
    const { behaviour } = world.provider;
    const cases: ReadonlyArray<readonly [reason: string, over: Partial<typeof behaviour>]> = [
      ["noMetadata", { resourceMetadata: false }],
      ["noMetadata", { metadata: false }],
      ["issuerMismatch", { metadata: { issuer: "https://evil.example" } }],
      ["badAnswer", { resourceMetadata: { resource: "https://evil.example/mcp" } }],
      ["insecure", { resourceMetadata: { authorization_servers: ["http://plain.example"] } }],
      ["insecure", { metadata: { token_endpoint: "http://plain.example/token" } }],
      ["insecure", { metadata: { authorization_endpoint: "ftp://127.0.0.1/authorize" } }],
      ["unsupported", { metadata: { code_challenge_methods_supported: ["plain"] } }],
      ["unsupported", { metadata: { code_challenge_methods_supported: undefined } }],
      ["unsupported", { metadata: { registration_endpoint: undefined } }],
    ];
    for (const [reason, over] of cases) {
      Object.assign(behaviour, { metadata: true, resourceMetadata: true }, over);
      assertProblem(await world.begin(), 422, "authorization-failed", { reason });
    }
    await world.provider.close();
    assertProblem(await world.begin(), 422, "authorization-failed", { reason: "unreachable" });
  });

  it("[mcp.oauth.token-redirect] a redirect of the token endpoint is not followed", async () => {
    const world = await OAuthWorld.start();
    const { behaviour, paths } = world.provider;
    for (const [status, to] of [
      [307, "/elsewhere"],
      [302, "/elsewhere"],
      [308, "http://localhost:1/elsewhere"],
    ] as const) {
      behaviour.token = (response) => response.writeHead(status, { location: to }).end();
      failed(await world.authorize(), /redirects a POST/);
    }
    assert.deepStrictEqual(
      paths.filter((path) => path.includes("elsewhere")),
      [],
    );
  });

  it("[mcp.oauth.bad-answers] malformed, too large and unexpected responses yield no tokens", async () => {
    const world = await OAuthWorld.start();
    const { behaviour } = world.provider;
    const answer = (body: string, status = 200) => {
      behaviour.token = (response) =>
        response.writeHead(status, { "content-type": "application/json" }).end(body);
    };
    answer("<html>");
    failed(await world.authorize(), /not a valid OAuth response/);
    answer(JSON.stringify({ access_token: "x", token_type: "mac" }));
    failed(await world.authorize(), /not a bearer token/);
    answer(JSON.stringify({ access_token: "a\nb", token_type: "Bearer" }));
    failed(await world.authorize(), /not allowed in a header/);
    answer(JSON.stringify({ access_token: "x".repeat(300_000), token_type: "Bearer" }));
    failed(await world.authorize(), /more than 262144 bytes/);
    answer("{}", 500);
    failed(await world.authorize(), /HTTP status 500/);
    answer(JSON.stringify({ error: "server_error" }), 400);
    failed(await world.authorize(), /responded with the error server_error/);
    assert.strictEqual((await world.verify()).status, "error");
  });

  it("[mcp.oauth.renewal] 20 concurrent callers cause one refresh; only invalid_grant removes the tokens", async () => {
    const world = await OAuthWorld.start();
    const { behaviour, forget, forgetRefresh, grants } = world.provider;
    behaviour.expiresIn = 0;
    await world.authorize();
    forget();
    grants.length = 0;
    behaviour.expiresIn = 3_600;
    const verifies = await Promise.all(Array.from({ length: 20 }, () => world.verify()));
    assert.deepStrictEqual(
      verifies.map(({ status }) => status),
      verifies.map(() => "ok"),
    );
    assert.deepStrictEqual(grants, ["refresh_token"]);

    forget();
    behaviour.token = (response) => response.writeHead(500).end(`{"error":"invalid_grant"}`);
    assert.strictEqual((await world.verify()).status, "error");
    behaviour.token = null;
    assert.strictEqual((await world.verify()).status, "ok");

    forget();
    forgetRefresh();
    assert.match((await world.verify()).details, /Its authorization has expired/);
    grants.length = 0;
    assert.match((await world.verify()).details, /^HTTP status 401.*must be authorized/);
    assert.deepStrictEqual(grants, []);
  });

  it("[mcp.oauth.canary] no token, code, verifier or client secret is in a response, event or log", async () => {
    const world = await OAuthWorld.start();
    const { call, path, provider } = world;
    const stream = new AbortController();
    const following = await fetch(`${world.url}/api/events`, {
      headers: { authorization: `Bearer ${world.keys.admin.key}` },
      signal: stream.signal,
    });
    await world.authorize();
    await world.verify();
    await call("PUT", "/api/agents/bot", { body: {} });
    await call("PUT", `${path}/access`, { body: { entries: [{ agentId: "bot", granted: true }] } });
    assert.strictEqual((await call("POST", `${path}/enable`)).status, 204);
    const said = await call("POST", "/api/agents/bot/tools/call", {
      body: { name: "board__whoami", arguments: {} },
    });
    assert.deepStrictEqual(said.body.content, [
      { type: "text", text: "You are [secret authorization]." },
    ]);
    provider.forget();
    await world.verify();
    provider.forget();
    provider.behaviour.token = (response) =>
      response.writeHead(400, { "content-type": "application/json" }).end(
        JSON.stringify({
          error: "invalid_request",
          error_description: provider.canaries.join(" "),
        }),
      );
    await world.verify();
    failed(await world.authorize(), /responded with the error invalid_request/);
    provider.behaviour.token = null;
    await call("GET", path);
    await call("GET", "/api/mcp/installed");
    await call("GET", `${path}/tools`);
    await call("GET", "/api/mcp/calls");
    await call("DELETE", path);

    const reader = following.body!.getReader();
    let events = "";
    while (!events.includes("mcp.uninstalled")) {
      const { value } = await reader.read();
      events += new TextDecoder().decode(value);
    }
    stream.abort();
    assert.include(events, `"authorized":true`);
    assert.isAbove(provider.canaries.length, 6);
    const all = [...world.answers, ...world.log, events].join("\n");
    for (const canary of provider.canaries) assert.notInclude(all, canary);
  });
});
