import { execFile, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { assert, describe, it, onTestFinished, vi } from "@effect/vitest";
import { type Answer, request } from "../../http/test/support/Client.ts";
import * as Disk from "./Disk.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const MiB = 1024 * 1024;

const multipart = (bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, name = "file.bin") => {
  const boundary = "----storage";
  const disposition = `form-data; name="file"; filename="${name}"`;
  async function* body() {
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`);
    yield* bytes;
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return { body: body(), contentType: `multipart/form-data; boundary=${boundary}` };
};

const upload = async (
  { url, key }: Quartermaster,
  issueId: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
) => {
  const { body, contentType } = multipart(bytes);
  return fetch(`${url}/api/projects/issues/${issueId}/attachments`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": contentType },
    body: body as unknown as ReadableStream,
    duplex: "half",
  } as RequestInit);
};

describe("attachments", () => {
  it("[attachments.streamed] attachments are streamed in and out, without being held in memory", async () => {
    const folder = await temporaryFolder();
    const server = await Quartermaster.start(folder, { QM_MAX_ATTACHMENT_BYTES: "1 GiB" });
    const resident = async () => {
      const { text } = await server.call("GET", "/metrics");
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
    };
    const { body: issue } = await server.call("POST", "/api/projects/p1/issues", {
      body: { title: "Large" },
    });
    const chunk = randomBytes(MiB);
    const count = 256;
    const sent = createHash("sha256");
    const before = await resident();
    let most = 0;
    const chunks = async function* () {
      for (let n = 0; n < count; n++) {
        if (n % 16 === 15) most = Math.max(most, await resident());
        sent.update(chunk);
        yield chunk;
      }
    };
    const response = await upload(server, issue.id, chunks());
    assert.strictEqual(response.status, 201);
    const made = (await response.json()) as Record<string, unknown>;
    const hash = sent.digest("hex");
    assert.deepInclude(made, { size: count * MiB, sha256: hash });

    const download = await request(server, "GET", made["downloadUrl"] as string, {
      key: server.key,
    });
    const received = createHash("sha256");
    let read = 0;
    for await (const part of download.body ?? []) {
      received.update(part);
      if (Math.floor((read + part.length) / (16 * MiB)) > Math.floor(read / (16 * MiB))) {
        most = Math.max(most, await resident());
      }
      read += part.length;
    }
    assert.strictEqual(received.digest("hex"), hash);
    assert.isBelow((most - before) / MiB, count / 2, "MiB more than before");
  });
});

/** Writes the sync mode of the writing connection to stderr. */
const listening = `data:text/javascript,${encodeURIComponent(`
  import { DatabaseSync } from "node:sqlite";
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (/PRAGMA synchronous/i.test(sql)) console.error(sql);
    return exec.call(this, sql);
  };
`)}`;

describe("QM_DURABILITY", () => {
  it.each([
    [undefined, "FULL"],
    ["full", "FULL"],
    ["normal", "NORMAL"],
  ])("[server.durability] %s is SQLite's %s", async (durability, synchronous) => {
    const server = Quartermaster.serve(await temporaryFolder(), {
      NODE_OPTIONS: `--import=${listening}`,
      ...(durability === undefined ? {} : { QM_DURABILITY: durability }),
    });
    await server.welcome();
    // A relaxed transaction of the start may have changed it and back since.
    const [first] = server.stderr.split("\n");
    assert.strictEqual(first, `PRAGMA synchronous=${synchronous}`);
  });
});

describe("unavailable storage", () => {
  it("[server.ready.unavailable] /readyz is a 503 with Retry-After, /healthz is not", async () => {
    const folder = await temporaryFolder();
    const server = await Quartermaster.start(folder);
    const { call } = server;
    assert.strictEqual((await call("GET", "/readyz")).status, 200);
    await call("POST", "/api/projects/p1/issues", { body: { title: "The last one" } });
    for (const name of ["quartermaster.db", "quartermaster.db-wal"]) {
      await truncate(join(folder, name));
    }
    const ready = await call("GET", "/readyz");
    assert.deepInclude(ready.body, { status: 503, type: "urn:quartermaster:problem:unavailable" });
    assert.strictEqual(ready.status, 503);
    assert.isAtLeast(Number(ready.headers.get("retry-after")), 1);
    assert.strictEqual((await call("GET", "/healthz")).status, 200);
  });
});

describe("a database that another process has locked", () => {
  it("[server.ready.unavailable] /readyz is a 503 until the other process releases the database", async () => {
    const folder = await temporaryFolder();
    const { call } = await Quartermaster.start(folder);
    const other = new DatabaseSync(join(folder, "quartermaster.db"), { timeout: 10_000 });
    onTestFinished(() => other.close());
    other.exec("BEGIN IMMEDIATE");
    assert.strictEqual((await call("GET", "/readyz")).status, 503);
    assert.strictEqual((await call("GET", "/healthz")).status, 200);
    other.exec("ROLLBACK");
    assert.strictEqual((await call("GET", "/readyz")).status, 200);
  });
});

describe("changes that were lost", () => {
  it("[server.database.log] a start without the write-ahead log of a killed server is refused", async () => {
    const folder = await temporaryFolder();
    const server = await Quartermaster.start(folder);
    const { call } = server;
    await call("POST", "/api/projects/p1/issues", { body: { title: "Acknowledged" } });
    await call("GET", "/readyz");
    await server.kill();
    await rm(join(folder, "quartermaster.db-wal"));
    const again = Quartermaster.serve(folder);
    assert.deepStrictEqual(await again.exited, { code: 1, signal: null });
    assert.match(again.stderr, /^.*quartermaster\.db: The database has lost changes: .*\n$/);
  });
});

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

/** The largest file that a process may write, which simulates a full disk. */
const limit = (pid: number | undefined, bytes: number | "unlimited") =>
  run("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);

describe.runIf(has("prlimit"))("a full disk", () => {
  it("[problem.unavailable] a full disk is a 503, leaves no partial write, and recovers when there is room", async () => {
    const folder = await temporaryFolder();
    const server = await Quartermaster.start(folder);
    const { call } = server;
    const project = "/api/projects/p1/issues";
    const { body: first } = await call("POST", project, { body: { title: "Before" } });
    const issue = `/api/projects/issues/${first.id}`;
    const read = async () =>
      Promise.all(
        [issue, `${issue}/comments`, `${issue}/attachments`, `${issue}/activity`, project].map(
          async (path) => (await call("GET", path)).text,
        ),
      );
    const before = await read();
    const assertUnavailable = (answer: Answer) => {
      assert.strictEqual(answer.status, 503, answer.text);
      assert.strictEqual(answer.body.type, "urn:quartermaster:problem:unavailable");
      assert.isAtLeast(Number(answer.headers.get("retry-after")), 1);
    };

    await limit(server.child.pid, 4_096);
    assertUnavailable(await call("GET", "/readyz"));
    const big = "x".repeat(60_000);
    assertUnavailable(await call("POST", project, { body: { title: "During", description: big } }));
    assertUnavailable(await call("PUT", issue, { body: { title: "During", description: big } }));
    assertUnavailable(
      await call("POST", `${issue}/comments`, { body: { content: big, authorType: "User" } }),
    );
    const failed = await upload(server, first.id, [randomBytes(100_000)]);
    assert.strictEqual(failed.status, 503, await failed.text());
    assert.deepStrictEqual(await read(), before);
    assert.deepStrictEqual(await Disk.attachments(folder), []);

    await limit(server.child.pid, "unlimited");
    assert.strictEqual((await call("GET", "/readyz")).status, 200);
    const again = await call("POST", project, { body: { title: "After", description: big } });
    assert.strictEqual(again.status, 201, again.text);
    assert.strictEqual((await upload(server, first.id, [randomBytes(100_000)])).status, 201);
    assert.lengthOf(await Disk.attachments(folder), 1);
    await server.kill();

    const { call: restarted } = await Quartermaster.start(folder);
    const titles = (await restarted("GET", project)).body.map(
      ({ title }: { readonly title: string }) => title,
    );
    assert.deepStrictEqual(titles, ["After", "Before"]);
    assert.lengthOf((await restarted("GET", `${issue}/attachments`)).body, 1);
  });
});
