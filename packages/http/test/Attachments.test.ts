import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as RawSocket from "./support/RawSocket.ts";
import * as World from "./support/World.ts";
import { expectProblem } from "./support/World.ts";

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
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^att_/),
      issueId,
      fileName: "notes.txt",
      contentType: "text/plain",
      size: 5,
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      downloadUrl: `/api/projects/attachments/${answer.body.id}/download`,
      uploadedBy: { type: "User", id: world.keys.editor.id },
      createdAt: expect.any(String),
    });
    expect((await list()).at(-1)).toEqual(answer.body);
  });

  it("[attachments.list.200] attachments are listed oldest first, without their bytes", async () => {
    const { id } = await world.issue();
    const listed = () => world.call("GET", `/api/projects/issues/${id}/attachments`);
    expect((await listed()).body).toEqual([]);
    const made = [];
    for (const name of ["one.txt", "two.txt"]) {
      made.push((await world.attach(id, new File([`bytes of ${name}`], name))).body);
    }
    const answer = await listed();
    expect([answer.status, answer.body]).toEqual([200, made]);
    expect(answer.text).not.toContain("bytes of");
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
      expect([answer.status, answer.body.fileName], `${sent}`).toEqual([201, kept]);
    }
    const content = "\u0000\u0001\r\n\r\n\u0007\u007f";
    const { body } = await send(part('name="file"; filename="a\u0001"', content));
    const bytes = await world.call("GET", body.downloadUrl);
    expect([body.size, bytes.text]).toEqual([content.length, content]);
  });

  it("[attachments.upload.type] the content type is the sent one, by default octet-stream", async () => {
    const named = 'name="file"; filename="a"';
    expect((await send(part(named, "{}", "application/json"))).body.contentType).toBe(
      "application/json",
    );
    expect((await send(part(named, "x", "text/plain; charset=utf-8"))).body.contentType).toBe(
      "text/plain; charset=utf-8",
    );
    expect((await send(part(named, "x"))).body.contentType).toBe("application/octet-stream");
    expect((await send(part(named, "x", "nonsense"))).body.contentType).toBe(
      "application/octet-stream",
    );
  });

  it("[attachments.upload.empty] an empty file is allowed", async () => {
    const answer = await send(part('name="file"; filename="empty"', ""));
    expect([answer.status, answer.body.size]).toEqual([201, 0]);
    const got = await world.call("GET", answer.body.downloadUrl);
    expect([got.status, got.text, got.headers.get("content-length")]).toEqual([200, "", "0"]);
    const range = await world.call("GET", answer.body.downloadUrl, {
      headers: { range: "bytes=0-" },
    });
    expect(range.status).toBe(416);
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
      expectProblem(answer, 400, "invalid-request", { errors: [expect.any(Object)] });
    }
    expect(await list()).toEqual(before);
  });

  it("[attachments.upload.413] an upload beyond the limit is a 413, with a length and without, and stores nothing", async () => {
    const before = await list();
    const members = { limitBytes: limit };
    expectProblem(
      await world.attach(issueId, new File(["x".repeat(limit + 1)], "a")),
      413,
      "payload-too-large",
      members,
    );
    expectProblem(
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
    expect(chunked.status).toBe(413);
    expect((await world.attach(issueId, new File(["x".repeat(limit)], "a"))).status).toBe(201);
    expect((await list()).length).toBe(before.length + 1);
  });

  it("[attachments.upload.404] an upload to an unknown issue is a 404", async () => {
    expectProblem(await world.attach("iss_none", new File(["x"], "a")), 404, "not-found", {
      resource: "issue",
      id: "iss_none",
    });
  });

  it("[attachments.upload.beside] a preamble or an epilogue that never ends is refused soon", async () => {
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
      expect(answer.join("")).toMatch(/^HTTP\/1\.1 400 /);
      expect(sent).toBeLessThan(8 * 1024 * 1024);
    }
    expect(await list()).toEqual(before);
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
    expect(await list()).toEqual(before);
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
    expect([answer.status, answer.text]).toEqual([200, content]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html",
      "content-length": "10",
      etag: `"${sha256}"`,
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="[\u0020-\u007e]+"; filename\*=UTF-8''%C3%A4%20/,
    );
    const head = await world.call("HEAD", url);
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "10"]);
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
      expect([answer.status, answer.text, answer.headers.get("content-range")], `${range}`).toEqual(
        [206, text, contentRange],
      );
      expect(answer.headers.get("content-length")).toBe(String(text.length));
    }
    for (const range of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
      const answer = await world.call("GET", url, { headers: { range } });
      expectProblem(answer, 416, "invalid-request", { errors: [expect.any(Object)] });
      expect(answer.headers.get("content-range")).toBe("bytes */10");
    }
    for (const range of ["lines=1-2", "bytes=5-2", "bytes=0-1,4-5", "nonsense"]) {
      expect((await world.call("GET", url, { headers: { range } })).status, `${range}`).toBe(200);
    }
    const stale = await world.call("GET", url, {
      headers: { range: "bytes=0-1", "if-range": '"other"' },
    });
    expect(stale.status).toBe(200);
  });

  it("[attachments.delete.204] a deletion removes the attachment", async () => {
    const { body } = await world.attach(issueId, new File(["x"], "a"));
    const one = `/api/projects/attachments/${body.id}`;
    const gone = await world.call("DELETE", one);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    for (const answer of [
      await world.call("DELETE", one),
      await world.call("GET", body.downloadUrl),
    ]) {
      expectProblem(answer, 404, "not-found", { resource: "attachment", id: body.id });
    }
  });
});
