import { assert, describe, it } from "@effect/vitest";
import { ResourceUri } from "@quartermaster/core";

const servers = ["notes", "a-b", "-", "7", "x".repeat(32)];
const uris = [
  "file:///home/a.md",
  "https://user@example.com:8080/a/b?q=1&r=%20#part",
  "https://[::1]/a",
  "urn:isbn:0451450523",
  "db+pool-1.x://table/row;v=1",
  "mailto:a@example.com",
  "qm+inner+file:///a",
  "qm+inner:a%2Fb",
  "FILE:///A",
];
const others = [
  "notes/5",
  "file:///My Documents/ä.md",
  "a+b:c",
  "%",
  "file:///50%",
  "C:\\a",
  "{x}",
  "😀:a",
  "a b",
];

describe("URIs of resources", () => {
  it("[agents.mcp.resources.uri] every URI of a server becomes a URI that leads back to it", () => {
    for (const server of servers) {
      for (const uri of [...uris, ...others]) {
        const namespaced = ResourceUri.namespaced(server, uri);
        // RFC 3986: a URI has a scheme and only these characters.
        assert.match(
          namespaced,
          /^[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/,
        );
        assert.isTrue(URL.canParse(namespaced), namespaced);
        assert.deepStrictEqual(ResourceUri.parse(namespaced), { server, uri });
      }
    }
    assert.strictEqual(ResourceUri.namespaced("notes", "file:///a"), "qm+notes+file:///a");
    assert.strictEqual(ResourceUri.namespaced("notes", "notes/5"), "qm+notes:notes%2F5");
  });

  it("[agents.mcp.resources.uri-other] a URI that belongs to no server is not found", () => {
    for (const uri of [
      "",
      "file:///a",
      "qm+",
      "qm+notes",
      "qm+UP+file:///a",
      "qm++a:b",
      "qm+notes:%",
      "xqm+notes+a:b",
    ]) {
      assert.isNull(ResourceUri.parse(uri), uri);
    }
  });
});
