// Calls every route of the built server by the client without Effect, bundled, in a browser. The
// server is mounted below a path of the page's own origin.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { browser, open } from "./ci/browser.mjs";
import { withServer } from "./ci/built-server.mjs";
import { check } from "./ci/published.mjs";

const prefix = "/quartermaster";

const bundle = async () => {
  const made = await rolldown({
    input: join(import.meta.dirname, "ci/every-route.mjs"),
    platform: "browser",
  });
  const { output } = await made.generate({ format: "esm", minify: true });
  await made.close();
  return output[0].code;
};

/** Serves the page, its script, and the server below the prefix. */
const serve = (url, key, script) =>
  createServer((asked, answer) => {
    if (!asked.url.startsWith(`${prefix}/`)) {
      answer.setHeader("content-type", "text/html");
      answer.end(`<script type="module">
globalThis.QM_URL = location.origin + ${JSON.stringify(prefix)};
globalThis.QM_KEY = ${JSON.stringify(key)};
${script}
</script>`);
      return;
    }
    const { host: _, ...headers } = asked.headers;
    const path = asked.url.slice(prefix.length);
    const forwarded = request(`${url}${path}`, { method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    answer.on("close", () => forwarded.destroy());
    asked.pipe(forwarded);
  });

await check(async () => {
  const [command, script] = await Promise.all([browser(), bundle()]);
  await withServer(async ({ ask, url }) => {
    const { key } = await ask("POST", "/api/keys", { name: "page", role: "Owner" });
    const page = serve(url, key, script).listen(0, "127.0.0.1");
    await once(page, "listening");
    const { stderr } = await open(command, `http://127.0.0.1:${page.address().port}/`);
    page.closeAllConnections();
    page.close();
    assert.match(stderr, /every route is reached/);
    console.log("ok: the bundled client reaches every route from a page");
  });
});
