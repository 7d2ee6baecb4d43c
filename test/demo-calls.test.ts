import { assert, describe, it } from "@effect/vitest";
import { type Evidence, judge } from "../scripts/demo-kill/calls/Judge.ts";
import type { Admission } from "../scripts/demo-kill/calls/Watch.ts";

/** The judge of the second part of demo:kill. `.ci/run` runs the part itself. */

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

/** A call that was admitted at second 0 for a live run. */
const admission: Admission = {
  callId: "call_1",
  runId: "run_1",
  at: Date.parse(at(0)),
  until: at(30),
  status: "active",
  outcome: null,
  endedAt: null,
  leaseExpiresAt: at(1),
  issueExists: 1,
  isLatest: 1,
};

const event = (kind: string, runId: string) => ({
  kind,
  subjectId: "iss_1",
  actorType: "agent",
  data: JSON.stringify({ runId }),
});

const arrival = {
  at: Date.parse(at(0)),
  callId: "call_1",
  tool: "note",
  run: "run_1",
  issue: "iss_1",
  step: 0,
};

const sound: Evidence = {
  admissions: [admission],
  renewals: [{ runId: "run_1", before: at(1), after: at(5), leaseSeconds: 5 }],
  events: [event("issue.pickedUp", "run_1"), event("issue.finished", "run_1")],
  ends: new Map([["run_1", Date.parse(at(1))]]),
  arrivals: [arrival],
};

const ended = (more: Partial<Admission>): Evidence => ({
  ...sound,
  admissions: [{ ...admission, status: "ended", endedAt: at(-600), ...more }],
});

describe("the judge of the calls of demo:kill", () => {
  it("[tools.calls.chaos] the judge accepts a sound history, and a hand-in of at most ten minutes ago", () => {
    const isSound = (evidence: Evidence) => assert.deepStrictEqual(judge(evidence).violations, []);
    isSound(sound);
    isSound(ended({ outcome: "resolved" }));
    isSound(ended({ outcome: "review" }));
    isSound(ended({ outcome: "resolved", runId: null }));
  });

  it("[tools.calls.chaos] the judge finds each late call, late renewal and hand-in by another run", () => {
    const broken: ReadonlyArray<readonly [words: string, Partial<Evidence>]> = [
      ["told to stop", { admissions: [{ ...admission, status: "stopping" }] }],
      ["lease was over", { admissions: [{ ...admission, leaseExpiresAt: at(0) }] }],
      ["issue was deleted", { admissions: [{ ...admission, issueExists: 0 }] }],
      ["does not exist", { admissions: [{ ...admission, status: null }] }],
      ["acted for no run", { admissions: [{ ...admission, runId: null }] }],
      ["had ended", ended({ outcome: "released" })],
      ["had ended", ended({ outcome: "resolved", isLatest: 0 })],
      ["had ended", ended({ outcome: "resolved", endedAt: at(-601) })],
      ["renewed after its end", { renewals: [{ ...sound.renewals[0]!, before: at(0) }] }],
      ["handed in, and run_1", { events: [sound.events[0]!, event("issue.finished", "run_2")] }],
      ["beside run_1", { events: [sound.events[0]!, event("issue.pickedUp", "run_2")] }],
      ["without an admission", { admissions: [] }],
      ["arrived for run_2", { arrivals: [{ ...arrival, run: "run_2" }] }],
      ["arrived twice", { arrivals: [arrival, arrival] }],
    ];
    for (const [words, change] of broken) {
      assert.include(judge({ ...sound, ...change }).violations.join("\n"), words);
    }
  });
});
