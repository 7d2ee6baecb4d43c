import { describe, expect, it } from "vitest";
import { expectProblem } from "../support/World.ts";
import * as OAuthWorld from "./OAuthWorld.ts";

/** The whole flow, by real HTTP: authorization server, protected MCP server, and a browser. */

const failed = (page: { readonly status: number; readonly text: string }, why: RegExp) => {
  expect(page.status).toBe(400);
  expect(page.text).toContain("<h1>Not authorized</h1>");
  expect(page.text).toMatch(why);
};

describe("authorization of an MCP server", () => {
  it("[mcp.oauth.flow] after the consent in a browser the server is usable", async () => {
    const world = await OAuthWorld.start();
    const { provider } = world;
    const refused = await world.verify();
    expect(refused.details).toMatch(/^HTTP status 401.*must be authorized/);

    const begun = await world.begin();
    expect(begun.status).toBe(200);
    expect(Object.keys(begun.body)).toEqual(["url"]);
    const address = new URL(begun.body.url);
    expect(`${address.origin}${address.pathname}`).toBe(`${provider.url}/issuer/authorize`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: `${world.url}/oauth/callback`,
      resource: `${provider.url}/mcp`,
      scope: "read",
    });
    const page = await world.visit(await world.consent(begun.body.url));
    expect(page.status).toBe(200);
    expect(page.text).toContain("The server board is authorized.");
    expect((await world.verify()).capabilities).toEqual(["whoami"]);
    expect(provider.grants).toEqual(["authorization_code"]);
  });

  it("[mcp.oauth.page] the page is plain text in HTML, and nothing in it runs", async () => {
    const world = await OAuthWorld.start();
    const evil = `<script>alert("1")</script>`;
    const { url } = (await world.begin()).body;
    const state = new URL(url).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ state, error: evil });
    const page = await world.visit(`${world.url}/oauth/callback?${query}`);
    failed(page, /answered an error/);
    expect(page.text).not.toMatch(/<script|alert/);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none';/);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("[mcp.oauth.callback-once] a repeated callback, or a HEAD of one, does nothing", async () => {
    const world = await OAuthWorld.start();
    const back = await world.consent((await world.begin()).body.url);
    expect((await world.visit(back, { method: "HEAD" })).status).toBe(200);
    const bare = `${world.url}/oauth/callback`;
    expect((await world.visit(bare, { method: "HEAD" })).status).toBe(400);
    const twice = new URL(back);
    twice.searchParams.append("state", back.searchParams.get("state") ?? "");
    failed(await world.visit(twice), /not known/);
    expect((await world.visit(back)).status).toBe(200);
    failed(await world.visit(back), /not known/);
    failed(await world.visit(`${world.url}/oauth/callback`), /not known/);
    expect(world.provider.grants).toEqual(["authorization_code"]);
  });

  it("[mcp.oauth.pkce] a code without its verifier yields no tokens", async () => {
    const world = await OAuthWorld.start();
    const [one, other] = [
      await world.consent((await world.begin()).body.url),
      await world.consent((await world.begin()).body.url),
    ];
    one.searchParams.set("code", other.searchParams.get("code") ?? "");
    failed(await world.visit(one), /responded with the error invalid_grant/);
    expect((await world.verify()).status).toBe("error");
  });

  it("[mcp.oauth.mix-up] a response that names another issuer is refused", async () => {
    const world = await OAuthWorld.start();
    world.provider.behaviour.iss = "https://evil.example";
    failed(await world.authorize(), /not from the authorization server/);
    world.provider.behaviour.metadata = { authorization_response_iss_parameter_supported: true };
    world.provider.behaviour.iss = null;
    failed(await world.authorize(), /not from the authorization server/);
    expect(world.provider.grants).toEqual([]);
    world.provider.behaviour.iss = `${world.provider.url}/issuer`;
    expect((await world.authorize()).status).toBe(200);
  });

  it("[mcp.oauth.redirect-uri] the redirect URI uses the public URL, whatever the request's headers", async () => {
    const world = await OAuthWorld.start({ http: { publicUrl: "https://qm.example" } });
    const { url } = (await world.begin()).body;
    expect(new URL(url).searchParams.get("redirect_uri")).toBe("https://qm.example/oauth/callback");
    const own = await OAuthWorld.start();
    const begun = await own.call("POST", `${own.path}/authorize`, {
      headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    });
    expect(new URL(begun.body.url).searchParams.get("redirect_uri")).toBe(
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
    expect(clientId).toBe("https://qm.example/oauth/client");
    expect(world.provider.clients.size).toBe(0);
    const document = await world.as(undefined)("GET", new URL(clientId).pathname);
    expect(document.body).toMatchObject({
      client_id: clientId,
      redirect_uris: ["https://qm.example/oauth/callback"],
    });
    const back = await world.consent(url);
    const page = await world.visit(`${world.url}${back.pathname}${back.search}`);
    expect(page.status).toBe(200);

    const local = await OAuthWorld.start();
    local.provider.behaviour.metadata = byDocument;
    expectProblem(await local.begin(), 422, "authorization-failed", { reason: "unsupported" });
  });

  it("[mcp.oauth.registered] without dynamic registration the server's variables name the client", async () => {
    const world = await OAuthWorld.start();
    const { behaviour, clients, paths, registerByHand } = world.provider;
    const put = (envValues: Record<string, string | null>) =>
      world.call("PUT", world.path, { body: { envValues } });
    behaviour.metadata = { registration_endpoint: undefined };
    const refused = await world.begin();
    expectProblem(refused, 422, "authorization-failed", { reason: "unsupported" });
    expect(refused.body.detail).toContain("OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET");

    const redirectUri = `${world.url}/oauth/callback`;
    const secret = registerByHand("by-hand", redirectUri);
    await put({ OAUTH_CLIENT_ID: "by-hand", OAUTH_CLIENT_SECRET: secret });
    expect((await world.authorize()).status).toBe(200);
    expect((await world.verify()).status).toBe("ok");
    // Renewed as the same client.
    world.provider.forget();
    expect((await world.verify()).status).toBe("ok");

    clients.set("public", { secret: undefined, redirectUri });
    await put({ OAUTH_CLIENT_ID: "public", OAUTH_CLIENT_SECRET: null });
    expect((await world.authorize()).status).toBe(200);
    expect((await world.verify()).status).toBe("ok");

    behaviour.metadata = true;
    expect((await world.authorize()).status).toBe(200);
    expect(paths).not.toContain("POST /issuer/register");
    for (const text of [...world.answers, ...world.log]) expect(text).not.toContain(secret);
  });

  it("[mcp.oauth.scope] missing scopes are reported, and the next authorization requests them", async () => {
    const world = await OAuthWorld.start();
    world.provider.behaviour.right = "write";
    await world.authorize();
    const refused = await world.verify();
    expect(refused.status).toBe("error");
    expect(refused.details).toMatch(
      /HTTP status 403: it requires the scopes write\. The server must be authorized/,
    );
    const { url } = (await world.begin()).body;
    expect(new URL(url).searchParams.get("scope")).toBe("read write");
    await world.visit(await world.consent(url));
    expect((await world.verify()).capabilities).toEqual(["whoami"]);
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
      expectProblem(await world.begin(), 422, "authorization-failed", { reason });
    }
    await world.provider.close();
    expectProblem(await world.begin(), 422, "authorization-failed", { reason: "unreachable" });
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
    expect(paths.filter((path) => path.includes("elsewhere"))).toEqual([]);
  });

  it("[mcp.oauth.bad-answers] malformed, too large and unexpected responses yield no tokens", async () => {
    const world = await OAuthWorld.start();
    const { behaviour } = world.provider;
    const answer = (body: string, status = 200) => {
      behaviour.token = (response) =>
        response.writeHead(status, { "content-type": "application/json" }).end(body);
    };
    answer("<html>");
    failed(await world.authorize(), /not one of OAuth/);
    answer(JSON.stringify({ access_token: "x", token_type: "mac" }));
    failed(await world.authorize(), /not a bearer token/);
    answer(JSON.stringify({ access_token: "a\nb", token_type: "Bearer" }));
    failed(await world.authorize(), /no header can carry/);
    answer(JSON.stringify({ access_token: "x".repeat(300_000), token_type: "Bearer" }));
    failed(await world.authorize(), /more than 262144 bytes/);
    answer("{}", 500);
    failed(await world.authorize(), /HTTP status 500/);
    answer(JSON.stringify({ error: "server_error" }), 400);
    failed(await world.authorize(), /responded with the error server_error/);
    expect((await world.verify()).status).toBe("error");
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
    expect(verifies.map(({ status }) => status)).toEqual(verifies.map(() => "ok"));
    expect(grants).toEqual(["refresh_token"]);

    forget();
    behaviour.token = (response) => response.writeHead(500).end(`{"error":"invalid_grant"}`);
    expect((await world.verify()).status).toBe("error");
    behaviour.token = null;
    expect((await world.verify()).status).toBe("ok");

    forget();
    forgetRefresh();
    expect((await world.verify()).details).toMatch(/Its authorization has expired/);
    grants.length = 0;
    expect((await world.verify()).details).toMatch(/^HTTP status 401.*must be authorized/);
    expect(grants).toEqual([]);
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
    expect((await call("POST", `${path}/enable`)).status).toBe(204);
    const said = await call("POST", "/api/agents/bot/tools/call", {
      body: { name: "board__whoami", arguments: {} },
    });
    expect(said.body.content).toEqual([{ type: "text", text: "You are [secret authorization]." }]);
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
    expect(events).toContain(`"authorized":true`);
    expect(provider.canaries.length).toBeGreaterThan(6);
    const all = [...world.answers, ...world.log, events].join("\n");
    for (const canary of provider.canaries) expect(all).not.toContain(canary);
  });
});
