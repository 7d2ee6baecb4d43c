// A process with several seats: `node worker.ts`. Each seat picks an issue up, makes its payments in their order, and
// hands it in. At random it loses its lease, takes its own run over, and hands in as failed what it has done.
import { setTimeout as sleep } from "node:timers/promises";
import { mcp, type Seat, send } from "../calls/Roads.ts";
import { seeded } from "../Random.ts";
import * as Agent from "./Agent.ts";
import { numberOf, stepsOf } from "./Payments.ts";

interface Settings {
  readonly urls: ReadonlyArray<string>;
  readonly seats: ReadonlyArray<Seat>;
  readonly seed: number;
}

const { seats, seed, urls } = JSON.parse(process.env["DEMO_CALLS"] ?? "{}") as Settings;

/** The seconds of a lease, the shortest that there is. */
const leaseSeconds = 5;
const stallMillis = 5_500;

const work = async (seat: Seat, number: number) => {
  const random = seeded(seed + number * 7_919);
  const node = () => random.pick(urls) ?? "";
  const { chance, pay } = Agent.make(seat, node, random);
  const rest = (path: string, body: object) =>
    send(node(), seat.key, "POST", `/api/agents/${seat.agentId}${path}`, body);

  const turn = async (args: { readonly runId: string; readonly takeOver?: boolean }) => {
    const params = { name: "work_turn", arguments: args };
    const headers = { "quartermaster-worker": seat.worker };
    const { body } = await mcp(node(), seat.key, "tools/call", params, headers);
    const text = String(body?.result?.content?.[0]?.text ?? "");
    return text.startsWith("{") ? JSON.parse(text) : null;
  };

  /** Takes the run over, as a process does that was restarted. Returns the new run, or the run if that fails. */
  const takeOver = async (runId: string): Promise<string> => {
    await turn({ runId });
    return (await turn({ runId, takeOver: true }))?.runId ?? runId;
  };

  /** Makes the payments of an issue. */
  const payAll = async (run: Agent.Run, title: string): Promise<Agent.End> => {
    const receipts = new Set<string>();
    for (const step of stepsOf(numberOf(title))) {
      if (chance(1)) await sleep(stallMillis);
      const end = await pay(run, step, receipts);
      if (end.kind !== "paid") return end;
      if (end.receipt !== null) receipts.add(end.receipt);
    }
    return { kind: "paid", receipt: null };
  };

  for (;;) {
    const beat = await rest("/heartbeat", { capacity: 1, leaseSeconds });
    const started = beat.body?.started?.[0];
    if (started === undefined) {
      await sleep(200 + random.below(300));
      continue;
    }
    const { id: issue, title } = started.issue;
    let id: string = started.runId;
    if (chance(5)) id = await takeOver(id);
    const end = await payAll({ id, issue }, title);
    const finish = (body: object) => rest(`/runs/${id}/finish`, body);
    if (end.kind === "paid") {
      const outcome = random.pick(["resolved", "resolved", "resolved", "review", "failed"]);
      await finish({ outcome });
    } else if (end.kind === "later") {
      await finish({ outcome: "released", retryAfterSeconds: end.seconds });
    } else if (chance(70)) {
      await finish({ outcome: "released" });
    }
    await rest(`/runs/${id}/turn`, {});
  }
};

await Promise.all(seats.map(work));
