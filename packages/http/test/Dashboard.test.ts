import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertProblem } from "./support/Assert.ts";
import type { TestServer } from "./support/TestServer.ts";
import * as World from "./support/World.ts";

/** A build with one script, in three encodings. */
const build = async () => {
  const folder = await mkdtemp(join(tmpdir(), "quartermaster-page-"));
  await mkdir(join(folder, "assets"));
  const script = `<script type="module" src="./assets/index-1a2b3c4d.js"></script>`;
  await writeFile(join(folder, "index.html"), `<!doctype html><title>Board</title>${script}`);
  for (const [ending, content] of [
    ["", "plain"],
    [".br", "brotli"],
    [".gz", "gzip"],
  ]) {
    await writeFile(join(folder, "assets", `index-1a2b3c4d.js${ending}`), content ?? "");
  }
  return folder;
};

let page: string;
let world: World.World;
beforeAll(async () => {
  page = await build();
  world = await World.start({ http: { dashboard: true }, page });
});
afterAll(async () => {
  await world.close();
  await rm(page, { recursive: true, force: true });
});

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** A request whose body is not decoded. */
const raw = ({ url }: Pick<TestServer, "url">, path: string, headers: Record<string, string>) =>
  new Promise<{ readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }>(
    (resolve, reject) => {
      request(new URL(path, url), { headers }, async (response) =>
        resolve({ headers: response.headers, body: await text(response) }),
      )
        .on("error", reject)
        .end();
    },
  );

describe("the page", () => {
  it("[dashboard.page] every path outside of the API is the page for a browser, under a strict policy", async () => {
    const call = world.as(undefined);
    for (const path of ["/", "/work?status=Open", "/issues/iss_1", "/nothing/here.html"]) {
      const { headers, status, text } = await call("GET", path, { headers: html });
      assert.strictEqual(status, 200, path);
      assert.include(text, `src="/assets/index-1a2b3c4d.js"`);
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8");
      assert.strictEqual(headers.get("cache-control"), "no-cache");
      assert.strictEqual(
        headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
    }
  });

  it("[dashboard.reserved] the page changes nothing for the API, its routes and other clients", async () => {
    const call = world.as(undefined);
    for (const path of ["/api", "/api/nothing", "/mcp/nothing"]) {
      assertProblem(await call("GET", path, { headers: html }), 404, "not-found", {
        resource: "path",
        id: null,
      });
    }
    for (const headers of [
      {},
      { accept: "*/*" },
      { accept: "application/json" },
      { accept: "application/json, text/html;q=0" },
    ]) {
      assertProblem(await call("GET", "/work", { headers }), 404, "not-found", {
        resource: "path",
        id: null,
      });
    }
    assert.strictEqual((await call("GET", "/docs", { headers: html })).text, "docs");
    assert.strictEqual((await call("POST", "/work", { headers: html })).status, 404);
    assert.strictEqual((await call("GET", "/api/agents", { headers: html })).status, 401);
  });

  it("[dashboard.accept] a media type is not case-sensitive, and may have a weight", async () => {
    for (const accept of ["TEXT/HTML", "application/json, text/html;q=0.5"]) {
      const { status } = await world.as(undefined)("GET", "/work", { headers: { accept } });
      assert.strictEqual(status, 200, accept);
    }
  });

  it("[dashboard.etag] an unchanged page is a 304", async () => {
    const call = world.as(undefined);
    const { headers } = await call("GET", "/", { headers: html });
    const etag = headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]{22}"$/);
    const again = await call("GET", "/", { headers: { ...html, "if-none-match": etag } });
    assert.deepStrictEqual([again.status, again.text], [304, ""]);
    assert.strictEqual(again.headers.get("etag"), etag);
    const other = await call("GET", "/", { headers: { ...html, "if-none-match": '"x"' } });
    assert.strictEqual(other.status, 200);
  });

  it("[dashboard.assets] files stay in the cache for a year, in the best encoding that the browser accepts", async () => {
    for (const [accepted, encoding, content] of [
      ["gzip, deflate, br", "br", "brotli"],
      ["gzip;q=0.5, br;q=0", "gzip", "gzip"],
      ["identity", undefined, "plain"],
    ] as const) {
      const { body, headers } = await raw(world, "/assets/index-1a2b3c4d.js", {
        "accept-encoding": accepted,
      });
      assert.deepStrictEqual([headers["content-encoding"], body], [encoding, content]);
      assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable");
      assert.strictEqual(headers["content-type"], "text/javascript; charset=utf-8");
      assert.strictEqual(headers["vary"], "Accept-Encoding");
    }
    const call = world.as(undefined);
    const written = await call("POST", "/assets/index-1a2b3c4d.js");
    assertProblem(written, 405, "method-not-allowed");
    assert.strictEqual(written.headers.get("allow"), "GET, HEAD");
    for (const name of ["index-2.js", "..%2findex.html", "../index.html"]) {
      assert.strictEqual((await call("GET", `/assets/${name}`)).status, 404, name);
    }
  });

  it("[dashboard.mounted] a host decides whether the page is mounted, and a prefix is in its URLs", async () => {
    const without = await World.forTest({ page });
    assert.strictEqual((await without.as(undefined)("GET", "/", { headers: html })).status, 404);
    const prefixed = await World.forTest({ http: { dashboard: true, prefix: "/qm" }, page });
    const { text } = await prefixed.as(undefined)("GET", "/qm/work", { headers: html });
    assert.include(text, `src="/qm/assets/index-1a2b3c4d.js"`);
    const asset = await prefixed.as(undefined)("GET", "/qm/assets/index-1a2b3c4d.js", {
      headers: { "accept-encoding": "identity" },
    });
    assert.deepStrictEqual([asset.status, asset.text], [200, "plain"]);
    assert.strictEqual((await prefixed.as(undefined)("GET", "/", { headers: html })).status, 404);
  });

  it("[dashboard.missing] without a built page the response explains how to build it, and the API works", async () => {
    const unbuilt = await World.forTest({ http: { dashboard: true }, page: join(page, "none") });
    const { status, text } = await unbuilt.as(undefined)("GET", "/", { headers: html });
    assert.strictEqual(status, 503);
    assert.include(text, "npm run build");
    assert.strictEqual((await unbuilt.call("GET", "/api/agents")).status, 200);
  });
});
