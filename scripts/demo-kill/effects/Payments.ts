import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/** The payments that the issues ask for, and the table of the payments that the servers made. */

/** A payment that a server made, as it stored it. */
export interface Payment {
  readonly server: string;
  readonly callId: string | null;
  readonly idempotencyKey: string | null;
  readonly issue: string;
  readonly step: number;
}

/** The servers: each has its own rule, and one lets only people settle. `errors`: its errors say nothing. */
export const servers = [
  { name: "bank", once: [{ tools: ["pay"] }], settings: {} },
  { name: "cash", once: [{ tools: ["*"], by: ["/issue", "/step"] }], settings: {} },
  { name: "card", once: [{ tools: ["p*y"] }], settings: { onceErrors: "unknown" } },
  { name: "desk", once: [{ tools: ["pay"] }], settings: { settle: "person" } },
] as const;

export interface Step {
  readonly server: string;
  readonly step: number;
  /** Whether the caller names the effect. */
  readonly isNamed: boolean;
}

/** The payments of an issue, by its number. Every fifth issue asks for two equal ones. */
export const stepsOf = (number: number): ReadonlyArray<Step> =>
  (number % 5 === 0 ? [0, 0, 1, 2] : [0, 1, 2, 3]).map((step) => ({
    server: servers[(number + step) % servers.length]?.name ?? "",
    step,
    isNamed: (number + step) % 3 === 0 && !(number % 5 === 0 && step === 0),
  }));

/** The name that the caller gives to an effect; undefined if it gives none. */
export const nameOf = ({ isNamed, step }: Step): string | undefined =>
  isNamed ? `payment ${step}` : undefined;

/** The number of an issue, which its title has. */
export const numberOf = (title: string): number => Number(title.replace(/\D/g, ""));

/** Whether this effect stays unknown: one of eight that only people may settle. */
export const isLeft = (callId: string): boolean =>
  (createHash("sha256").update(callId).digest()[0] ?? 0) % 8 === 0;

/** Reads the table of the servers, which they create. */
export const open = (file: string) => {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  return {
    all: () =>
      database.prepare("SELECT * FROM payments").all() as unknown as ReadonlyArray<Payment>,
    count: () => Number(database.prepare("SELECT count(*) AS n FROM payments").get()?.["n"]),
    has: (callId: string) =>
      database.prepare("SELECT 1 FROM payments WHERE callId = ?").get(callId) !== undefined,
    close: () => database.close(),
  };
};

export type Table = ReturnType<typeof open>;
