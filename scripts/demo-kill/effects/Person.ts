import { setTimeout as sleep } from "node:timers/promises";
import { type Reply, send } from "../calls/Roads.ts";
import type { Random } from "../Random.ts";
import type { Book } from "./Book.ts";
import * as Payments from "./Payments.ts";

/**
 * A person who keeps the work going: resumes what is paused, ends or returns reviews, clears delays, enables
 * servers that failed too often, and settles the effects of the server where only people may.
 */

export interface Scene {
  readonly urls: ReadonlyArray<string>;
  readonly key: string;
  readonly book: Book;
  readonly random: Random;
  readonly table: Payments.Table;
}

export const make = ({ book, key, random, table, urls }: Scene) => {
  const ask = (method: string, path: string, body?: object): Promise<Reply> =>
    send(random.pick(urls) ?? "", key, method, path, body);
  const at = (id: string, rest = "") => `/api/projects/issues/${id}${rest}`;
  let settled = 0;

  const settle = async () => {
    const lost = book
      .inTheWay()
      .filter(({ callId, server }) => server === "desk" && !Payments.isLeft(callId));
    for (const { callId, issueId } of lost) {
      const happened = table.has(callId);
      const body = { happened, note: happened ? "The desk has it." : "The desk does not have it." };
      const { status } = await ask("POST", at(issueId, `/effects/${callId}/settle`), body);
      if (status === 200) settled += 1;
    }
  };

  const round = async () => {
    for (const { id } of book.failed()) await ask("POST", `/api/mcp/installed/${id}/enable`);
    for (const { id } of book.paused()) await ask("POST", at(id, "/resume"));
    for (const { id } of book.delayed()) await ask("PUT", at(id), { notBefore: null });
    for (const { id } of book.inReview()) {
      const status = random.below(2) === 0 ? "Open" : "Resolved";
      await ask("PUT", at(id), { status });
    }
    await settle();
  };

  return {
    round,
    settled: () => settled,
    work: async (signal: AbortSignal) => {
      while (!signal.aborted) {
        await round();
        await sleep(300);
      }
    },
  };
};
