import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { assert, describe, it, onTestFinished, vi } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as Program from "./support/Program.ts";

/**
 * The program exits with 1, prints the reason in one line, and logs nothing. It runs in this
 * process, so its logs would go to this process's stdout.
 */
const refuses = async (args: ReadonlyArray<string>, env: Record<string, string>, why: RegExp) => {
  const logs = vi.spyOn(process.stdout, "write");
  onTestFinished(() => logs.mockRestore());
  const { code, stderr, stdout } = await Program.run(args, { env: { QM_PORT: "0", ...env } });
  assert.strictEqual(code, 1);
  assert.match(stderr, why);
  assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr);
  assert.strictEqual(stdout, "");
  assert.deepStrictEqual(logs.mock.calls, []);
};

const refusesToServe = (dataDir: string, why: RegExp, env: Record<string, string> = {}) =>
  refuses(["serve"], { QM_DATA_DIR: dataDir, ...env }, why);

describe("the start", () => {
  it("[server.config] a bad setting stops the start", async () => {
    const server = Quartermaster.serve(await temporaryFolder(), { QM_PORT: "http" });
    assert.deepStrictEqual(await server.exited, { code: 1, signal: null });
    const why = 'QM_PORT must be a port number from 0 to 65535, not "http".\n';
    assert.deepStrictEqual([server.stdout, server.stderr], ["", why]);
  });

  it("[server.port] a port in use stops the start", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const why = new RegExp(`Port ${port} of 127.0.0.1 is in use`);
    await refusesToServe(await temporaryFolder(), why, { QM_PORT: port });
  });

  it("[server.data-dir] a data directory that cannot be written stops the start", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    await refusesToServe(
      join(folder, "file"),
      /data directory .* \(a part of the path is a file\): .* QM_DATA_DIR/,
    );
    await refusesToServe(
      "/proc/quartermaster/data",
      /data directory .* \(the file system does not allow files there\): .* QM_DATA_DIR/,
    );
  });

  it("[server.database] a file that is not a database stops the start", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "quartermaster.db"), "x".repeat(10_000));
    await refusesToServe(folder, /quartermaster\.db: The file is not a database. Restore/);
  });

  it("[rotate.no-data] a directory without a database stops a rotation", async () => {
    const dataDir = join(await temporaryFolder(), "mistyped");
    await refuses(
      ["rotate-key"],
      { QM_DATA_DIR: dataDir },
      /There is no database in .*mistyped: name .* QM_DATA_DIR/,
    );
    assert.isFalse(existsSync(dataDir));
  });

  it("[server.tls.missing] missing TLS files stop the start", async () => {
    const folder = await temporaryFolder();
    const env = { QM_TLS_CERT: join(folder, "cert.pem"), QM_TLS_KEY: join(folder, "key.pem") };
    await refusesToServe(join(folder, "data"), /QM_TLS_CERT must name a PEM/, env);
  });

  it("[server.secret-key] a damaged file of master keys stops the start", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "secret-key"), "");
    await refusesToServe(folder, /secret-key must hold 32 bytes in base64/);
  });
});

describe("the data directory", () => {
  it("[server.race] two simultaneous first starts agree on the keys", async () => {
    const folder = join(await temporaryFolder(), "data");
    const both = [Quartermaster.serve(folder), Quartermaster.serve(folder)];
    const owner = new Set(await Promise.all(both.map((server) => server.ownerKey())));
    assert.lengthOf([...owner], 1);
    for (const server of both) assert.strictEqual((await server.fetch("/api/keys")).status, 200);
    const keys = (await (await both[0]!.fetch("/api/keys")).json()) as ReadonlyArray<unknown>;
    assert.lengthOf(keys, 1);
  });

  it("[server.leftovers] a start cleans up the directory, closes it to other users, and retains its keys", async () => {
    const folder = join(await temporaryFolder(), "data");
    await mkdir(folder);
    await chmod(folder, 0o755);
    const leftover = join(folder, "owner-key.01JD8Q7ZC6W3J0Z1T9Y4M2K5XA.tmp");
    await writeFile(leftover, "qm_");
    const first = Quartermaster.serve(folder);
    const key = await first.ownerKey();
    const secret = await readFile(join(folder, "secret-key"), "utf8");
    await readFile(leftover).then(
      () => assert.fail("the leftover is there"),
      () => {},
    );
    first.child.kill("SIGTERM");
    await first.exited;
    const second = Quartermaster.serve(folder);
    assert.strictEqual(await second.ownerKey(), key);
    assert.strictEqual(await readFile(join(folder, "secret-key"), "utf8"), secret);
  });
});
