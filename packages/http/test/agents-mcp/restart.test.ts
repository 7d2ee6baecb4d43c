import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import * as RealServers from "../../../server/test/RealServers.ts";
import * as Agent from "../support/Agent.ts";
import { assertRejects } from "../support/Assert.ts";
import * as Bridge from "../support/Bridge.ts";
import { freePort } from "../support/freePort.ts";

const { serviceTools } = Agent;

/** A server that can be killed and restarted at the same URL, and the bridge of an agent. */
const start = async (era: Agent.Era) => {
  const folder = await temporaryFolder();
  const catalog = await RealServers.writeCatalog(folder);
  const port = await freePort();
  const env = { QM_PORT: String(port), QM_CATALOG: catalog };
  const serve = () => Quartermaster.start(join(folder, "data"), env);
  let server = await serve();
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, path, { body });
    assert.isBelow(answer.status, 300, answer.text);
    return answer.body;
  };
  const { key } = await api("POST", "/api/keys", { name: "b", role: "Editor", agentId: "bot" });
  const host = await Bridge.connect({ QM_URL: server.url, QM_KEY: key }, era);
  return {
    ...host,
    api,
    port,
    /** Installs a server that is on this machine. Returns its path. */
    install: async () => {
      const { id } = await api("POST", "/api/mcp/installed", {
        catalogId: "everything",
        envValues: { CANARY: "none" },
      });
      const path = `/api/mcp/installed/${id}`;
      await api("POST", `${path}/verify`);
      await api("POST", `${path}/enable`);
      return path;
    },
    grant: (path: string, granted = true) =>
      api("PUT", `${path}/access`, { entries: [{ agentId: "bot", granted }] }),
    create: (title: string) =>
      host.client.callTool({ name: "issue_create", arguments: { projectId: "demo", title } }),
    titles: async () =>
      (await api("GET", "/api/projects/demo/issues")).map(({ title }: { title: string }) => title),
    signal: (name: NodeJS.Signals) => server.child.kill(name),
    kill: () => server.kill(),
    startAgain: async () => {
      server = await serve();
    },
  };
};

/**
 * Whether this port has unread bytes. No system reports that. Systems other than Linux do not list
 * them: waits for 1 s instead.
 */
const isUnread = async (port: number) => {
  if (process.platform !== "linux")
    return new Promise((resolve) => setTimeout(resolve, 1000, true));
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return (await readFile("/proc/net/tcp", "utf8"))
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .some(([, at, , , queues]) => at?.endsWith(local) && !queues?.endsWith(":00000000"));
};

const lost = { code: -32_000, message: /was lost before the server responded/ };

for (const era of Agent.eras) {
  describe(`quartermaster mcp and a server that is killed ${era}`, { timeout: 60_000 }, () => {
    it("[agents.bridge.restart] [agents.bridge.once] a call that was sent fails, and an unsent call waits", async () => {
      const world = await start(era);
      const path = await world.install();
      await world.grant(path);
      const name = "everything__trigger-long-running-operation";
      assert.include(await world.names(), name);
      assert.isFalse((await world.create("before")).isError ?? false);

      const { promise: begun, resolve: onprogress } = Promise.withResolvers<unknown>();
      const underWay = world.client.callTool(
        { name, arguments: { duration: 30, steps: 300 } },
        { onprogress },
      );
      await begun;
      world.signal("SIGSTOP");
      const unread = world.create("unread");
      const sent = Promise.all([assertRejects(underWay, lost), assertRejects(unread, lost)]);
      await vi.waitFor(async () => assert.isTrue(await isUnread(world.port)), { timeout: 15_000 });
      await world.kill();
      const duringRestart = world.create("during");
      await world.logged("cannot be reached; retrying.");
      const told = world.changes();
      await world.startAgain();

      assert.isFalse((await duringRestart).isError ?? false);
      await sent;
      assert.deepStrictEqual(await world.titles(), ["during", "before"]);
      assert.notInclude(world.stderr(), "A new one was started");
      // The restart may hide changes, so the bridge reports one. Later changes are reported as before.
      await world.changed(told);
      const missed = world.changes();
      assert.include(await world.names(), name);
      await world.grant(path, false);
      await world.changed(missed);
      assert.deepStrictEqual(await world.names(), serviceTools);
      // A repeated call would have failed with the revoked grant, and would be in the record.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const calls = await world.api("GET", "/api/mcp/calls");
      // The call that was sent: the server was killed before it ended.
      assert.deepStrictEqual(
        calls.map(({ outcome }: { readonly outcome: string | null }) => outcome ?? "lost"),
        ["lost"],
      );
    });
  });
}
