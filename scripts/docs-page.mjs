// Checks /docs/api of the built server in a browser that cannot reach any other host: the content
// that the page's script renders, and the browser's errors.
import assert from "node:assert/strict";
import { browser, open } from "./ci/browser.mjs";
import { withServer } from "./ci/built-server.mjs";
import { check } from "./ci/published.mjs";

await check(async () => {
  const command = await browser();
  await withServer(async ({ url }) => {
    const { info, tags } = await (await fetch(`${url}/openapi.json`)).json();
    const { code, stderr, stdout } = await open(command, `${url}/docs/api`);
    assert.equal(code, 0, stderr);

    const shown = stdout.replaceAll(/<script.*?<\/script>/gs, "");
    assert.match(shown, new RegExp(`<h1[^>]*>${info.title}`));
    for (const { name } of tags) assert.ok(shown.includes(name), `${name} is not on the page`);
    const elsewhere = shown.matchAll(/<a [^>]*href="https?:\/\/([^/"]+)/g);
    assert.deepEqual(new Set([...elsewhere].map(([, host]) => host)), new Set(["www.scalar.com"]));
    assert.doesNotMatch(shown, /Generate SDKs|Open API Client/);
    console.log(`ok: the page shows ${info.title} and its ${tags.length} groups`);

    const complaints = stderr
      .split("\n")
      .filter((line) => /CONSOLE/.test(line))
      .filter((line) => /refused|violates|failed|error|net::/i.test(line));
    assert.deepEqual(complaints, []);
    console.log("ok: nothing was refused, and nothing was asked of another host");
  });
});
