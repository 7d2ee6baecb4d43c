import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertProblem, assertShape } from "./support/Assert.ts";
import * as RawSocket from "./support/RawSocket.ts";
import * as World from "./support/World.ts";

const limit = 64 * 1024;
let world: World.World;
let issueId: string;
beforeAll(async () => {
  world = await World.start({ core: { maxAttachmentBytes: limit } });
  issueId = (await world.issue()).id;
});
afterAll(() => world.close());

const path = () => `/api/projects/issues/${issueId}/attachments`;
const list = async () => (await world.call("GET", path())).body as Array<{ readonly id: string }>;

const boundary = "----test";
const part = (disposition: string, content: string, type?: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n` +
  `${type === undefined ? "" : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
const send = (...parts: ReadonlyArray<string>) =>
  world.call("POST", path(), {
    raw: `${parts.join("")}--${boundary}--\r\n`,
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  });

describe("upload", () => {
  it("[attachments.upload.201] an upload returns the attachment with its download URL", async () => {
    const answer = await world.attach(
      issueId,
      new File(["hello"], "notes.txt", { type: "text/plain" }),
    );
    assert.strictEqual(answer.status, 201);
    assertShape(answer.body, {
      id: /^att_/,
      issueId,
      fileName: "notes.txt",
      contentType: "text/plain",
      size: 5,
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      downloadUrl: `/api/projects/attachments/${answer.body.id}/download`,
      uploadedBy: { type: "User", id: world.keys.editor.id },
      createdAt: String,
    });
    assert.deepStrictEqual((await list()).at(-1), answer.body);
  });

  it("[attachments.list.200] attachments are listed oldest first, without their bytes", async () => {
    const { id } = await world.issue();
    const listed = () => world.call("GET", `/api/projects/issues/${id}/attachments`);
    assert.deepStrictEqual((await listed()).body, []);
    const made = [];
    for (const name of ["one.txt", "two.txt"]) {
      made.push((await world.attach(id, new File([`bytes of ${name}`], name))).body);
    }
    const answer = await listed();
    assert.deepStrictEqual([answer.status, answer.body], [200, made]);
    assert.notInclude(answer.text, "bytes of");
  });

  it("[attachments.upload.name] the file name is the last segment, without control characters", async () => {
    for (const [sent, kept] of [
      ["../../etc/passwd", "passwd"],
      [String.raw`C:\\temp\\a.txt`, "a.txt"],
      ["ä ö.txt", "ä ö.txt"],
      ["a\tb.txt", "ab.txt"],
      ["\u0000a\u0001\u0002\u0007\u0008\u000b\u000c\u000e\u001b\u001f\u007fb.txt", "ab.txt"],
    ]) {
      const answer = await send(part(`name="file"; filename="${sent}"`, "x"));
      assert.deepStrictEqual([answer.status, answer.body.fileName], [201, kept], sent);
    }
    const content = "\u0000\u0001\r\n\r\n\u0007\u007f";
    const { body } = await send(part('name="file"; filename="a\u0001"', content));
    const bytes = await world.call("GET", body.downloadUrl);
    assert.deepStrictEqual([body.size, bytes.text], [content.length, content]);
  });

  it("[attachments.upload.type] the content type is the sent one, by default octet-stream", async () => {
    const named = 'name="file"; filename="a"';
    assert.strictEqual(
      (await send(part(named, "{}", "application/json"))).body.contentType,
      "application/json",
    );
    assert.strictEqual(
      (await send(part(named, "x", "text/plain; charset=utf-8"))).body.contentType,
      "text/plain; charset=utf-8",
    );
    assert.strictEqual((await send(part(named, "x"))).body.contentType, "application/octet-stream");
    assert.strictEqual(
      (await send(part(named, "x", "nonsense"))).body.contentType,
      "application/octet-stream",
    );
  });

  it("[attachments.upload.empty] an empty file is allowed", async () => {
    const answer = await send(part('name="file"; filename="empty"', ""));
    assert.deepStrictEqual([answer.status, answer.body.size], [201, 0]);
    const got = await world.call("GET", answer.body.downloadUrl);
    assert.deepStrictEqual(
      [got.status, got.text, got.headers.get("content-length")],
      [200, "", "0"],
    );
    const range = await world.call("GET", answer.body.downloadUrl, {
      headers: { range: "bytes=0-" },
    });
    assert.strictEqual(range.status, 416);
  });

  it("[attachments.upload.400] an upload without exactly one named file part, or with a truncated body, is a 400", async () => {
    const before = await list();
    const file = part('name="file"; filename="a"', "x");
    for (const answer of [
      await send(),
      await send(file, file),
      await send(part('name="file"', "x")),
      await send(part('name="file"; filename=""', "x")),
      await send(part('name="other"; filename="a"', "x")),
      await send(file, part('name="note"', "x")),
      await send(part('name="note"', "x"), file),
      await world.call("POST", path(), {
        raw: file,
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      }),
      await world.call("POST", path(), {
        raw: "nonsense",
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      }),
    ]) {
      assertProblem(answer, 400, "invalid-request", { errors: [Object] });
    }
    assert.deepStrictEqual(await list(), before);
  });

  it("[attachments.upload.413] an upload beyond the limit is a 413, with a length and without, and stores nothing", async () => {
    const before = await list();
    const members = { limitBytes: limit };
    assertProblem(
      await world.attach(issueId, new File(["x".repeat(limit + 1)], "a")),
      413,
      "payload-too-large",
      members,
    );
    assertProblem(
      await world.attach(issueId, new File(["x".repeat(limit * 20)], "a")),
      413,
      "payload-too-large",
      members,
    );
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode(sent++ === 0 ? head : "x".repeat(8192)));
        if (sent > 20) controller.close();
      },
    });
    const chunked = await fetch(new URL(path(), world.url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.keys.editor.key}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: endless,
      duplex: "half",
    } as RequestInit);
    assert.strictEqual(chunked.status, 413);
    assert.strictEqual(
      (await world.attach(issueId, new File(["x".repeat(limit)], "a"))).status,
      201,
    );
    assert.strictEqual((await list()).length, before.length + 1);
  });

  it("[attachments.upload.404] an upload to an unknown issue is a 404", async () => {
    assertProblem(await world.attach("iss_none", new File(["x"], "a")), 404, "not-found", {
      resource: "issue",
      id: "iss_none",
    });
  });

  it("[attachments.upload.beside] an endless preamble or epilogue is refused soon", async () => {
    const before = await list();
    const file = `${part('name="file"; filename="a"', "x")}\r\n--${boundary}--\r\n`;
    for (const start of ["", file]) {
      const socket = await RawSocket.open(world);
      const filler = "y".repeat(16_384);
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const answer: Array<string> = [];
      socket.on("data", (data: Buffer) => answer.push(data.toString("latin1")));
      socket.on("error", () => {});
      socket.write(
        RawSocket.head("POST", path(), {
          authorization: `Bearer ${world.keys.editor.key}`,
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "transfer-encoding": "chunked",
        }) + (start === "" ? "" : chunk(start)),
      );
      let sent = 0;
      while (answer.length === 0 && sent < 32 * 1024 * 1024) {
        sent += filler.length;
        await new Promise((resolve) => socket.write(chunk(filler), resolve));
      }
      socket.destroy();
      assert.match(answer.join(""), /^HTTP\/1\.1 400 /);
      assert.isBelow(sent, 8 * 1024 * 1024);
    }
    assert.deepStrictEqual(await list(), before);
  });

  it("[attachments.upload.disconnect] a client that disconnects leaves nothing", async () => {
    const before = await list();
    const socket = await RawSocket.open(world);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(
      RawSocket.head("POST", path(), {
        authorization: `Bearer ${world.keys.editor.key}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "content-length": 50_000,
      }) + part('name="file"; filename="a"', "x".repeat(2_000)),
    );
    await world.call("GET", path());
    socket.destroy();
    await closed;
    await world.call("GET", path());
    assert.deepStrictEqual(await list(), before);
  });
});

describe("download", () => {
  const content = "0123456789";
  let url: string;
  let sha256: string;
  beforeAll(async () => {
    const { body } = await world.attach(
      issueId,
      new File([content], 'ä "q".txt', { type: "text/html" }),
    );
    url = body.downloadUrl;
    sha256 = body.sha256;
  });

  it("[attachments.download.200] a download has the headers that prevent browsers from running it", async () => {
    const answer = await world.call("GET", url);
    assert.deepStrictEqual([answer.status, answer.text], [200, content]);
    assertFields(Object.fromEntries(answer.headers), {
      "content-type": "text/html",
      "content-length": "10",
      etag: `"${sha256}"`,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    assert.match(
      answer.headers.get("content-disposition") ?? "",
      /^attachment; filename="[\u0020-\u007e]+"; filename\*=UTF-8''%C3%A4%20/,
    );
    const head = await world.call("HEAD", url);
    assert.deepStrictEqual(
      [head.status, head.text, head.headers.get("content-length")],
      [200, "", "10"],
    );
  });

  it("[attachments.download.206] [attachments.download.416] a download returns one range, or a 416", async () => {
    for (const [range, text, contentRange] of [
      ["bytes=0-3", "0123", "bytes 0-3/10"],
      ["bytes=4-", "456789", "bytes 4-9/10"],
      ["bytes=-3", "789", "bytes 7-9/10"],
      ["bytes=8-99", "89", "bytes 8-9/10"],
      ["bytes=-99", content, "bytes 0-9/10"],
    ] as const) {
      const answer = await world.call("GET", url, { headers: { range } });
      assert.deepStrictEqual(
        [answer.status, answer.text, answer.headers.get("content-range")],
        [206, text, contentRange],
        range,
      );
      assert.strictEqual(answer.headers.get("content-length"), String(text.length));
    }
    for (const range of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
      const answer = await world.call("GET", url, { headers: { range } });
      assertProblem(answer, 416, "invalid-request", { errors: [Object] });
      assert.strictEqual(answer.headers.get("content-range"), "bytes */10");
    }
    for (const range of ["lines=1-2", "bytes=5-2", "bytes=0-1,4-5", "nonsense"]) {
      assert.strictEqual((await world.call("GET", url, { headers: { range } })).status, 200, range);
    }
    const stale = await world.call("GET", url, {
      headers: { range: "bytes=0-1", "if-range": '"other"' },
    });
    assert.strictEqual(stale.status, 200);
  });

  it("[attachments.delete.204] a deletion removes the attachment", async () => {
    const { body } = await world.attach(issueId, new File(["x"], "a"));
    const one = `/api/projects/attachments/${body.id}`;
    const gone = await world.call("DELETE", one);
    assert.deepStrictEqual([gone.status, gone.text], [204, ""]);
    for (const answer of [
      await world.call("DELETE", one),
      await world.call("GET", body.downloadUrl),
    ]) {
      assertProblem(answer, 404, "not-found", { resource: "attachment", id: body.id });
    }
  });
});
