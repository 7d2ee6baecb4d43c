import { execFile } from "node:child_process";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { type Evidence, type IssueEvidence, judge } from "../scripts/demo-kill/effects/Judge.ts";

/** The judge of the third part of demo:kill. `QM_LONG=1` also runs its short form, which takes a minute of processor time. */

const program = join(import.meta.dirname, "../scripts/demo-kill/effects.ts");

const run = (args: ReadonlyArray<string>) =>
  new Promise<{ code: number | null; output: string }>((resolve) =>
    execFile(process.execPath, [program, ...args], { timeout: 560_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    ),
  );

const step = (server: string, step: number) => ({ server, step, isNamed: false });
const effect = (callId: string, state: "done" | "failed" | "sent" | "unknown") => ({
  callId,
  server: "bank",
  state,
});
const payment = (callId: string, step: number) => ({
  server: "bank",
  callId,
  idempotencyKey: `key of ${callId}`,
  issue: "iss_1",
  step,
});

/** Two equal payments and another one, each made once. */
const issue: IssueEvidence = {
  id: "iss_1",
  isResolved: true,
  steps: [step("bank", 0), step("bank", 0), step("bank", 1)],
  effects: [effect("call_1", "done"), effect("call_2", "done"), effect("call_3", "done")],
};
const sound: Evidence = {
  issues: [issue],
  payments: [payment("call_1", 0), payment("call_2", 0), payment("call_3", 1)],
  refused: new Set(),
};

describe.runIf(process.env["QM_LONG"] === "1")("the effects of demo:kill", () => {
  it("[tools.once.chaos] [long] no effect happens twice at servers that lose replies, with killed processes and nodes, lost leases, stops and takeovers", async () => {
    const { code, output } = await run(["--effects", "400", "--patience", "5"]);
    assert.strictEqual(code, 0, `${/^WRONG.*/m.exec(output)?.[0] ?? "No violation."}\n${output}`);
    assert.match(output, /carried out twice +0\n/);
    assert.notMatch(output, /WRONG .*(twice|received this key|failed and did happen)/);
    assert.match(output, /kills +[1-9]\d* of a process with 4 runs, 1 of a node\n/);
    const [, settled = 0] = /replies lost +(\d+) settled/.exec(output) ?? [];
    assert.isAtLeast(Number(settled), 1, output);
  }, 580_000);

  it("[tools.once.chaos] [long] the judge finds payments that happen twice when no call is an effect", async () => {
    const { code, output } = await run(["--effects", "40", "--patience", "0", "--without-once"]);
    assert.strictEqual(code, 1, output);
    assert.match(output, /carried out twice +[1-9]\d*\n/);
    assert.match(output, /WRONG .* was carried out twice/);
  }, 580_000);
});

describe("the judge of the effects of demo:kill", () => {
  it("[tools.once.chaos] the judge accepts a sound history, and issues that wait for an effect", () => {
    const isSound = (change: Partial<Evidence>) =>
      assert.deepStrictEqual(judge({ ...sound, ...change }).violations, []);
    isSound({});
    const waiting = (state: "sent" | "unknown") => ({
      ...issue,
      isResolved: false,
      effects: [effect("call_1", "done"), effect("call_2", state), effect("call_4", "failed")],
    });
    const [first, second] = sound.payments;
    const payments = [first!, second!];
    isSound({ issues: [waiting("sent")], payments });
    isSound({ issues: [waiting("unknown")], payments, refused: new Set(["call_2"]) });
  });

  it("[tools.once.chaos] the judge finds each payment too many, too few, and each effect that says something else", () => {
    const changed = (callId: string, state: "failed" | "unknown") => ({
      ...issue,
      effects: issue.effects.map((effect) =>
        effect.callId === callId ? { ...effect, state } : effect,
      ),
    });
    const broken: ReadonlyArray<readonly [words: string, change: Partial<Evidence>]> = [
      ["twice", { payments: [...sound.payments, payment("call_4", 1)] }],
      ["twice", { payments: [...sound.payments, payment("call_4", 0)] }],
      ["twice", { payments: [...sound.payments, payment("call_4", 7)] }],
      ["received this key 2 times", { payments: [...sound.payments, payment("call_3", 1)] }],
      ["was not carried out", { payments: sound.payments.slice(1) }],
      ["call_1 is done and did not happen", { payments: sound.payments.slice(1) }],
      ["call_3 failed and did happen", { issues: [changed("call_3", "failed")] }],
      ["2 effects are done, not 3", { issues: [changed("call_3", "unknown")] }],
      [
        "call_3 is unknown, and an equal call was not refused",
        { issues: [changed("call_3", "unknown")] },
      ],
      ["unknown issue", { issues: [] }],
    ];
    for (const [words, change] of broken) {
      assert.include(judge({ ...sound, ...change }).violations.join("\n"), words);
    }
    assert.strictEqual(
      judge({ ...sound, payments: [...sound.payments, payment("call_4", 1)] }).twice,
      1,
    );
  });
});
