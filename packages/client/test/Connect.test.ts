import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import {
  connect,
  type Fetch,
  isProblem,
  type Issue as ClientIssue,
  type IssueCreate as ClientIssueCreate,
  type Event as ClientEvent,
  type HeartbeatAnswer as ClientAnswer,
  routes,
  Unreachable,
} from "@quartermaster/client";
import type { Event, Heartbeat, Issue, IssueInput } from "@quartermaster/core";
import { HttpApi } from "effect/http-api";
import { Api } from "../../http/src/api/index.ts";
import { assertFields, rejection } from "../../http/test/support/Assert.ts";
import { signIn } from "../../http/test/support/Client.ts";
import * as World from "../../http/test/support/World.ts";
import * as Gate from "./Gate.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const as = (key: "viewer" | "editor" | "owner", more: object = {}) =>
  connect({ url: world.url, key: world.keys[key].key, ...more });

type Sent = { readonly method: string; readonly url: URL; readonly init: RequestInit };

/**
 * A `fetch` that records requests. `respond` returns the response; without it the server responds.
 */
const recording = (
  respond: (sent: Sent, count: number) => Response | undefined = () => undefined,
) => {
  const sent: Array<Sent> = [];
  const send: typeof fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    sent.push({ method: init.method ?? "GET", url, init });
    return respond({ method: init.method ?? "GET", url, init }, sent.length) ?? fetch(url, init);
  };
  return { sent, fetch: send };
};

const header = ({ init }: Sent, name: string) => new Headers(init.headers).get(name);

const busy = (status: number) =>
  Response.json(
    { type: "urn:quartermaster:problem:unavailable", title: "Unavailable", detail: "Wait." },
    { status, headers: { "content-type": "application/problem+json", "retry-after": "0" } },
  );

/** True if each type is assignable to the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
// The compiler rejects a type that lost or gained a field. It ignores `readonly`.
const sameTypes: [
  Same<Required<ClientIssue>, typeof Issue.Issue.Encoded>,
  Same<Required<ClientEvent>, typeof Event.Event.Encoded>,
  Same<Required<ClientAnswer>, typeof Heartbeat.HeartbeatAnswer.Encoded>,
  typeof IssueInput.IssueCreate.Encoded extends ClientIssueCreate ? true : false,
  keyof ClientIssueCreate extends keyof typeof IssueInput.IssueCreate.Encoded ? true : false,
] = [true, true, true, true, true];

describe("the client without Effect", () => {
  it("[client.methods] every endpoint of the contract has a method that reaches it", async () => {
    assert.deepStrictEqual(sameTypes, [true, true, true, true, true]);
    const expected: Array<string> = [];
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
        expected.push(`${group.identifier}.${endpoint.identifier} ${endpoint.method} ${path}`);
      },
    });
    const { fetch, sent } = recording(() => busy(418));
    const qm = connect({ url: world.url, fetch });
    const reached: Array<string> = [];
    for (const [group, methods] of Object.entries(qm)) {
      if (typeof methods === "function") continue;
      for (const [name, method] of Object.entries<(args: object) => unknown>(methods)) {
        const path = routes[group]?.[name]?.path ?? "";
        const args = Object.fromEntries(
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, `{${name}}`]),
        );
        const result = method({ ...args, ...(name === "upload" ? { file: new Blob([]) } : {}) });
        const isList = typeof result === "object" && result !== null && "page" in result;
        await rejection(
          Promise.resolve(isList && typeof result.page === "function" ? result.page() : result),
        );
        const { method: verb, url } = sent.at(-1) ?? assert.fail("nothing was sent");
        reached.push(`${group}.${name} ${verb} ${decodeURIComponent(url.pathname)}`);
      }
    }
    assert.deepStrictEqual(reached.toSorted(), expected.toSorted());
  });

  it("[client.methods] arguments are sent in path, query, headers and body", async () => {
    const { fetch, sent } = recording();
    const qm = as("editor", { fetch });
    const issue = await qm.issues.create(
      { projectId: "a:b", title: "Mend", priority: "high" },
      { idempotencyKey: "once" },
    );
    const again = await qm.issues.create(
      { projectId: "a:b", title: "Mend", priority: "high" },
      { idempotencyKey: "once" },
    );
    assert.deepStrictEqual(again, issue);
    const changed = await qm.issues.update(
      { issueId: issue.id, goalId: "g", title: undefined },
      { ifMatch: issue.version },
    );
    assert.strictEqual(changed.goalId, "g");
    const stale = await rejection(qm.issues.close({ issueId: issue.id }, { ifMatch: 1 }));
    assert.isTrue(isProblem(stale, "precondition-failed") && stale.status === 412);
    await qm.issues.close({ issueId: issue.id, force: true });
    await qm.issues.delete({ issueId: issue.id, confirm: true });
    assert.deepStrictEqual(
      sent.map(({ init, method, url }) => [method, url.pathname + url.search, init.body]),
      [
        ["POST", "/api/projects/a%3Ab/issues", `{"title":"Mend","priority":"high"}`],
        ["POST", "/api/projects/a%3Ab/issues", `{"title":"Mend","priority":"high"}`],
        ["PUT", `/api/projects/issues/${issue.id}`, `{"goalId":"g"}`],
        ["POST", `/api/projects/issues/${issue.id}/close`, undefined],
        ["POST", `/api/projects/issues/${issue.id}/close?force=true`, undefined],
        ["DELETE", `/api/projects/issues/${issue.id}?confirm=true`, undefined],
      ],
    );
    const refused = await rejection(qm.issues.get({ issueId: ".." }));
    assert.instanceOf(refused, TypeError);
    assert.strictEqual((await as("viewer").system.health()).status, "ok");
    assert.strictEqual(await as("owner").system.metrics(), "metrics");
  });

  it("[client.problems] a refusal is a problem with its type and members", async () => {
    const error = await rejection(as("viewer").keys.list().page());
    if (!isProblem(error, "forbidden")) assert.fail("not forbidden");
    assertFields(
      { ...error },
      {
        name: "Problem",
        status: 403,
        title: "Forbidden",
        detail: error.message,
        retryAfter: null,
      },
    );
    assert.strictEqual(error.members.requiredRole, "Admin");
    assert.isFalse(isProblem(error, "not-found"));
    const page = () => new Response("<html>", { status: 418, headers: { "retry-after": "7" } });
    const other = await rejection(as("viewer", { fetch: async () => page() }).session.get());
    assertFields(
      { ...(other as object) },
      { name: "Problem", status: 418, type: "unknown", retryAfter: 7 },
    );
  });

  it("[client.session] with the session's secret, a client writes by cookie", async () => {
    const { cookie, secret } = await signIn(world, world.keys.editor.key);
    const browser: Fetch = (url, { headers, ...init }) =>
      fetch(url, { ...init, headers: { ...headers, cookie, "sec-fetch-site": "same-origin" } });
    const write = (sessionSecret?: string) =>
      connect({ url: world.url, fetch: browser, sessionSecret }).session.token();
    assert.isTrue(isProblem(await rejection(write()), "csrf"));
    assert.match((await write(secret)).token, /^qms_/);
  });

  it("[client.unreachable] a call without a response is Unreachable", async () => {
    const gate = await Gate.open(world);
    const qm = connect({ url: gate.url, key: world.keys.viewer.key });
    const lost = gate.lose("/api/session");
    assert.instanceOf(await rejection(qm.session.get()), Unreachable);
    await lost;
    gate.away();
    const error = await rejection(qm.session.get());
    assert.instanceOf(error, Unreachable);
    assert.include(error.message, gate.url);
    await gate.back();
    assert.strictEqual((await qm.session.get()).principal.role, "Viewer");
  });

  it("[client.pages] a list is read page by page", async () => {
    const { fetch, sent } = recording();
    const qm = as("editor", { fetch });
    for (const title of ["a", "b", "c"]) await qm.issues.create({ projectId: "pages", title });
    sent.length = 0;
    const list = qm.issues.list({ projectId: "pages", limit: 2, order: "asc" });
    const titles: Array<string> = [];
    for await (const { title } of list) titles.push(title);
    assert.deepStrictEqual(titles, ["a", "b", "c"]);
    assert.strictEqual(sent.length, 2);
    const first = await list.page();
    const last = await qm.issues
      .list({ projectId: "pages", limit: 2, order: "asc", cursor: first.next ?? "" })
      .page();
    assert.deepStrictEqual(
      last.items.map(({ title }) => title),
      ["c"],
    );
    assert.isNull(last.next);
  });

  it("[client.files] files are sent and read as blobs, bytes and streams", async () => {
    const qm = as("editor");
    const { id: issueId } = await qm.issues.create({ projectId: "p1", title: "Files" });
    const blob = await qm.attachments.upload({ issueId, file: new File(["one"], "é.txt") });
    assertFields(blob, { fileName: "é.txt", size: 3 });
    const bytes = await qm.attachments.upload({
      issueId,
      file: new TextEncoder().encode("three"),
      fileName: "b.json",
      contentType: "application/json",
    });
    assertFields(bytes, { fileName: "b.json", size: 5, contentType: "application/json" });
    async function* chunks() {
      for (let left = 64; left > 0; left--) yield new Uint8Array(16_384);
    }
    const big = await qm.attachments.upload({ issueId, file: chunks() });
    assertFields(big, { fileName: "file", size: 1_048_576 });
    const copy = await qm.attachments.download({ attachmentId: big.id });
    assert.isNotNull(copy.body);
    const streamed = await qm.attachments.upload({
      issueId,
      file: copy.body ?? new Blob([]),
      fileName: "copy",
    });
    assert.strictEqual(streamed.sha256, big.sha256);
    const part = await qm.attachments.download(
      { attachmentId: bytes.id },
      { headers: { range: "bytes=1-2" } },
    );
    assert.strictEqual(`${part.status} ${await part.text()}`, "206 hr");
  });

  it("[client.retries] a call that is safe to repeat waits as long as the server requires", async () => {
    const { fetch, sent } = recording((_, count) =>
      count < 3 ? busy(count === 1 ? 429 : 503) : undefined,
    );
    const issue = await as("editor", { fetch }).issues.create({ projectId: "p1", title: "Wait" });
    const keys = sent.map((request) => header(request, "idempotency-key"));
    assert.strictEqual(keys.length, 3);
    assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/);
    assert.strictEqual(new Set(keys).size, 1);
    const always = recording(() => busy(503));
    const qm = as("editor", { fetch: always.fetch, retries: 1 });
    assert.isTrue(
      isProblem(await rejection(qm.issues.pause({ issueId: issue.id })), "unavailable"),
    );
    assert.strictEqual(always.sent.length, 1);
    assert.isTrue(isProblem(await rejection(qm.issues.get({ issueId: issue.id })), "unavailable"));
    assert.strictEqual(always.sent.length, 3);
  });

  it("[client.abort] a signal cancels a call, even while it waits", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    assert.strictEqual(await rejection(as("viewer").session.get({}, { signal })), reason);
    const abort = new AbortController();
    const patient = () => new Response("", { status: 503, headers: { "retry-after": "20" } });
    const waiting = as("viewer", {
      fetch: async () => {
        queueMicrotask(() => setTimeout(() => abort.abort(reason), 10));
        return patient();
      },
    }).session.get({}, { signal: abort.signal });
    assert.strictEqual(await rejection(waiting), reason);
  });

  it("[client.prefix] the server may be mounted below a path", async () => {
    const { url } = world;
    const behind: typeof fetch = (input, init) => {
      const { href } = new URL(String(input));
      assert.isTrue(href.startsWith("https://host/quartermaster/api/"), href);
      return fetch(href.replace("https://host/quartermaster", url), init);
    };
    const qm = as("editor", { url: "https://host/quartermaster/", fetch: behind });
    for (const title of ["a", "b"]) await qm.issues.create({ projectId: "prefix", title });
    const titles: Array<string> = [];
    for await (const issue of qm.issues.list({ projectId: "prefix", limit: 1 })) {
      titles.push(issue.title);
    }
    assert.deepStrictEqual(titles, ["b", "a"]);
  });
});
