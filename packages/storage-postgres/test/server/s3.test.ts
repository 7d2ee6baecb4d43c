import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PgClient } from "@effect/sql-pg";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import { type Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import * as Program from "../../../server/test/support/Program.ts";
import * as Node from "../support/Node.ts";
import { environment, type Fault, S3Server } from "../support/S3Server.ts";
import { url, withServer } from "../support/TestStorage.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const isLong = process.env["QM_LONG"] === "1";
const mebibyte = 1024 * 1024;

const endings: Array<() => Promise<void>> = [];
const end = (ending: () => Promise<void>) => endings.unshift(ending);
let s3: S3Server;
let env: Record<string, string>;
let one: Quartermaster;
let two: Quartermaster;
let issueId: string;

const start = async () => {
  s3 = await S3Server.start();
  end(() => s3.close());
  env = {
    ...Node.variables(),
    ...environment,
    QM_ATTACHMENTS: "s3://files/house",
    QM_S3_ENDPOINT: s3.endpoint,
    QM_MAX_ATTACHMENT_BYTES: "200 MiB",
  };
  const [first, second] = await Node.startAll(2, env, end);
  assert(first !== undefined && second !== undefined);
  one = first.server;
  two = second.server;
  const { body } = await one.call("POST", "/api/projects/p/issues", { body: { title: "Files" } });
  issueId = body.id;
};

const attach = (server: Quartermaster, bytes: Uint8Array<ArrayBuffer>) => {
  const form = new FormData();
  form.append("file", new File([bytes], "file.bin"));
  return server.call("POST", `/api/projects/issues/${issueId}/attachments`, { raw: form });
};

const keyOf = ({ body }: Awaited<ReturnType<typeof attach>>) => `house/${body.id}`;

const fetchBytes = async (server: Quartermaster, path: string, headers = {}) => {
  const response = await fetch(new URL(path, server.url), {
    headers: { authorization: `Bearer ${server.key}`, ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** Runs a statement in the schema of the servers. */
const execute = (statement: string) =>
  Effect.runPromise(
    PgClient.PgClient.use((sql) => sql.unsafe(statement)).pipe(
      Effect.provide(
        PgClient.layer({
          url: Redacted.make(url),
          maxConnections: 1,
          startupParameters: { search_path: env["QM_DATABASE_SCHEMA"] ?? "" },
        }),
      ),
    ),
  );

/** A field of the process's memory in MiB. */
const memoryOf = async ({ child }: Quartermaster, field: "VmHWM" | "VmRSS") => {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s*(\\d+)`, "u").exec(status)?.[1]) / 1024;
};

withServer(() => {
  describe("two servers with attachments in a bucket", () => {
    beforeAll(start);
    afterAll(async () => {
      for (const ending of endings) await ending();
    });

    it("one serves what the other received, whole and in ranges, and removes it", async () => {
      const bytes = new Uint8Array(3 * mebibyte + 5).map((_, n) => (n * 31) & 0xff);
      const uploaded = await attach(one, bytes);
      assert.strictEqual(uploaded.status, 201, uploaded.text);
      assert.strictEqual(uploaded.body.sha256, createHash("sha256").update(bytes).digest("hex"));
      assert.include(s3.keys, keyOf(uploaded));
      const path = uploaded.body.downloadUrl;
      const whole = await fetchBytes(two, path);
      assert.isTrue(whole.bytes.equals(bytes));
      const range = await fetchBytes(two, path, { range: "bytes=1048570-1048580" });
      assert.strictEqual(range.response.status, 206);
      assert.isTrue(range.bytes.equals(bytes.subarray(1_048_570, 1_048_581)));
      const before = s3.requests.length;
      const head = await two.call("HEAD", path);
      assert.strictEqual(head.headers.get("content-length"), `${bytes.length}`);
      assert.lengthOf(s3.requests, before);
      const removed = await two.call("DELETE", `/api/projects/attachments/${uploaded.body.id}`);
      assert.strictEqual(removed.status, 204);
      assert.notInclude(s3.keys, keyOf(uploaded));
      assert.strictEqual((await one.call("GET", path)).status, 404);
    });

    it("while the bucket refuses requests, uploads and downloads are 503, and deletions are not lost", async () => {
      const kept = await attach(one, new Uint8Array(10));
      const gone = await attach(one, new Uint8Array(10));
      const faults: ReadonlyArray<Exclude<Fault, string>> = [
        { status: 500, code: "InternalError" },
        { status: 503, code: "SlowDown" },
        { status: 403, code: "AccessDenied" },
        { status: 404, code: "NoSuchBucket" },
      ];
      for (const fault of faults) {
        s3.fault = fault;
        const answers = await Promise.all([
          attach(one, new Uint8Array(3 * mebibyte)),
          one.call("GET", kept.body.downloadUrl),
        ]);
        for (const { body, headers, status, text } of answers) {
          assert.strictEqual(status, 503, text);
          assert.match(body.type, /unavailable$/u);
          assert.isAtLeast(Number(headers.get("retry-after")), 1);
        }
      }
      const removed = await one.call("DELETE", `/api/projects/attachments/${gone.body.id}`);
      assert.strictEqual(removed.status, 204);
      // From the end of the fault on, housekeeping removes it at any time.
      assert.include(s3.keys, keyOf(gone));
      s3.fault = null;
      assert.strictEqual((await one.call("GET", kept.body.downloadUrl)).status, 200);
      await one.call("DELETE", `/api/projects/attachments/${kept.body.id}`);
      assert.notInclude(s3.keys, keyOf(gone));
      await one.printed("The test says so (AccessDenied, 403)");
    });

    it("the bytes of a server that is killed before its commit are removed after an hour", async () => {
      const { server } = await Node.serve(env);
      server.url = (await server.welcome()).url;
      server.key = one.key;
      const before = new Set(s3.keys);
      s3.next.push("lost");
      const upload = attach(server, new Uint8Array(10)).catch(() => undefined);
      const orphans = () => s3.keys.filter((key) => !before.has(key));
      await s3.signal.until(() => orphans().length === 1);
      await server.kill();
      await upload;
      const other = await attach(one, new Uint8Array(10));
      await two.call("DELETE", `/api/projects/attachments/${other.body.id}`);
      assert.lengthOf(orphans(), 1);
      await execute("UPDATE discarded_attachments SET not_before = not_before - interval '1 hour'");
      const another = await attach(one, new Uint8Array(10));
      await two.call("DELETE", `/api/projects/attachments/${another.body.id}`);
      assert.lengthOf(orphans(), 0);
    });

    it("a backup has the bytes of the bucket, and a restored service serves them", async () => {
      const bytes = new Uint8Array(mebibyte + 7).fill(9);
      const { body } = await attach(one, bytes);
      const folder = await temporaryFolder();
      const file = join(folder, "file.backup");
      const backup = await Program.run(["backup", file], { env });
      assert.strictEqual(backup.code, 0, backup.stderr);
      const target = {
        ...env,
        QM_DATABASE_SCHEMA: `${env["QM_DATABASE_SCHEMA"]}_restored`,
        QM_DATA_DIR: join(folder, "node"),
      };
      const restore = await Program.run(["restore", file], { env: target });
      assert.strictEqual(restore.code, 0, restore.stderr);
      const { server } = await Node.serve({ ...target, QM_ATTACHMENTS: "s3://files/restored" });
      server.url = (await server.welcome()).url;
      server.key = one.key;
      assert.isTrue((await fetchBytes(server, body.downloadUrl)).bytes.equals(bytes));
    });

    it("doctor writes, reads and deletes an object, and names what is missing", async () => {
      const variables = { ...env, QM_DATA_DIR: await temporaryFolder() };
      const before = s3.keys.length;
      const well = await Program.run(["doctor"], { env: variables });
      assert.strictEqual(well.code, 0, well.stdout + well.stderr);
      assert.lengthOf(s3.keys, before);
      const QM_ATTACHMENTS = "s3://missing/house";
      const gone = await Program.run(["doctor"], { env: { ...variables, QM_ATTACHMENTS } });
      assert.strictEqual(gone.code, 2);
      assert.match(
        gone.stdout,
        /The bucket s3:\/\/missing\/house cannot be used \(write, which needs s3:PutObject\): .*NoSuchBucket/u,
      );
      assert.match(
        gone.stdout,
        /aws --endpoint-url http:\S+ s3 cp - s3:\/\/missing\/house\/probe/u,
      );
      s3.next.push(
        null,
        { status: 403, code: "AccessDenied" },
        { status: 403, code: "AccessDenied" },
      );
      const blind = await Program.run(["doctor"], { env: variables });
      assert.match(blind.stdout, /read, which needs s3:GetObject/u);
      assert.match(blind.stdout, /delete, which needs s3:DeleteObject/u);
    });

    it("a server without the package does not start, and says what to install", async () => {
      // The program as it is packed: no package is near it.
      const folder = join(await temporaryFolder(), "quartermaster");
      await mkdir(folder);
      const from = join(dirname(fileURLToPath(import.meta.url)), "../../../server");
      for (const name of ["bin", "program", "package.json"]) {
        await cp(join(from, name), join(folder, name), { recursive: true });
      }
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(folder, "bin/quartermaster.js"), "serve"],
        {
          env: { ...env, QM_DATA_DIR: join(folder, "data"), QM_PORT: "0" },
          encoding: "utf8",
          timeout: 30_000,
        },
      );
      assert.strictEqual(status, 1);
      assert.match(stderr, /need the package @aws-sdk\/client-s3, which is not installed/u);
      assert.match(stderr, /npm install @aws-sdk\/client-s3/u);
    });

    it.runIf(isLong)(
      "[long] a bucket that does not respond makes requests 503 within 25 seconds",
      async () => {
        const { body } = await attach(one, new Uint8Array(10));
        s3.fault = "silent";
        const timed = async (answer: ReturnType<typeof attach>) => {
          const started = performance.now();
          const { status, text } = await answer;
          assert.strictEqual(status, 503, text);
          assert.isBelow(performance.now() - started, 25_000);
        };
        await Promise.all([
          timed(attach(one, new Uint8Array(10))),
          timed(attach(one, new Uint8Array(5 * mebibyte))),
          timed(one.call("GET", body.downloadUrl)),
        ]);
        s3.fault = null;
        assert.strictEqual((await one.call("GET", body.downloadUrl)).status, 200);
      },
    );

    it.runIf(isLong && process.platform === "linux")(
      "[long] a file of 100 MiB goes through a server with little memory",
      async () => {
        const before = await memoryOf(one, "VmRSS");
        const bytes = new Uint8Array(100 * mebibyte).fill(7);
        const answers = await Promise.all([attach(one, bytes), attach(one, bytes)]);
        for (const { body, status, text } of answers) {
          assert.strictEqual(status, 201, text);
          const read = await fetchBytes(one, body.downloadUrl);
          assert.isTrue(read.bytes.equals(bytes));
        }
        const peak = await memoryOf(one, "VmHWM");
        assert.isBelow(peak - before, 100, `${before} MiB before, ${peak} MiB at most`);
      },
    );
  });
});
