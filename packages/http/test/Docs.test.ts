import { join } from "node:path";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

/** The documentation as the build renders it. */
const page = join(import.meta.dirname, "../page");

let world: World.World;
beforeAll(async () => {
  world = await World.start({ http: { dashboard: true }, page });
});
afterAll(() => world.close());

const html = { accept: "text/html,*/*;q=0.8" };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** Paths and anchors of the documentation that a page links to. */
const linksIn = (text: string) =>
  [...text.matchAll(/(?:href|src|action)="(\/docs[^"#]*)?(?:#([^"]*))?"/g)].map(
    ([, path = "", anchor]) => ({ path, anchor }),
  );

describe("the documentation", () => {
  it("[docs.pages] every page is served under a strict policy, and its links lead to pages and headings that exist", async () => {
    const call = world.as(undefined);
    const texts = new Map<string, string>();
    const pending = ["/docs/guides/first-hour"];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (texts.has(path) || path === "/docs" || path === "/docs/api") continue;
      const { headers, status, text } = await call("GET", path, { headers: html });
      assert.strictEqual(status, 200, path);
      texts.set(path, text);
      if (path.startsWith("/docs/assets/")) {
        assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable");
        continue;
      }
      assert.strictEqual(headers.get("content-security-policy"), policy);
      assert.notMatch(text, /<script(?! src="\/docs\/assets\/)|style="| on\w+="/);
      pending.push(...linksIn(text).flatMap((link) => (link.path === "" ? [] : [link.path])));
    }
    for (const path of ["/docs/contract/issues", "/docs/concepts/lease", "/docs/security"]) {
      assert.isTrue(texts.has(path), path);
    }
    const dangling = [...texts].flatMap(([path, text]) =>
      linksIn(text)
        .filter(({ anchor }) => anchor !== undefined)
        .map((link) => ({ anchor: link.anchor, target: link.path === "" ? path : link.path }))
        .filter(({ anchor, target }) => {
          const there = texts.get(target);
          return there !== undefined && !there.includes(`id="${anchor}"`);
        })
        .map(({ anchor, target }) => `${path}: ${target}#${anchor}`),
    );
    assert.deepStrictEqual(dangling, []);
  });

  it("[docs.pages] an unknown path is 404, and a page is only read", async () => {
    const call = world.as(undefined);
    const missing = await call("GET", "/docs/guides/nothing", { headers: html });
    assert.strictEqual(missing.status, 404);
    assert.include(missing.text, "There is no such page");
    const problem = await call("GET", "/docs/../pages.json.br", { headers: { accept: "*/*" } });
    assert.strictEqual(problem.status, 404);
    assertProblem(await call("GET", "/docs/none"), 404, "not-found", {
      resource: "path",
      id: null,
    });
    const written = await call("POST", "/docs/guides/first-hour", { body: {} });
    assert.strictEqual(written.status, 405);
    assert.strictEqual(written.headers.get("allow"), "GET, HEAD");
    const head = await call("HEAD", "/docs/guides/first-hour");
    assert.deepStrictEqual([head.status, head.text], [200, ""]);
  });

  it("[docs.search] only sections that contain all words are found", async () => {
    const call = world.as(undefined);
    const search = async (query: string) => {
      const path = `/docs/search?q=${encodeURIComponent(query)}`;
      return (await call("GET", path, { headers: { accept: "application/json" } })).body;
    };
    const [first] = await search("lease");
    assert.deepInclude(first, { path: "concepts/lease", title: "Lease", heading: null });
    assert.strictEqual(first.url, "/docs/concepts/lease");
    const [token] = await search("  Fencing TOKEN ");
    assert.strictEqual(token.url, "/docs/concepts/lease#the-fencing-token");
    assert.deepStrictEqual(await search("lease zebra"), []);
    assert.deepStrictEqual(await search("encing"), []);
    assert.deepStrictEqual(await search(""), []);
    for (const query of ["(", "a|b", "\\", "QM_DATA_DIR", "--key-file", "x".repeat(5_000)]) {
      assert.isArray(await search(query), query);
    }
  });

  it("[docs.search] the page of results shows a query as text", async () => {
    const call = world.as(undefined);
    const query = encodeURIComponent(`"><img src=x onerror=alert(1)>`);
    const { status, text } = await call("GET", `/docs/search?q=${query}`, { headers: html });
    assert.strictEqual(status, 200);
    assert.notInclude(text, "<img src=x");
    assert.include(text, "&quot;&gt;&lt;img");
  });

  it("[docs.prefix] below a prefix every link of a page has the prefix", async () => {
    const mounted = await World.start({ http: { prefix: "/quartermaster" }, page });
    try {
      const path = "/quartermaster/docs/concepts/run";
      const { status, text } = await mounted.as(undefined)("GET", path, { headers: html });
      assert.strictEqual(status, 200);
      assert.notMatch(text, /(?:href|src|action)="\/docs/);
      assert.include(text, `href="/quartermaster/docs/concepts/lease"`);
    } finally {
      await mounted.close();
    }
  });
});
