import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem } from "./support/Assert.ts";
import type * as Client from "./support/Client.ts";
import * as RawSocket from "./support/RawSocket.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start({ http: { maxJsonBytes: 4096 } });
});
afterAll(() => world.close());

const path = "/api/projects/bad/issues";
const json = { "content-type": "application/json" };
const post = (raw: Client.Call["raw"], headers: Record<string, string> = json) =>
  world.call("POST", path, { raw, headers });
const nothingMade = async () => assert.deepStrictEqual((await world.call("GET", path)).body, []);

describe("bodies", () => {
  it("[body.malformed] malformed JSON is a 400 with its position", async () => {
    for (const raw of [
      "{",
      '{"title":}',
      "nonsense",
      '"text"',
      "[]",
      "null",
      "5",
      '{"title":"a"} x',
    ]) {
      assertInvalid(await post(raw), "");
    }
    await nothingMade();
  });

  it("[body.utf8] a body that is not valid UTF-8 is a 400", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"title":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    const answer = await post(bytes);
    assertInvalid(answer, "");
    assert.include(answer.body.errors[0].message, "UTF-8");
    const half = await post(String.raw`{"title":"\ud800"}`);
    assertInvalid(half, "title");
    await nothingMade();
  });

  it("[body.deep] a body that is nested too deeply is a 400", async () => {
    const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    for (const raw of [deep(65), deep(2000), `{"title":${deep(1500)}}`, '{"a":'.repeat(500)]) {
      assertProblem(await post(raw), 400, "invalid-request", { errors: Array });
    }
    // Brackets in a string have no meaning.
    const made = await world.call("POST", "/api/projects/other/issues", {
      body: { title: `${'["'.repeat(100)}` },
    });
    assert.strictEqual(made.status, 201);
  });

  it("[body.too-large] a body beyond the limit is a 413, with a length and without", async () => {
    const body = JSON.stringify({ title: "x", description: "y".repeat(5000) });
    assertProblem(await post(body), 413, "payload-too-large", { limitBytes: 4096 });
    const chunks = new ReadableStream({
      start: (controller) => {
        for (let index = 0; index < 10; index++) {
          controller.enqueue(new TextEncoder().encode("y".repeat(1000)));
        }
        controller.close();
      },
    });
    const chunked = await fetch(new URL(path, world.url), {
      method: "POST",
      headers: { ...json, authorization: `Bearer ${world.keys.editor.key}` },
      body: chunks,
      duplex: "half",
    } as RequestInit);
    assert.strictEqual(chunked.status, 413);
    assertFields(await chunked.json(), { limitBytes: 4096 });
    await nothingMade();
  });

  it("[body.order] 415 comes before 413, and 413 before 400", async () => {
    const large = "y".repeat(5000);
    assert.strictEqual((await post(large, { "content-type": "text/plain" })).status, 415);
    assert.strictEqual((await post(large)).status, 413);
    const query = await world.call("POST", `/api/projects/issues/iss_none/close?force=maybe`);
    assertInvalid(query, "force");
    const body = await world.call("PUT", "/api/projects/issues/iss_none", {
      body: { nonsense: 1 },
    });
    assert.strictEqual(body.status, 400);
  });

  it("[body.unknown] unknown properties are refused by name, even `__proto__`", async () => {
    for (const name of ["titel", "__proto__", "constructor", "id"]) {
      const answer = await post(`{"title":"x","${name}":{}}`);
      assertInvalid(answer, name);
    }
    const many = await post(
      JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, 1]))),
    );
    assert.strictEqual(many.body.errors.length, 100);
    await nothingMade();
  });

  it("[body.empty] a POST that needs no body accepts none or {}", async () => {
    const close = (options?: Parameters<typeof world.call>[2]) =>
      world
        .issue()
        .then(({ id }) => world.call("POST", `/api/projects/issues/${id}/close`, options));
    assert.strictEqual((await close()).status, 204);
    assert.strictEqual((await close({ body: {} })).status, 204);
    assert.strictEqual((await close({ raw: " { } ", headers: json })).status, 204);
    assert.strictEqual((await close({ headers: { "content-type": "text/plain" } })).status, 204);
    assertProblem(await close({ body: { force: true } }), 400, "invalid-request", {
      errors: Array,
    });
    assert.strictEqual(
      (await close({ raw: "{}", headers: { "content-type": "text/plain" } })).status,
      415,
    );
    assert.strictEqual((await post("")).status, 400);
  });

  it("[body.charset] only UTF-8 is accepted", async () => {
    const made = await world.call("POST", "/api/projects/other/issues", {
      raw: '{"title":"ü"}',
      headers: { "content-type": "application/json; charset=UTF-8" },
    });
    assert.strictEqual(made.body.title, "ü");
    assert.strictEqual(
      (await post("{}", { "content-type": "application/json; charset=latin1" })).status,
      415,
    );
    assert.strictEqual((await post("{}", { "content-type": "application/jsonx" })).status, 415);
  });

  it("[body.pieces] a body is read completely, even when it arrives byte by byte", async () => {
    const bytes = new TextEncoder().encode('{"title":"süß 🧵"}');
    const authorization = `Bearer ${world.keys.editor.key}`;
    const socket = await RawSocket.open(world);
    socket.setNoDelay(true);
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.write(
      RawSocket.head("POST", "/api/projects/other/issues", {
        authorization,
        ...json,
        "content-length": bytes.length,
      }),
    );
    for (const byte of bytes) {
      await setTimeout(2);
      socket.write(Uint8Array.of(byte));
    }
    await once(socket, "close");
    assert.match(text, /^HTTP\/1\.1 201 /);
    assert.include(text, '"title":"süß 🧵"');
  });

  it("[body.truncated] a truncated body creates nothing, and the server continues", async () => {
    const authorization = `Bearer ${world.keys.editor.key}`;
    const start = '{"title":"tru';
    const answer = await RawSocket.send(
      world,
      RawSocket.head("POST", path, { authorization, ...json, "content-length": 500 }) + start,
    );
    assert.include([0, 400], answer.status);
    await RawSocket.send(
      world,
      RawSocket.head("POST", path, { authorization, ...json, "transfer-encoding": "chunked" }) +
        `5\r\n{"tit`,
    );
    await nothingMade();
  });
});

describe("requests", () => {
  it("[request.id] a well-formed request id is returned; otherwise the server creates one", async () => {
    const ids = async (sent?: string) =>
      (
        await world.as(undefined)("GET", "/healthz", {
          headers: sent === undefined ? {} : { "x-request-id": sent },
        })
      ).headers.get("x-request-id");
    assert.strictEqual(await ids("abc-1._Z"), "abc-1._Z");
    assert.strictEqual(await ids("x".repeat(128)), "x".repeat(128));
    for (const bad of ["x".repeat(129), "a b", "a/b", undefined]) {
      const made = (await ids(bad)) ?? "";
      assert.match(made, /^[A-Za-z0-9._-]{1,128}$/);
      assert.notStrictEqual(made, bad);
    }
  });

  it("[request.head] HEAD returns the headers of GET, without a body", async () => {
    const { id } = await world.issue();
    for (const path of [
      `/api/projects/issues/${id}`,
      "/api/projects/p1/issues",
      "/healthz",
      "/api/nothing",
      "/api/projects/issues/iss_none",
    ]) {
      const get = await world.call("GET", path);
      const head = await world.call("HEAD", path);
      assert.deepStrictEqual(
        [head.status, head.text, head.headers.get("content-type")],
        [get.status, "", get.headers.get("content-type")],
      );
      assert.strictEqual(head.headers.get("content-length"), get.headers.get("content-length"));
    }
  });

  it("[request.path] values in the path are checked, and reserved words are refused", async () => {
    for (const project of [
      "issues",
      "attachments",
      "links",
      "questions",
      "..%2f",
      "a%20b",
      "x".repeat(129),
      "%00",
      "é",
    ]) {
      const answer = await world.call("POST", `/api/projects/${project}/issues`, {
        body: { title: "x" },
      });
      assertInvalid(answer, "projectId");
      assert.strictEqual(
        (await world.call("GET", `/api/projects/${project}/issues`)).status,
        400,
        project,
      );
    }
    const long = `${"p".repeat(120)}.:_-A1`;
    const made = await world.issue({}, long);
    assert.strictEqual(made["projectId"], long);
    assert.isAtLeast((await world.call("GET", "/api/projects/%zz/issues")).status, 400);
    assert.strictEqual(
      (await world.call("GET", `/api/projects/issues/${"i".repeat(5000)}`)).status,
      404,
    );
  });

  it("[request.query.strict] an unknown or repeated parameter under /api/ is a 400 with the closest name", async () => {
    for (const [path, name, message] of [
      ["/api/projects/p1/issues?stauts=Open", "stauts", 'did you mean "status"?'],
      ["/api/projects/p1/issues?projectid=p1&limit=2", "projectid", "did you mean"],
      ["/api/projects/p1/issues?assignee=alice", "assignee", 'did you mean "assigneeId"?'],
      ["/api/projects/p1/issues?limit=1&limit=2", "limit", "once"],
      ["/api/session?utm=1", "utm", "takes none"],
      [`/api/agents?${"x".repeat(4_000)}=1`, "x".repeat(200), "did you mean"],
    ] as const) {
      const answer = await world.call("GET", path);
      assertInvalid(answer, name);
      assert.include(answer.body.errors[0].message, message);
    }
    const many = Array.from({ length: 500 }, (_, index) => `p${index}`).join("&");
    const { body } = await world.call("GET", `/api/projects/p1/issues?${many}`);
    assert.lengthOf(body.errors, 100);
    assert.strictEqual(
      (await world.call("POST", "/api/projects/p1/issues?dry=1", { body: { title: "t" } })).status,
      400,
    );
    assert.strictEqual((await world.call("GET", "/healthz?utm=1")).status, 200);
  });

  it("[request.query] a wrong value of a parameter is refused with the parameter's name", async () => {
    for (const [name = "", value = ""] of [
      ["limit", "0"],
      ["limit", "501"],
      ["limit", "1.5"],
      ["limit", ""],
      ["limit", "many"],
      ["status", "Nope"],
      ["priority", "soon"],
      ["order", "up"],
      ["updatedSince", "yesterday"],
      ["cursor", "nonsense"],
    ]) {
      const answer = await world.call("GET", `/api/projects/p1/issues?${name}=${value}`);
      assertInvalid(answer, name);
    }
  });

  it("[request.version] a request line with a version other than HTTP/1.x is a 505 and runs nothing", async () => {
    const key = world.keys.admin.key;
    for (const [version, status] of [
      ["HTTP/2.0", 505],
      ["HTTP/0.9", 505],
      ["HTTP/1.0", 204],
    ] as const) {
      await world.call("POST", "/api/agents/bot/heartbeat", { body: {} });
      const answer = await RawSocket.send(
        world,
        `DELETE /api/agents/bot ${version}\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
      const body = JSON.parse(answer.body || "null");
      assert.deepStrictEqual([answer.status, body?.status ?? 204], [status, status]);
      const isThere = (await world.call("GET", "/api/agents/bot")).status === 200;
      assert.strictEqual(isThere, status === 505);
    }
    const bare = await RawSocket.send(world, "GET /healthz\r\n\r\n");
    assert.notStrictEqual(bare.status, 200);
  });

  it("[request.methods] unknown methods are refused, and the server continues", async () => {
    const answer = await RawSocket.send(world, RawSocket.head("PROPFIND", path));
    assert.strictEqual(answer.status, 405);
    assert.include(answer.head.toLowerCase(), "application/problem+json");
    for (const bytes of ["NONSENSE / HTTP/1.1\r\n\r\n", "\0\0\0\0", "GET / HTTP/9.9\r\n\r\n"]) {
      await RawSocket.send(world, bytes);
    }
    const flood = Array.from({ length: 3000 }, (_, i) => [`x-${i}`, "y".repeat(20)] as const);
    await RawSocket.send(world, RawSocket.head("GET", path, Object.fromEntries(flood)));
    assert.strictEqual((await world.as(undefined)("GET", "/healthz")).status, 200);
  });

  it("[request.cache] no cache stores a response of the API", async () => {
    const { id } = (await world.call("POST", "/api/projects/p1/issues", { body: { title: "x" } }))
      .body;
    const form = new FormData();
    form.append("file", new Blob(["x"]), "x.txt");
    const attachments = `/api/projects/issues/${id}/attachments`;
    const { body } = await world.call("POST", attachments, { raw: form });
    const download = body.downloadUrl.slice(body.downloadUrl.indexOf("/api/"));
    for (const path of ["/healthz", "/api/nothing", `/api/projects/issues/${id}`, download]) {
      const { headers } = await world.call("GET", path);
      assert.strictEqual(headers.get("cache-control"), "no-store", path);
    }
    const refused = await world.as(undefined)("POST", "/api/session", { body: { apiKey: "x" } });
    assert.strictEqual(refused.headers.get("cache-control"), "no-store");
  });

  it("[request.nosniff] every response has nosniff", async () => {
    for (const path of ["/healthz", "/api/nothing", "/api/projects/p1/issues"]) {
      assert.strictEqual(
        (await world.call("GET", path)).headers.get("x-content-type-options"),
        "nosniff",
      );
    }
  });
});
