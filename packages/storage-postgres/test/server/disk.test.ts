import { execFileSync, spawnSync } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, inject, it, onTestFinished, type TestContext, vi } from "@effect/vitest";
import { Cluster, otherUser } from "../support/Cluster.ts";
import * as Load from "../support/Load.ts";
import * as Node from "../support/Node.ts";

vi.setConfig({ testTimeout: 180_000 });

const isLong = process.env["QM_LONG"] === "1";

/** A disk of 192 MB; undefined where this process may not mount one. */
const mount = async (): Promise<string | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "quartermaster-disk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  try {
    const type = ["-t", "tmpfs", "-o", "size=192m,mode=777", "quartermaster-test"];
    execFileSync("mount", [...type, folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
};

/** Writes until there is no room left. */
const fill = (folder: string) =>
  spawnSync("dd", ["if=/dev/zero", `of=${join(folder, "filler")}`, "bs=8k"]);

const withDisk = (tests: (disk: string) => Promise<void>) => async (context: TestContext) => {
  const disk = await mount();
  if (disk === undefined) return context.skip("only root may mount a disk");
  await tests(disk);
};

const start = async (cluster: Cluster) => {
  const env = Node.variables(cluster.url);
  const nodes = await Node.startAll(2, env);
  return { env, servers: nodes.map(({ server }) => server) };
};

describe.skipIf(inject("postgres") === "" || !isLong)("[long] a full disk of the database", () => {
  it(
    "a log without room makes requests 503 until there is room, and no acknowledged write is lost",
    withDisk(async (disk) => {
      const settings = ["wal_recycle=off"];
      const cluster = await Cluster.start(settings, disk);
      onTestFinished(() => cluster.remove());
      const { servers } = await start(cluster);
      await Load.survives(servers, async () => {
        await Load.sleep(1_000);
        fill(disk);
        // The next file of the log does not fit: PostgreSQL crashes, and cannot recover.
        await Load.query(cluster.url, "SELECT pg_switch_wal()").catch(() => undefined);
        await Load.untilReady(servers, 503);
        await cluster.exited();
        await rm(join(disk, "filler"));
        await cluster.run(settings);
        await Load.untilReady(servers, 200);
      });
    }),
  );

  it(
    "writes whose rows do not fit are 503 until there is room, and nothing of them is stored",
    withDisk(async (disk) => {
      const cluster = await Cluster.start();
      onTestFinished(() => cluster.remove());
      if (otherUser.uid !== undefined) await chown(disk, otherUser.uid, otherUser.gid);
      await Load.query(cluster.url, `CREATE TABLESPACE small LOCATION '${disk}'`);
      await Load.query(cluster.url, "ALTER ROLE postgres SET default_tablespace = small");
      const { env, servers } = await start(cluster);
      const { unavailable } = await Load.survives(servers, async () => {
        await Load.sleep(1_000);
        fill(disk);
        for (const server of servers) {
          const { body, status } = await server.call("GET", "/api/projects/p/issues?limit=1");
          assert.strictEqual(status, 200);
          const raw = new FormData();
          raw.set("file", new Blob([Buffer.alloc(1_000_000)]), "file.bin");
          const path = `/api/projects/issues/${body[0].id}/attachments`;
          const { status: uploaded, text } = await server.call("POST", path, { raw });
          assert.strictEqual(uploaded, 503, text);
        }
        await Load.sleep(2_000);
        await rm(join(disk, "filler"));
        await Load.untilReady(servers, 200);
      });
      assert.isAbove(unavailable, 0);
      const schema = env["QM_DATABASE_SCHEMA"];
      const text = `SELECT count(*)::int AS count FROM "${schema}".attachment_bytes`;
      assert.deepStrictEqual(await Load.query(cluster.url, text), [{ count: 0 }]);
    }),
  );
});
