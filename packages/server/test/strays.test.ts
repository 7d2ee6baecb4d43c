import { readFileSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, it, vi } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

const script = fileURLToPath(new URL("../../mcp/test/support/fixture.mjs", import.meta.url));

/**
 * A server that leaves two processes behind when it starts: one left the group, the other also its
 * parent.
 */
const entry = (log: string) => ({
  id: "leaver",
  name: "Leaver",
  description: "Leaves processes.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None.",
  manifest: { command: process.execPath, args: [script, "leaves"], env: { FIXTURE_LOG: log } },
});

const isAlive = (pid: string): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

it.skipIf(process.platform !== "linux")(
  "[processes.left.program] nothing survives an uninstall during a verify, a disable, SIGTERM, or SIGKILL with a restart",
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, "data");
    const log = join(folder, "log");
    const catalog = join(folder, "catalog.json");
    await writeFile(catalog, JSON.stringify([entry(log)]));
    const start = () => Quartermaster.start(dataDir, { QM_CATALOG: catalog });
    let server = await start();
    const install = async () => {
      const { body } = await server.call("POST", "/api/mcp/installed", {
        body: { catalogId: "leaver" },
      });
      return `/api/mcp/installed/${body.id}`;
    };
    /** The processes that the server has left so far. */
    const left = () =>
      readdirSync(folder).includes("log")
        ? [...readFileSync(log, "utf8").matchAll(/^grandchild (\d+)$/gm)].map(([, pid = ""]) => pid)
        : [];
    let seen = 0;
    /** Waits for the next two. No event reports a process of another program. */
    const leaves = async () => {
      await vi.waitFor(() => assert.lengthOf(left(), seen + 2), { timeout: 30_000 });
      seen += 2;
    };
    const assertGone = () => assert.deepStrictEqual(left().filter(isAlive), []);

    const uninstalled = await install();
    const verified = server.call("POST", `${uninstalled}/verify`);
    await leaves();
    await server.call("DELETE", uninstalled);
    assertGone();
    await verified;

    const path = await install();
    await server.call("POST", `${path}/enable`);
    await leaves();
    await server.call("POST", `${path}/disable`);
    assertGone();

    await server.call("POST", `${path}/enable`);
    await leaves();
    await server.kill("SIGTERM");
    assertGone();

    server = await start();
    await server.call("POST", `${path}/disable`);
    await server.call("POST", `${path}/enable`);
    await leaves();
    await server.kill("SIGKILL");
    assert.lengthOf(left().filter(isAlive), 2);
    server = await start();
    assertGone();
  },
);
