import { once } from "node:events";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { freePort } from "../packages/http/test/support/freePort.ts";
import { read } from "./pages.ts";
import { bundle, listen, project, runNode } from "./programs.ts";
import { blocksIn } from "./readme.programs.ts";

const programs = blocksIn(read("docs/guides/mounting.md"))
  .filter(({ language }) => language === "ts")
  .map(({ text }) => ({ file: /^\/\/ (\w+\.ts)/.exec(text)?.[1] ?? assert.fail(text), text }));

it(
  "[mount.frameworks] each program of docs/guides/mounting.md type-checks, serves below its prefix, and exits on SIGTERM",
  { timeout: 120_000 },
  async () => {
    const port = await freePort();
    const cwd = await project(
      programs.map(({ file, text }) => ({ file, text: text.replace("3000", String(port)) })),
    );
    const [key, ...servers] = programs.map(({ file }) => file).toReversed();
    assert.deepStrictEqual([key, ...servers], ["key.ts", "hono.ts", "fastify.ts", "express.ts"]);
    const bundled = await bundle(
      Object.fromEntries(programs.map(({ file }) => [file, join(cwd, file)])),
    );
    const created = await runNode(bundled("key.ts"), { cwd });
    const authorization = `Bearer ${created.stdout.trim()}`;
    const headers = { authorization, "content-type": "application/json" };
    const url = `http://127.0.0.1:${port}`;
    for (const file of servers) {
      const child = await listen(bundled(file), { cwd });
      assert.strictEqual(await (await fetch(`${url}/hello`)).text(), "Hello", file);
      const issue = await fetch(`${url}/quartermaster/api/projects/shop/issues`, {
        method: "POST",
        headers,
        body: JSON.stringify({ title: file }),
      });
      assert.strictEqual(issue.status, 201, file);
      const location = new URL(issue.headers.get("location") ?? "", url);
      const body = await (await fetch(location, { headers })).json();
      assert.deepInclude(body, { title: file });
      const events = await fetch(`${url}/quartermaster/api/events`, { headers });
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await events.text();
      assert.deepStrictEqual(await exited, [0, null], file);
    }
  },
);
