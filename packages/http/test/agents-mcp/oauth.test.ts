import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import {
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as Agent from "../support/Agent.ts";
import { assertProblem } from "../support/Assert.ts";
import * as World from "../support/World.ts";

/** The responses to hosts that look for OAuth. */

const origin = "https://agents.example.com";
let world: World.World;
beforeAll(async () => {
  world = await World.start({ http: { allowedOrigins: [origin], dashboard: true } });
});
afterAll(() => world.close());

const sentence = /API key of an agent.*an Admin creates/;

/** The configuration of a host that has a URL and no key. */
const provider: OAuthClientProvider = {
  redirectUrl: "http://127.0.0.1:1/callback",
  clientMetadata: { redirect_uris: ["http://127.0.0.1:1/callback"] },
  clientInformation: () => undefined,
  saveClientInformation: () => {},
  tokens: () => undefined,
  saveTokens: () => {},
  redirectToAuthorization: () => assert.fail("No page is opened"),
  saveCodeVerifier: () => {},
  codeVerifier: () => "",
};

/** Responses of the global class, which a framework of another test in this process may have replaced. */
const globalFetch = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
  const response = await fetch(input, init);
  return new Response(await response.text(), response);
};

const rejection = (connecting: Promise<void>): Promise<Error> =>
  connecting.then(
    () => assert.fail("It connects"),
    (error: Error) => error,
  );

describe("hosts that look for OAuth", () => {
  it("[agents.mcp.challenge] a 401 names the error and describes what to configure", async () => {
    const { body, headers } = Agent.stateless("tools/list");
    for (const key of [undefined, "qm_wrong_key", "qms_wrong_token"]) {
      const answer = await world.as(key)("POST", "/mcp?tools=search", { body, headers });
      assertProblem(answer, 401, "unauthenticated");
      const challenge = answer.headers.get("www-authenticate") ?? "";
      const [, description = ""] =
        /^Bearer error="invalid_token", error_description="([\x20-\x21\x23-\x5b\x5d-\x7e]+)"$/.exec(
          challenge,
        ) ?? [];
      assert.match(description, sentence);
    }
    const api = await world.as(undefined)("GET", "/api/session");
    assert.strictEqual(api.headers.get("www-authenticate"), "Bearer");
  });

  it("[agents.mcp.oauth] the OAuth paths respond with OAuth's errors, even to a page of an allowed origin", async () => {
    const metadata = [
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-authorization-server/mcp",
      "/.well-known/openid-configuration",
      "/.well-known/openid-configuration/mcp",
      "/mcp/.well-known/openid-configuration",
    ];
    for (const [method, path, status, error] of [
      ...metadata.map((path) => ["GET", path, 404, "not_found"] as const),
      ["POST", "/register", 400, "access_denied"],
      ["GET", "/authorize?response_type=code&client_id=x", 400, "unsupported_response_type"],
      ["POST", "/token", 400, "unsupported_grant_type"],
    ] as const) {
      // A browser that opens such a path also gets the error, and not the dashboard.
      const answer = await world.as(undefined)(method, path, {
        headers: { origin, accept: "text/html, */*" },
        ...(method === "POST" && { body: { redirect_uris: [] } }),
      });
      assert.deepStrictEqual([path, answer.status], [path, status]);
      assert.deepStrictEqual(Object.keys(answer.body), ["error", "error_description"]);
      assert.strictEqual(answer.body.error, error);
      assert.match(answer.body.error_description, sentence);
      assert.strictEqual(answer.headers.get("content-type"), "application/json");
      assert.strictEqual(answer.headers.get("cache-control"), "no-store");
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), origin);
      const preflight = await world.as(undefined)("OPTIONS", path, {
        headers: { origin, "access-control-request-method": method },
      });
      assert.strictEqual(preflight.status, 204);
    }
    for (const path of ["/.well-known/oauth", "/.well-known/security.txt", "/registered"]) {
      assertProblem(await world.as(undefined)("GET", path), 404, "not-found", {
        resource: "path",
        id: null,
      });
    }
  });

  it("[agents.mcp.oauth] the official clients report the sentence", async () => {
    const url = new URL("/mcp", world.url);
    const options = { authProvider: provider };
    const { client } = Agent.clientOf("2026-07-28");
    const current = await rejection(
      client.connect(new StreamableHTTPClientTransport(url, options)),
    );
    assert.match(current.message, sentence);
    const legacy = await rejection(
      new LegacyClient({ name: "test", version: "1" }).connect(
        new LegacyTransport(url, { ...options, fetch: globalFetch } as never),
      ),
    );
    assert.match(legacy.message, sentence);
  });
});
