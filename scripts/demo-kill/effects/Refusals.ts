import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../calls/Roads.ts";
import type { Stage } from "../calls/Stage.ts";
import type { Book } from "./Book.ts";
import type { IssueEvidence } from "./Judge.ts";
import * as Payments from "./Payments.ts";

/** The longest time until each issue is picked up again, in milliseconds: a killed node holds it for 30 s. */
const limitMillis = 40_000;

interface Lost {
  readonly callId: string;
  readonly step: Payments.Step;
}

/** Picks the issues with unknown effects up, and repeats their calls. Returns the refused ones. */
export const prove = async (stage: Stage, book: Book, issues: ReadonlyArray<IssueEvidence>) => {
  const refused = new Set<string>();
  const left = new Map<string, ReadonlyArray<Lost>>();
  for (const { effects, id, steps } of issues) {
    const lost = effects.flatMap(({ callId, server, state }) => {
      // An issue has one step for each server, or two equal ones.
      // A call of a killed node is in flight until it is lost; its issue is then picked up.
      const isLost = state === "unknown" || state === "sent";
      const step = isLost && steps.find((step) => step.server === server);
      return step ? [{ callId, step }] : [];
    });
    if (lost.length > 0) left.set(id, lost);
  }
  const until = performance.now() + limitMillis;
  while (left.size > 0 && performance.now() < until) {
    for (const { id } of book.paused())
      await stage.ask("POST", `/api/projects/issues/${id}/resume`);
    for (const id of left.keys()) {
      await stage.ask("PUT", `/api/projects/issues/${id}`, { notBefore: null });
    }
    for (const { agentId, key } of stage.keys) {
      const agent = `/api/agents/${agentId}`;
      const as = (path: string, body: object, headers = {}) =>
        send(stage.one.url, key, "POST", `${agent}${path}`, body, headers);
      const { body } = await as("/heartbeat", { capacity: 50, leaseSeconds: 60 });
      for (const { issue, runId } of body?.started ?? []) {
        const lost = left.get(issue.id);
        left.delete(issue.id);
        for (const { callId, step } of lost ?? []) {
          const args = { issue: issue.id, step: step.step };
          const call = { name: `${step.server}__pay`, arguments: args, runId };
          const name = Payments.nameOf(step);
          const headers = name === undefined ? {} : { "idempotency-key": name };
          const reply = await as("/tools/call", call, headers);
          if (reply.body?.reason === "effectUnknown") refused.add(callId);
        }
      }
    }
    await sleep(200);
  }
  return refused;
};
