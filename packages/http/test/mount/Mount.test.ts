import { once } from "node:events";
import { request as nodeRequest } from "node:http";
import { assert, describe, it } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import { Client } from "../../src/api/index.ts";
import { connect } from "../support/Agent.ts";
import * as EventStream from "../support/EventStream.ts";
import type { hosts } from "./Hosts.ts";
import * as MountWorld from "./MountWorld.ts";

const frameworks = ["Express", "Fastify", "Hono"] as const satisfies ReadonlyArray<
  keyof typeof hosts
>;

const nextOf = (link: string | null) => /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];

/** Sends the first part of a file. */
const startUpload = (url: string, key: string) => {
  const upload = nodeRequest(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "multipart/form-data; boundary=x",
    },
  });
  upload.on("error", () => {});
  const head = 'content-disposition: form-data; name="file"; filename="a"';
  upload.write(`--x\r\n${head}\r\n\r\n${"a".repeat(100_000)}`);
  return upload;
};

for (const host of frameworks) {
  for (const prefix of ["", "/quartermaster"]) {
    describe(`${host} at ${prefix || "the root"}`, () => {
      it("[mount.links] every link that a response contains leads to its object", async () => {
        const { base, call, follow, owner } = await MountWorld.start({ host, prefix });
        const created = await call("POST", "/api/projects/shop/issues", { body: { title: "a" } });
        assert.strictEqual(created.status, 201);
        const location = created.headers.get("location") ?? "";
        assert.strictEqual(location, `${prefix}/api/projects/issues/${created.body.id}`);
        assert.strictEqual((await follow(location)).body.title, "a");

        await call("POST", "/api/projects/shop/issues", { body: { title: "b" } });
        await call("POST", "/api/projects/shop/issues", { body: { title: "c" } });
        const titles: Array<string> = [];
        let link: string | undefined = `${prefix}/api/projects/shop/issues?limit=2&order=asc`;
        while (link !== undefined) {
          const page = await follow(link);
          titles.push(page.body.map(({ title }: { readonly title: string }) => title).join());
          link = nextOf(page.headers.get("link"));
        }
        assert.deepStrictEqual(titles, ["a,b", "c"]);

        const client = await Effect.runPromise(
          Client.fromOptions({ baseUrl: base, apiKey: Redacted.make(owner) }),
        );
        const params = { issueId: created.body.id };
        const issue = await Effect.runPromise(client.issues.get({ params }));
        assert.strictEqual(issue.title, "a");
      });

      it("[mount.files] a file is uploaded and downloaded in streams", async () => {
        const { call, follow } = await MountWorld.start({ host, prefix });
        const issue = await call("POST", "/api/projects/shop/issues", { body: { title: "a" } });
        const path = `/api/projects/issues/${issue.body.id}/attachments`;
        const form = new FormData();
        const bytes = new Uint8Array(3 * 1024 * 1024).fill(7);
        form.append("file", new File([bytes], "seven.bin"));
        const uploaded = await call("POST", path, { raw: form });
        assert.strictEqual(uploaded.status, 201);
        const { downloadUrl, id, size } = uploaded.body;
        assert.strictEqual(size, bytes.length);
        assert.strictEqual(downloadUrl, `${prefix}/api/projects/attachments/${id}/download`);
        assert.strictEqual(uploaded.headers.get("location"), downloadUrl);
        assert.strictEqual((await call("GET", path)).body[0].downloadUrl, downloadUrl);
        assert.strictEqual((await follow(downloadUrl)).text.length, bytes.length);
        const part = await follow(downloadUrl, { headers: { range: "bytes=0-2" } });
        assert.deepStrictEqual([part.status, part.text], [206, "\u0007\u0007\u0007"]);
        const head = await call("HEAD", downloadUrl.slice(prefix.length));
        assert.deepStrictEqual(
          [head.status, head.text, head.headers.get("content-length")],
          [200, "", String(bytes.length)],
        );
      });

      it("[mount.streams] events arrive as they happen, and a client that leaves frees its request", async () => {
        const { base, call, owner, requests } = await MountWorld.start({ host, prefix });
        const headers = { authorization: `Bearer ${owner}` };
        const events = await EventStream.open({ url: base }, "", headers);
        const next = events.next();
        const issue = await call("POST", "/api/projects/shop/issues", { body: { title: "a" } });
        const { data, event } = (await next) ?? assert.fail("The stream ended");
        assert.deepStrictEqual([event, data.subjectId], ["issue.created", issue.body.id]);
        assert.strictEqual(requests.count(), 1);
        events.close();
        await requests.idle();
      });

      it("[mount.abort] an upload whose client disconnects frees its request and leaves nothing", async () => {
        const { base, call, owner, requests } = await MountWorld.start({ host, prefix });
        const issue = await call("POST", "/api/projects/shop/issues", { body: { title: "a" } });
        const path = `/api/projects/issues/${issue.body.id}/attachments`;
        const upload = startUpload(`${base}${path}`, owner);
        await requests.started();
        upload.destroy();
        await requests.idle();
        assert.deepStrictEqual((await call("GET", path)).body, []);
      });

      it("[mount.mcp] an agent connects to /mcp by the official client", async () => {
        const { base, key } = await MountWorld.start({ host, prefix });
        const agent = await key({ role: "Editor", agentId: "bot" });
        for (const era of ["2025-11-25", "2026-07-28"] as const) {
          const { client, names } = await connect(base, agent, era);
          assert.include(await names(), "issue_create");
          const { isError } = await client.callTool({
            name: "issue_create",
            arguments: { projectId: "shop", title: "Made by an agent" },
          });
          assert.notStrictEqual(isError, true);
        }
      });

      it("[mount.routes] unknown paths below the prefix are problems, and the host keeps its routes", async () => {
        const { call, follow, url } = await MountWorld.start({ host, prefix });
        const unknown = await call("GET", "/api/nothing");
        assert.strictEqual(unknown.status, 404);
        assert.strictEqual(unknown.headers.get("content-type"), "application/problem+json");
        assert.match(unknown.headers.get("x-request-id") ?? "", /./);
        const wrong = await call("PATCH", "/api/session");
        assert.deepStrictEqual(
          [wrong.status, wrong.headers.get("allow")],
          [405, "DELETE, GET, HEAD, POST"],
        );
        assert.strictEqual((await call("GET", "/healthz")).body.status, "ok");
        const own = await follow("/hello");
        assert.deepStrictEqual([own.status, own.text], [200, "Hello"]);
        assert.isNull(own.headers.get("x-request-id"));
        if (prefix === "") return;
        const outside = await fetch(`${url}/api/session`);
        assert.strictEqual(outside.status, 404);
        assert.isNull(outside.headers.get("x-request-id"));
      });

      it("[mount.close] closing finishes event streams, and new requests are refused", async () => {
        const { base, call, mount, owner } = await MountWorld.start({ host, prefix });
        const headers = { authorization: `Bearer ${owner}` };
        const events = await EventStream.open({ url: base }, "", headers);
        const next = events.next();
        await mount.close();
        assert.isUndefined(await next);
        const refused = await call("GET", "/api/session");
        assert.strictEqual(refused.status, 503);
        assert.strictEqual((await fetch(new URL("/hello", base))).status, 200);
      });

      it("[mount.close] closing waits for a request in flight", async () => {
        const { base, call, mount, owner, requests } = await MountWorld.start({ host, prefix });
        const issue = await call("POST", "/api/projects/shop/issues", { body: { title: "a" } });
        const path = `/api/projects/issues/${issue.body.id}/attachments`;
        const upload = startUpload(`${base}${path}`, owner);
        await requests.started();
        let isClosed = false;
        const closing = mount.close().then(() => (isClosed = true));
        const response = once(upload, "response");
        assert.isFalse(isClosed);
        upload.end("\r\n--x--\r\n");
        const [{ statusCode }] = await response;
        assert.strictEqual(statusCode, 201);
        await closing;
      });

      it("[mount.body-read] a body that the host has already read is a 500 with the remedy", async () => {
        const { call } = await MountWorld.start({ host, prefix, parsesBodies: true });
        const body = { title: "a" };
        const refused = await call("POST", "/api/projects/shop/issues", { body });
        assert.strictEqual(refused.status, 500);
        assert.match(refused.body.detail, /Mount Quartermaster before body parsers/);
        const empty = await call("POST", "/api/agents/bot/heartbeat");
        assert.strictEqual(empty.status, 200);
      });
    });
  }
}
