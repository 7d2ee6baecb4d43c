import { mkdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hasBrowser } from "../../packages/dashboard/test/support/Chromium.ts";
import { ask } from "../api.ts";
import * as Page from "../dashboard/scene.ts";
import * as Processes from "../processes.ts";
import { behaviors, type Scene } from "./scene.ts";

/** The loops beside the requests of a soak: streams, runners, calls of tools, kills, and a page. */

const runners = 4;
const streams = 20;
const agentId = (number: number) => `soak-${number}`;

/** Repeats an action with a pause. A failed request of a loop is part of the soak. */
const repeated = async (signal: AbortSignal, millis: number, action: () => Promise<unknown>) => {
  while (!signal.aborted) {
    await action().catch(() => {});
    await sleep(millis, undefined, { signal }).catch(() => {});
  }
};

/** Clients of the event stream, each of which reconnects after half a minute to a minute. */
const listening = (scene: Scene, signal: AbortSignal) => {
  const { key, port } = scene.server;
  const read = async (number: number) => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(30_000 + number * 1_500)]);
    const url = `http://127.0.0.1:${port}/api/events`;
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await fetch(url, { headers, signal: patience });
    for await (const _ of body ?? []) if (signal.aborted) return;
  };
  return Array.from({ length: streams }, (_, number) => repeated(signal, 100, () => read(number)));
};

/** Runners, one of which is killed with SIGKILL every 20 seconds, and issues for them. */
const working = async (scene: Scene, signal: AbortSignal, counts: Counts) => {
  const { server } = scene;
  // Commands keep their compiled code here: it would count as files of the server.
  const home = Processes.path("home");
  mkdirSync(home, { recursive: true });
  const seats = await Promise.all(
    Array.from({ length: runners }, async (_, number) => {
      const named = { name: agentId(number), role: "Editor", agentId: agentId(number) };
      const { answer } = await ask<{ readonly key: string }>(server, "POST", "/api/keys", named);
      return { key: answer.key, child: null as ReturnType<typeof Processes.program> | null };
    }),
  );
  const keepRunning = seats.map((seat) =>
    repeated(signal, 500, async () => {
      const args = [
        "work",
        "--lease",
        "15s",
        "--on-success",
        "resolved",
        "--",
        "sh",
        "-c",
        "sleep 1",
      ];
      const env = {
        QM_URL: `http://127.0.0.1:${server.port}`,
        QM_KEY: seat.key,
        HOME: home,
      };
      seat.child = Processes.program(args, env);
      await new Promise((resolve) => seat.child?.once("exit", resolve));
    }),
  );
  const issues = repeated(signal, 1_000, async () => {
    const assigned = { title: "Sleep", assignedAgentId: agentId(counts.issues % runners) };
    await ask(server, "POST", "/api/projects/soak/issues", assigned);
    counts.issues += 1;
  });
  const kills = repeated(signal, 20_000, async () => {
    if (seats[counts.runnersKilled % runners]?.child?.kill("SIGKILL") === true) {
      counts.runnersKilled += 1;
    }
  });
  signal.addEventListener("abort", () => {
    for (const { child } of seats) child?.kill("SIGTERM");
  });
  return [...keepRunning, issues, kills];
};

/** Calls of good and bad servers, whose processes are killed now and then. */
const calling = async (scene: Scene, signal: AbortSignal, counts: Counts) => {
  const { server } = scene;
  const agent = agentId(0);
  const servers: Array<string> = [];
  for (const catalogId of Object.keys(behaviors)) {
    const install = { catalogId, name: catalogId };
    const installed = await ask<{ readonly id: string }>(
      server,
      "POST",
      "/api/mcp/installed",
      install,
    );
    const { id } = installed.answer;
    await ask(server, "POST", `/api/mcp/installed/${id}/verify`).catch(() => {});
    await ask(server, "POST", `/api/mcp/installed/${id}/enable`).catch(() => {});
    const entries = [{ agentId: agent, granted: true }];
    await ask(server, "PUT", `/api/mcp/installed/${id}/access`, { entries });
    servers.push(catalogId);
  }
  const path = `/api/agents/${agent}/tools/call`;
  const calls = servers.map((name) =>
    repeated(signal, 500, async () => {
      counts.calls += 1;
      const patience = AbortSignal.any([signal, AbortSignal.timeout(20_000)]);
      await ask(
        server,
        "POST",
        path,
        { name: `${name}__echo`, arguments: {} },
        { signal: patience },
      );
    }),
  );
  const kills = repeated(signal, 15_000, async () => {
    const [first] = childrenOf(server.pid);
    if (first === undefined) return;
    process.kill(first, "SIGKILL");
    counts.serversKilled += 1;
  });
  return [...calls, kills];
};

/** The processes of MCP servers, by the oldest. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

export interface Counts {
  issues: number;
  calls: number;
  runnersKilled: number;
  serversKilled: number;
}

/** Starts everything beside the requests. `end` stops it. */
export const start = async (scene: Scene) => {
  const counts: Counts = { issues: 0, calls: 0, runnersKilled: 0, serversKilled: 0 };
  const over = new AbortController();
  const { signal } = over;
  const loops = [
    ...listening(scene, signal),
    ...(await working(scene, signal, counts)),
    ...(await calling(scene, signal, counts)),
  ];
  const page = hasBrowser ? await Page.open(scene.server, "/") : null;
  return {
    counts: counts as Readonly<Counts>,
    hasPage: hasBrowser,
    end: async () => {
      over.abort();
      await page?.close();
      await Promise.all(loops);
    },
  };
};
