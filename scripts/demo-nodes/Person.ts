import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@quartermaster/client";
import type { Random } from "../demo-kill/Random.ts";
import * as Work from "../demo-kill/Work.ts";

/** A person who pauses issues in work at random, resumes them, and clears the delays of failed ones. */

/** Carries out a request that may be refused, or find no node. */
const attempt = async (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => true,
    () => false,
  );

const inWork = async (client: Client): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = [];
  const { projectId } = Work;
  try {
    for await (const { id } of client.issues.list({ projectId, status: "InProgress" }))
      ids.push(id);
  } catch {
    // The next round tries again.
  }
  return ids;
};

/** Pauses until `calm`, because an issue that is paused again and again is never done, and clears delays until `over`. */
export const steer = async (
  client: Client,
  random: Random,
  { calm, over }: { readonly calm: AbortSignal; readonly over: AbortSignal },
) => {
  const counts = { paused: 0, cleared: 0 };
  for (let round = 0; !over.aborted; round += 1) {
    await sleep(500);
    if (round % 4 === 0) counts.cleared += await Work.clearDelays(client);
    const issueId = calm.aborted ? undefined : random.pick(await inWork(client));
    // The issue may be done by now.
    if (issueId === undefined || !(await attempt(client.issues.pause({ issueId })))) continue;
    counts.paused += 1;
    await sleep(random.below(500));
    while (!(await attempt(client.issues.resume({ issueId })))) await sleep(200);
  }
  return counts;
};
