import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../Random.ts";
import { send } from "./Roads.ts";
import type { Watch } from "./Watch.ts";

/** A person who creates issues, and stops runs in every way at random. */

export interface Scene {
  readonly urls: ReadonlyArray<string>;
  readonly key: string;
  readonly agentIds: ReadonlyArray<string>;
  readonly watch: Pick<Watch, "held" | "open" | "paused">;
  readonly random: Random;
  /** Waits between two acts. */
  readonly pace: () => Promise<unknown>;
  /** The number of issues that wait to be picked up. With 0, no issue is created and none ends. */
  readonly waiting: number;
}

export const projectId = "calls";
const acts = [
  "pause",
  "pause",
  "reassign",
  "delete",
  "close",
  "agent",
  "project",
  "resume",
] as const;
const harmless = acts.filter((kind) => kind !== "delete" && kind !== "close");
export type Acts = Record<(typeof acts)[number], number>;

export const rage = async (
  { agentIds, key, pace, random, urls, waiting, watch }: Scene,
  signal: AbortSignal,
): Promise<Acts> => {
  const counts: Acts = {
    pause: 0,
    reassign: 0,
    delete: 0,
    close: 0,
    agent: 0,
    project: 0,
    resume: 0,
  };
  const ask = (method: string, path: string, body?: object) =>
    send(random.pick(urls) ?? "", key, method, path, body);
  const at = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;

  const create = async () => {
    const assignedAgentId = random.pick(agentIds);
    await ask("POST", `/api/projects/${projectId}/issues`, { title: "Pay", assignedAgentId });
  };

  /** Pauses an agent or the project for a moment. The server may be away at either end. */
  const moment = async (path: string) => {
    const { status } = await ask("PUT", path, { paused: true });
    do await sleep(150);
    while ((await ask("PUT", path, { paused: false })).status !== 200);
    return status;
  };

  const act = (kind: (typeof acts)[number]) => {
    const issueId = random.pick(watch.held())?.id;
    if (kind === "agent") return moment(`/api/agents/${random.pick(agentIds)}`);
    if (kind === "project") return random.below(6) === 0 ? moment(`/api/projects/${projectId}`) : 0;
    if (kind === "resume") {
      const id = random.pick(watch.paused())?.id;
      return id === undefined ? 0 : ask("POST", at(id, "/resume"));
    }
    if (issueId === undefined) return 0;
    if (kind === "pause") return ask("POST", at(issueId, "/pause"));
    if (kind === "delete") return ask("DELETE", at(issueId, "?confirm=true"));
    if (kind === "close") return ask("POST", at(issueId, "/close"));
    return ask("PUT", at(issueId), { assignedAgentId: random.pick(agentIds) });
  };

  while (!signal.aborted) {
    while (watch.open() < waiting && !signal.aborted) await create();
    const kind = random.pick(waiting === 0 ? harmless : acts) ?? "pause";
    const done = await act(kind);
    const status = typeof done === "number" ? done : done.status;
    if (status >= 200 && status < 300) counts[kind] += 1;
    await pace();
  }
  return counts;
};
