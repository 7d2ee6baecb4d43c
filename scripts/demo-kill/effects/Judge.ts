import type { Payment, Step } from "./Payments.ts";

/** The judgment of what happened, from the table of the servers and the service's own lists. */

/** An effect as `GET .../effects` lists it. */
export interface ListedEffect {
  readonly callId: string;
  readonly server: string;
  readonly state: "sent" | "done" | "failed" | "unknown";
}

export interface IssueEvidence {
  readonly id: string;
  readonly isResolved: boolean;
  readonly steps: ReadonlyArray<Step>;
  readonly effects: ReadonlyArray<ListedEffect>;
}

export interface Evidence {
  readonly issues: ReadonlyArray<IssueEvidence>;
  readonly payments: ReadonlyArray<Payment>;
  /** The calls of unknown effects whose equal call was refused after the workers had ended. */
  readonly refused: ReadonlySet<string>;
}

const keyOf = ({ server, step }: Pick<Payment, "server" | "step">) => `${server} ${step}`;

const countsOf = (keys: ReadonlyArray<string>) => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** The payments of one issue that its steps do not ask for, and the missing payments. */
const compare = ({ steps }: IssueEvidence, payments: ReadonlyArray<Payment>) => {
  const asked = countsOf(steps.map(keyOf));
  const made = countsOf(payments.map(keyOf));
  const extra = [...made].flatMap(([key, count]) => {
    const more = count - (asked.get(key) ?? 0);
    return more > 0 ? [{ key, more }] : [];
  });
  const missing = [...asked].filter(([key, count]) => (made.get(key) ?? 0) < count);
  return { extra, missing: missing.map(([key]) => key) };
};

const judgeIssue = (
  issue: IssueEvidence,
  payments: ReadonlyArray<Payment>,
  refused: Evidence["refused"],
) => {
  const { effects, id, isResolved, steps } = issue;
  const { extra, missing } = compare(issue, payments);
  const paid = new Set(payments.map(({ callId }) => callId));
  const done = effects.filter(({ state }) => state === "done");
  const wrong: Array<string> = extra.map(({ key }) => `${key} was carried out twice`);
  if (isResolved) {
    wrong.push(...missing.map((key) => `${key} was not carried out, and the issue is resolved`));
    if (done.length !== steps.length) {
      wrong.push(`${done.length} effects are done, not ${steps.length}`);
    }
  }
  for (const { callId, state } of effects) {
    if (state === "done" && !paid.has(callId)) wrong.push(`${callId} is done and did not happen`);
    if (state === "failed" && paid.has(callId)) wrong.push(`${callId} failed and did happen`);
    if (state === "unknown" && !refused.has(callId)) {
      wrong.push(`${callId} is unknown, and an equal call was not refused`);
    }
  }
  return {
    twice: extra.reduce((sum, { more }) => sum + more, 0),
    violations: wrong.map((text) => `${id}: ${text}`),
  };
};

export const judge = ({ issues, payments, refused }: Evidence) => {
  const byIssue = Map.groupBy(payments, ({ issue }) => issue);
  const judged = issues.map((issue) => judgeIssue(issue, byIssue.get(issue.id) ?? [], refused));
  const known = new Set(issues.map(({ id }) => id));
  const strays = payments.flatMap(({ issue }) =>
    known.has(issue) ? [] : [`${issue}: a payment for an unknown issue`],
  );
  const keys = payments.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const repeated = [...countsOf(keys)].flatMap(([key, count]) =>
    count > 1 ? [`${key}: a server received this key ${count} times and paid`] : [],
  );
  const states = countsOf(issues.flatMap(({ effects }) => effects.map(({ state }) => state)));
  return {
    twice: judged.reduce((sum, { twice }) => sum + twice, 0),
    states,
    violations: [...judged.flatMap(({ violations }) => violations), ...strays, ...repeated],
  };
};
