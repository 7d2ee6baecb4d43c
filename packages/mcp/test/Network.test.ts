import { assert, describe, it } from "@effect/vitest";
import { Addresses, OAuthClient } from "@quartermaster/core";
import { Effect, Layer, Redacted } from "effect";
import { NetworkOptions, OAuth } from "../src/index.ts";
import * as SafeFetch from "../src/servers/oauth/SafeFetch.ts";
import * as Http from "./support/HttpFixture.ts";
import { withConnector } from "./support/World.ts";

/** A network in which each name resolves to these addresses, and the names that were resolved. */
const network = (addresses: ReadonlyArray<string>, privateHosts: ReadonlyArray<string> = []) => {
  const resolved: Array<string> = [];
  const layer = Layer.succeed(NetworkOptions.NetworkOptions, {
    privateHosts: new Set(privateHosts),
    resolve: (hostname, callback) => {
      resolved.push(hostname);
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    },
  });
  return { layer, resolved };
};

/**
 * A correct server on this host: its URL under another name, its requests and their connections.
 */
const named = (name: string) =>
  Effect.gen(function* () {
    const requests: Array<string | undefined> = [];
    const connections = new Set<unknown>();
    const url = yield* Http.serve((request, response, message) => {
      requests.push(request.headers.host);
      connections.add(request.socket);
      Http.good()(request, response, message);
    });
    return { url: url.replace("127.0.0.1", name), requests, connections };
  });

describe("an address", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["2606:4700::1111", "public"],
    ["64:ff9b::808:808", "public"],
    ["127.0.0.1", "loopback"],
    ["127.8.8.8", "loopback"],
    ["0.0.0.0", "loopback"],
    ["::1", "loopback"],
    ["[::]", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["64:ff9b::7f00:1", "loopback"],
    ["10.1.2.3", "private"],
    ["172.31.255.255", "private"],
    ["192.168.0.1", "private"],
    ["100.64.0.1", "private"],
    ["169.254.169.254", "private"],
    ["224.0.0.1", "private"],
    ["255.255.255.255", "private"],
    ["::ffff:10.0.0.1", "private"],
    ["fe80::1", "private"],
    ["fd00::1", "private"],
    ["2002:7f00:1::", "private"],
    ["ff02::1", "private"],
    ["example.com", null],
  ] as const)(
    "[connector.http.private] an address is classified by its network: %s is %s",
    (text, reach) => {
      assert.strictEqual(Addresses.reachOf(text), reach);
    },
  );

  it("[connector.http.private] localhost is this host under each of its names", () => {
    for (const name of ["localhost", "LOCALHOST", "a.localhost", "localhost."]) {
      assert.strictEqual(Addresses.reachOfHost(new URL(`http://${name}/`)), "loopback");
    }
    assert.isNull(Addresses.reachOfHost(new URL("http://localhost.example/")));
  });
});

describe("a remote server", () => {
  it.live.each([
    ["this host", ["127.0.0.1"]],
    ["the host's network", ["10.0.0.1"]],
    ["metadata of a cloud", ["169.254.169.254"]],
    ["IPv6", ["::1"]],
    ["one public address and one of this host", ["203.0.114.1", "127.0.0.1"]],
  ] as const)(
    "[connector.http.private] a server is refused when its name resolves to a private address: %s",
    ([, addresses]) =>
      Effect.gen(function* () {
        const { layer } = network(addresses);
        const { url, requests } = yield* named("mcp.example");
        const error = yield* withConnector(
          () => Effect.flip(Http.connect(`${url}/mcp?key=s3cret`)),
          layer,
        );
        assert.deepStrictEqual(
          [error.reason, error.message, error.sent],
          [
            "unreachable",
            `${url}: its name resolves to the private address ${addresses.at(-1)}, which only names in privateHosts may.`,
            false,
          ],
        );
        assert.deepStrictEqual(requests, []);
      }),
  );

  it.live(
    "[connector.http.private] a connection is opened when the host allows the server's name",
    () =>
      Effect.gen(function* () {
        const { layer, resolved } = network(["127.0.0.1"], ["mcp.example"]);
        const { url, connections } = yield* named("MCP.example");
        const tools = yield* withConnector(
          () => Effect.flatMap(Http.connect(url), ({ listTools }) => listTools),
          layer,
        );
        assert.lengthOf(tools, 1);
        // Each connection uses the addresses that were checked for it, and resolves nothing again.
        assert.strictEqual(resolved.length, connections.size);
      }),
  );

  it.live("[connector.http.private] a connection to localhost needs no permission", () =>
    Effect.gen(function* () {
      const { layer } = network(["127.0.0.1"]);
      const { url } = yield* named("localhost");
      const tools = yield* withConnector(
        () => Effect.flatMap(Http.connect(url), ({ listTools }) => listTools),
        layer,
      );
      assert.lengthOf(tools, 1);
    }),
  );
});

describe("discovery of an authorization server", () => {
  const begin = (url: string, layer: Layer.Layer<never>) =>
    Effect.flatMap(OAuthClient.OAuthClient, (client) =>
      Effect.flip(
        client.begin({
          transport: "http",
          url: Redacted.make(url),
          redirectUri: "http://localhost/oauth/callback",
          clientId: null,
          registered: null,
          scope: null,
          state: Redacted.make("state"),
        }),
      ),
    ).pipe(Effect.provide(Layer.provide(OAuth.layer, layer)));

  it.live("[mcp.oauth.private] a server is refused whose name resolves to this host", () =>
    Effect.gen(function* () {
      const { layer } = network(["127.0.0.1"]);
      const error = yield* begin("https://mcp.example/mcp", layer);
      assert.deepStrictEqual(
        [error.reason, error.message],
        [
          "insecure",
          "The URL https://mcp.example is not safe to authorize at: its name resolves to the private address 127.0.0.1.",
        ],
      );
    }),
  );

  it.live(
    "[mcp.oauth.private] an authorization server is refused whose name resolves to this host",
    () =>
      Effect.gen(function* () {
        const { layer, resolved } = network(["127.0.0.1"]);
        const url: string = yield* Http.serve((request, response) => {
          if (request.url !== "/.well-known/oauth-protected-resource/mcp") {
            return void response.writeHead(401).end();
          }
          Http.json(response, {
            resource: `${url}/mcp`,
            authorization_servers: ["https://auth.example"],
          });
        });
        const error = yield* begin(`${url}/mcp`, layer);
        assert.deepStrictEqual(
          [error.reason, error.message],
          [
            "insecure",
            "The URL https://auth.example is not safe to authorize at: its name resolves to the private address 127.0.0.1.",
          ],
        );
        assert.deepStrictEqual(resolved, ["auth.example"]);
      }),
  );

  it.each([
    ["https://auth.example", "https://mcp.example", null],
    ["https://10.0.0.2", "https://10.0.0.1", null],
    ["http://127.0.0.1:1", "http://localhost:2", null],
    ["https://10.0.0.2", "https://mcp.example", "its address is private"],
    ["https://[fd00::1]", "https://mcp.example", "its address is private"],
    ["https://127.0.0.1", "https://mcp.example", "it is on this host"],
    ["https://127.0.0.1", "https://10.0.0.1", "it is on this host"],
    ["http://auth.example", "https://mcp.example", "it must be https"],
    ["http://10.0.0.2", "http://10.0.0.1", "it must be https"],
    ["https://ann:secret@auth.example", "https://mcp.example", "it has credentials"],
  ] as const)(
    "[mcp.oauth.private] whether a URL is allowed depends on the server that names it: %s for %s: %s",
    (url, server, why) => {
      const check = () => SafeFetch.check(new URL(url), new URL(server));
      if (why === null) check();
      else {
        const sentence = `The URL ${new URL(url).origin} is not safe to authorize at: ${why}.`;
        assert.throws(check, sentence);
      }
    },
  );
});
