import { mcp, type Reply, type Seat, send } from "../calls/Roads.ts";
import type { Random } from "../Random.ts";
import { nameOf, type Payment, type Step } from "./Payments.ts";

/** An agent that works for a run: it pays, and settles payments whose reply was lost. */

export interface Run {
  readonly id: string;
  readonly issue: string;
}

/**
 * The end of a payment.
 *
 * - `paid`: the result says so, or an agent settled it. `receipt` names the call that paid.
 * - `lost`: the connection to the service broke, or the agent gave up waiting.
 * - `over`: the run may not call tools any more.
 * - `later`: the payment cannot be settled for some seconds.
 */
export type End =
  | { readonly kind: "paid"; readonly receipt: string | null }
  | { readonly kind: "lost" | "over" }
  | { readonly kind: "later"; readonly seconds: number };

/** The longest time in which a payment is repeated within a run. */
const maxRepeats = 12;
/** The time after which an agent looks whether a person has settled a payment, in seconds. */
const personSeconds = 2;

/** The result of a call, or the problem or error in its place, and its text. */
const open = ({ body }: Reply) => {
  const result = body?.result ?? body;
  const problem = result?.structuredContent ?? result;
  const text = String(result?.content?.[0]?.text ?? body?.error?.message ?? body?.detail ?? "");
  const replayed = result?._meta?.["quartermaster/replayed"];
  return { isError: result?.isError === true, problem, replayed, text };
};

/** The meaning of the reply to a payment, the same by REST and over MCP. */
const read = (
  reply: Reply,
):
  | { readonly kind: "again" }
  | { readonly kind: "lost" }
  | { readonly kind: "over" }
  | { readonly kind: "paid"; readonly receipt: string | null }
  | { readonly kind: "unknown"; readonly callId: string } => {
  if (reply.status === 0) return { kind: "lost" };
  const { isError, problem, replayed, text } = open(reply);
  const isResult = reply.status === 200 && !isError && reply.body?.error === undefined;
  if (isResult || text.startsWith("The call was carried out")) {
    const [, receipt = null] = /Receipt (call_\w+)/.exec(text) ?? [];
    return { kind: "paid", receipt: replayed?.callId ?? receipt };
  }
  const [, callId] = /effect_settle with callId (call_\w+)/.exec(text) ?? [];
  if (callId !== undefined) return { kind: "unknown", callId };
  const isOver = ["runEnded", "noRun"].includes(problem?.reason) || /work_turn|Stop\.$/.test(text);
  return isOver ? { kind: "over" } : { kind: "again" };
};

export const make = (seat: Seat, node: () => string, random: Random) => {
  const chance = (percent: number) => random.below(100) < percent;
  const path = (rest: string) => `/api/agents/${seat.agentId}${rest}`;

  /** Calls a tool for a run by one of three ways. */
  const call = (run: Run, name: string, args: object, effect?: string, signal?: AbortSignal) => {
    const header = { "quartermaster-run": run.id };
    const way = random.below(3);
    const meta = effect === undefined ? {} : { "quartermaster/effect": effect };
    const params = { name, arguments: args };
    if (way === 0) return mcp(node(), seat.key, "tools/call", params, header, meta, signal ?? null);
    const key = effect === undefined ? {} : { "idempotency-key": effect };
    const headers = way === 1 ? { ...key, ...header } : key;
    const body = { ...params, ...(way === 1 ? {} : { runId: run.id }) };
    return send(node(), seat.key, "POST", path("/tools/call"), body, headers, signal ?? null);
  };

  /** Looks into the table of the server, and settles the payment by what it says. */
  const settle = async (run: Run, { server, step }: Step, callId: string): Promise<End | null> => {
    const reply = await call(run, `${server}__find`, { issue: run.issue, step });
    const { text } = open(reply);
    if (!/^\[({.*)?\]$/s.test(text)) return null;
    const made = JSON.parse(text) as ReadonlyArray<Payment>;
    const happened = made.some((payment) => payment.callId === callId);
    const at = `/api/projects/issues/${run.issue}/effects/${callId}/settle`;
    const headers = { "quartermaster-run": run.id };
    const { body, status } = await send(
      node(),
      seat.key,
      "POST",
      at,
      { happened, note: happened ? "It is in the table." : "It is not in the table." },
      headers,
    );
    if (status === 403) return { kind: "later", seconds: personSeconds };
    if (typeof body?.retryAt !== "string") return null;
    const seconds = Math.ceil((Date.parse(body.retryAt) - Date.now()) / 1_000);
    return { kind: "later", seconds: Math.max(1, seconds) };
  };

  /**
   * Makes a payment, as often as it takes to know that it happened. `receipts` has the receipts of the
   * run's earlier payments. A killed node could not record that the run had a result: the next equal call gets it again.
   */
  const pay = async (run: Run, step: Step, receipts: ReadonlySet<string>): Promise<End> => {
    const name = nameOf(step);
    for (let repeat = 0; repeat < maxRepeats; repeat += 1) {
      const args = {
        issue: run.issue,
        step: step.step,
        ...(step.server === "cash" ? { text: `${random.below(9)}` } : {}),
      };
      const signal = chance(4) ? AbortSignal.timeout(5 + random.below(300)) : undefined;
      const reply = read(await call(run, `${step.server}__pay`, args, name, signal));
      if (reply.kind === "paid" && receipts.has(reply.receipt ?? "")) continue;
      if (reply.kind === "paid") return reply;
      if (reply.kind === "over") return { kind: "over" };
      // Without a name, an equal call of the same run may be another payment.
      if (reply.kind === "lost" && name === undefined) return { kind: "lost" };
      if (reply.kind !== "unknown") continue;
      const later = await settle(run, step, reply.callId);
      if (later !== null) return later;
    }
    return { kind: "lost" };
  };

  return { pay, chance };
};
