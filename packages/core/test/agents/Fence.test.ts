import { assert, describe, it } from "@effect/vitest";
import { Errors, Fence, Run, type RunStore } from "@quartermaster/core";

const now = "2026-11-23T10:00:00.000Z";
const minutesAgo = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000).toISOString();

const run: Run.RunRow = {
  id: "run_1",
  agentId: "bot",
  issueId: "iss_1",
  issueKey: "SHOP-1",
  projectId: "shop",
  seq: 1,
  status: "active",
  outcome: null,
  attempt: 1,
  stopReason: null,
  startedAt: minutesAgo(60),
  leaseExpiresAt: minutesAgo(-1),
  leaseSeconds: 60,
  endedAt: null,
  commentSeq: 0,
  versionSeq: 0,
  worker: null,
  acknowledgedAt: null,
  resumedAt: null,
  isFenceLifted: false,
  releaseAt: null,
  keyId: null,
  process: null,
  note: null,
  exitCode: null,
  commentId: null,
};

const stored = (
  change: Partial<Run.RunRow> = {},
  facts: Partial<RunStore.StoredRun> = {},
): RunStore.StoredRun => ({
  run: { ...run, ...change },
  isIssueDeleted: false,
  isLatest: true,
  ...facts,
});

const ended = (
  minutes: number,
  outcome: Run.RunOutcome | null,
  stopReason: Run.StopReason,
): Partial<Run.RunRow> => ({ status: "ended", endedAt: minutesAgo(minutes), outcome, stopReason });

const acts = ["tools", "writes", "files", "comments", "log", "usage", "notes"] as const;

/** The rows of the table: what is permitted, and the reason of the other columns. */
const rows: ReadonlyArray<
  readonly [
    title: string,
    run: RunStore.StoredRun,
    state: Fence.State,
    permitted: ReadonlyArray<Fence.Act>,
    reason: Run.StopReason | null,
  ]
> = [
  ["a live run may do everything", stored(), "live", acts, null],
  [
    "a run that was told to stop may report and attach",
    stored({ status: "stopping", stopReason: "paused" }),
    "stopping",
    ["files", "comments", "log", "usage", "notes"],
    "paused",
  ],
  ...(["resolved", "review"] as const).map(
    (outcome) =>
      [
        `a run that handed in as ${outcome} 10 minutes ago may call tools and comment`,
        stored(ended(10, outcome, "resolved")),
        "handedIn",
        ["tools", "comments", "log", "usage"],
        "resolved",
      ] as const,
  ),
  [
    "a run that handed in more than 10 minutes ago only comments",
    stored(ended(10.001, "resolved", "resolved")),
    "ended",
    ["comments"],
    "resolved",
  ],
  [
    "a run that handed in before another run of the issue started has ended",
    stored(ended(1, "review", "statusChanged"), { isLatest: false }),
    "ended",
    ["comments", "log", "usage"],
    "statusChanged",
  ],
  ...(["released", "failed"] as const).map(
    (outcome) =>
      [
        `a run that handed in as ${outcome} has ended`,
        stored(ended(10, outcome, "statusChanged")),
        "ended",
        ["comments", "log", "usage"],
        "statusChanged",
      ] as const,
  ),
  [
    "a run that was taken over has ended",
    stored(ended(1, null, "takenOver")),
    "ended",
    ["comments", "log", "usage"],
    "takenOver",
  ],
  [
    "a run without a recorded reason has ended",
    stored({ ...ended(11, null, "unknown"), stopReason: null }),
    "ended",
    ["comments"],
    "unknown",
  ],
  [
    "an active run whose lease is over has ended",
    stored({ leaseExpiresAt: now }),
    "ended",
    ["comments", "log", "usage"],
    "leaseExpired",
  ],
  [
    "a run that was told to stop and whose lease is over has ended",
    stored({ status: "stopping", stopReason: "paused", leaseExpiresAt: minutesAgo(11) }),
    "ended",
    ["comments"],
    "leaseExpired",
  ],
  [
    "a run of a deleted issue reports usage only",
    stored({ status: "stopping", stopReason: "deleted" }, { isIssueDeleted: true }),
    "deleted",
    ["usage"],
    "deleted",
  ],
  [
    "a run of a deleted issue that handed in 10 minutes ago reports usage only",
    stored(ended(10, "resolved", "resolved"), { isIssueDeleted: true }),
    "deleted",
    ["usage"],
    "deleted",
  ],
  [
    "a run of a deleted issue that ended more than 10 minutes ago may do nothing",
    stored(ended(10.001, "resolved", "resolved"), { isIssueDeleted: true }),
    "deleted",
    [],
    "deleted",
  ],
];

describe("The fence", () => {
  for (const [title, facts, state, permitted, reason] of rows) {
    it(`[run.fence] ${title}`, () => {
      assert.strictEqual(Fence.stateOf(facts, now), state);
      assert.deepStrictEqual(
        acts.map((act) => [act, Fence.refusalOf(facts, act, now)]),
        acts.map((act) => [act, permitted.includes(act) ? null : reason]),
      );
    });
  }

  it("[run.fence.reasons] each reason is a sentence of its own", () => {
    const sentences = Run.StopReason.literals.map(
      (reason) => new Errors.RunEnded({ runId: "run_1", reason }).message,
    );
    assert.strictEqual(new Set(sentences).size, sentences.length);
    for (const sentence of sentences)
      assert.match(sentence, /^The run .+: .+\. Stop working .+\.$/);
  });
});
