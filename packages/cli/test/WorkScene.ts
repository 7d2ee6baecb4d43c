import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

export type Issue = { readonly id: string } & Record<string, unknown>;

/** A world, a home directory, and a command that reads its behavior from the title of the issue. */
export const scene = async () => {
  const [world, user] = await Promise.all([World.forTest(), home()]);
  const script = join(user.folder, "command");
  const write = async (body: string) => {
    await writeFile(script, `#!/bin/sh\n${body}\n`);
    await chmod(script, 0o755);
    return script;
  };
  const env = { QM_URL: world.url, QM_KEY: world.agent.key, QM_ADMIN_KEY: "not for the command" };
  return {
    ...world,
    ...user,
    write,
    env,
    assigned: (title: string) => world.issue({ title, assignedAgentId: "bot" }),
    get: async ({ id }: Issue) =>
      (await world.call("GET", `/api/projects/issues/${id}`)).body as Issue,
    comments: async ({ id }: Issue): Promise<ReadonlyArray<string>> =>
      (await world.call("GET", `/api/projects/issues/${id}/comments`)).body.map(
        ({ content }: { readonly content: string }) => content,
      ),
    runs: async (): Promise<ReadonlyArray<Record<string, unknown>>> =>
      (await world.call("GET", "/api/agents/bot/runs?order=asc")).body,
  };
};

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/**
 * True if the process has exited. A zombie counts as dead: its parent may not be there to collect
 * it.
 */
export const isDead = async (file: string) => {
  const pid = Number(await readFile(file, "utf8"));
  if (!alive(pid)) return true;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "State:\tZ");
  return /^State:\t[ZX]/m.test(status);
};
