import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as RealServers from "./RealServers.ts";
import * as Program from "./support/Program.ts";

const canary = "canary-77ab/rotated";

const newKey = () => randomBytes(32).toString("base64");

/** Returns functions that act on one data directory. */
const scene = async (env: Record<string, string> = {}) => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, "data");
  const all = { QM_CATALOG: await RealServers.writeCatalog(folder), ...env };
  const keyFile = join(dataDir, "secret-key");
  return {
    keys: async () => (await readFile(keyFile, "utf8")).trim().split(","),
    writeKeys: (keys: ReadonlyArray<string>) => writeFile(keyFile, keys.join(",")),
    serve: (more: Record<string, string> = {}) => Quartermaster.serve(dataDir, { ...all, ...more }),
    start: (more: Record<string, string> = {}) =>
      new Quartermaster(["rotate-key"], { QM_DATA_DIR: dataDir, ...all, ...more }),
    /** Runs the rotation in this process until it finishes. */
    rotate: (more: Record<string, string> = {}) =>
      Program.run(["rotate-key"], { env: { QM_DATA_DIR: dataDir, ...all, ...more } }),
  };
};

const json = async (response: Response) => (await response.json()) as Record<string, unknown>;

const install = async (server: Quartermaster, name: string) => {
  const response = await server.fetch("/api/mcp/installed", {
    method: "POST",
    body: JSON.stringify({ catalogId: "vault", name, envValues: { CANARY: canary } }),
  });
  assert.strictEqual(response.status, 201);
  return (await json(response))["id"] as string;
};

/** The result of a verify, which fails if the server cannot decrypt its secret. */
const details = async (server: Quartermaster, id: string) => {
  const response = await server.fetch(`/api/mcp/installed/${id}/verify`, { method: "POST" });
  const { details, status } = await json(response);
  return `${String(status)}: ${String(details)}`;
};

const complaints = (server: Quartermaster) =>
  server.lines.filter(({ message }) => String(message).includes("cannot be decrypted"));

describe("rotate-key", { timeout: 300_000 }, () => {
  it("[rotate.file] a rotation creates a new key while a server runs, which needs no restart", async () => {
    const { keys, serve, start } = await scene();
    const server = serve();
    const id = await install(server, "before");
    const [old = ""] = await keys();
    const rotation = start();
    const { code } = await rotation.exited;
    const { stdout } = rotation;
    assert.strictEqual(code, 0, stdout);
    assert.match(stdout, /1 secret was encrypted again under the key [0-9a-f]{8}\./);
    assert.lengthOf(await keys(), 1);
    assert.notInclude(await keys(), old);
    for (const key of [old, ...(await keys())]) assert.notInclude(stdout, key);
    assert.match(await details(server, id), /^ok/);
    const later = await install(server, "after");
    assert.match(await details(server, later), /^ok/);
    await server.kill("SIGTERM");

    const again = serve();
    assert.match(await details(again, id), /^ok/);
    assert.match(await details(again, later), /^ok/);
    assert.deepStrictEqual(complaints(again), []);
    await again.kill("SIGTERM");
  });

  it("[rotate.killed] a rotation continues an earlier one that was killed at any point", async () => {
    const { keys, rotate, serve, start, writeKeys } = await scene();
    const server = serve();
    const id = await install(server, "one");
    await server.kill("SIGTERM");

    const killed = start();
    killed.child.stdout?.once("data", () => killed.child.kill("SIGKILL"));
    await killed.exited;
    const finished = await rotate();
    assert.strictEqual(finished.code, 0, finished.stderr);
    assert.lengthOf(await keys(), 1);

    // A rotation that stopped after it wrote the file, before it encrypted a secret.
    const [old = ""] = await keys();
    const made = newKey();
    await writeKeys([made, old]);
    const { code, stdout } = await rotate();
    assert.strictEqual(code, 0, stdout);
    assert.match(stdout, /continuing an earlier rotation/);
    assert.match(stdout, /1 secret was/);
    assert.deepStrictEqual(await keys(), [made]);

    // A rotation that stopped before it dropped the old key.
    await writeKeys([made, old]);
    assert.match((await rotate()).stdout, /0 secrets were/);
    assert.deepStrictEqual(await keys(), [made]);

    // Two concurrent rotations agree.
    await Promise.all([rotate(), rotate()]);
    const again = serve();
    assert.match(await details(again, id), /^ok/);
    await again.kill("SIGTERM");
  });

  it("[rotate.env] a rotation encrypts under the first key of QM_SECRET_KEY", async () => {
    const [first, second] = [newKey(), newKey()];
    const { rotate, serve } = await scene({ QM_SECRET_KEY: first });
    const server = serve();
    const id = await install(server, "one");
    await server.kill("SIGTERM");
    const rotated = await rotate({ QM_SECRET_KEY: `${second},${first}` });
    assert.strictEqual(rotated.code, 0, rotated.stderr);
    const again = serve({ QM_SECRET_KEY: second });
    assert.match(await details(again, id), /^ok/);
    await again.kill("SIGTERM");
  });

  it("[rotate.wrong-key] with a wrong key the service starts, reports it, and loses no secret", async () => {
    const [right, wrong] = [newKey(), newKey()];
    const { rotate, serve } = await scene({ QM_SECRET_KEY: right });
    const server = serve();
    const id = await install(server, "locked");
    await server.kill("SIGTERM");

    const rotated = await rotate({ QM_SECRET_KEY: wrong });
    assert.strictEqual(rotated.code, 1);
    assert.include(rotated.stdout, "locked");
    assert.include(rotated.stdout, id);
    assert.include(rotated.stderr, "cannot be decrypted");

    const lost = serve({ QM_SECRET_KEY: wrong });
    await lost.welcome();
    assert.include(complaints(lost)[0], { serverId: id, serverName: "locked" });
    assert.match(await details(lost, id), /^error: .*CANARY.*cannot be decrypted/);
    assert.strictEqual((await lost.fetch("/api/mcp/installed")).status, 200);
    await lost.kill("SIGTERM");

    const again = serve();
    assert.match(await details(again, id), /^ok/);
    assert.deepStrictEqual(complaints(again), []);
    await again.kill("SIGTERM");
  });

  it("[rotate.help] the help describes the rotation and its effect on running servers", async () => {
    const help = await Program.run(["rotate-key", "--help"]);
    assert.strictEqual(help.code, 0);
    assert.match(help.stdout, /needs no restart[^]*restart every server/);
  });
});
