import { assert, describe, it } from "@effect/vitest";
import * as Proof from "../scripts/demo-kill/Proof.ts";
import { seeded } from "../scripts/demo-kill/Random.ts";

const event = (id: string, kind: "pickedUp" | "finished" | "leaseExpired", issue: string) => ({
  id,
  kind: `issue.${kind}` as const,
  subjectId: issue,
  data: { runId: `run of ${issue}`, outcome: "resolved" },
});

const command = (issueId: string, startLine: number, endLine: number | null, runnerPid = 1) => ({
  issueId,
  runId: `run of ${issueId}`,
  pid: startLine,
  runnerPid,
  startLine,
  endLine,
});

const run = (issueId: string) => ({
  id: `run of ${issueId}`,
  issueId,
  status: "ended" as const,
  outcome: "resolved" as const,
});

/** The evidence of a correct run: two issues, the second blocked by the first, each done once. */
const sound: Proof.Evidence = {
  statuses: new Map([
    ["a", "Resolved"],
    ["b", "Resolved"],
  ]),
  blockers: new Map([["b", ["a"]]]),
  events: [
    event("1", "pickedUp", "a"),
    event("2", "finished", "a"),
    event("3", "pickedUp", "b"),
    event("4", "finished", "b"),
  ],
  runs: [run("a"), run("b")],
  commands: [command("a", 0, 1), command("b", 2, 3)],
  killedRunners: new Set(),
};

describe("the proof of demo:kill", () => {
  it("[runner.kill] a sound history has no contradictions", () => {
    assert.deepStrictEqual(Proof.violations(sound), []);
  });

  it("[runner.kill] each broken history is found", () => {
    const [first, second, third, fourth] = sound.events;
    if (!first || !second || !third || !fourth) throw new Error("four events");
    const again = { ...first, id: "5", data: { runId: "another" } };
    const broken: ReadonlyArray<readonly [words: string, Partial<Proof.Evidence>]> = [
      ["twice", { events: [first, first, second, third, fourth] }],
      ["while run of a held it", { events: [first, again, second, third, fourth] }],
      ["after it was done", { events: [first, second, again, third, fourth] }],
      ["run of b started before a", { events: [third, fourth, first, second] }],
      ["ended without holding it", { events: [first, second, second, third, fourth] }],
      ["has not ended", { events: [first, second, third] }],
      ["is Open", { statuses: new Map([["a", "Open"]]) }],
      ["2 runs succeeded", { runs: [...sound.runs, { ...run("a"), id: "another" }] }],
      ["0 runs succeeded", { runs: [run("a")] }],
      ["is active", { runs: [run("a"), { ...run("b"), status: "active" }] }],
      ["0 commands", { commands: [command("a", 0, 1)] }],
      ["2 commands", { commands: [...sound.commands, command("a", 4, 5)] }],
      ["before its command had finished", { commands: [command("a", 0, null)] }],
      ["a row and no event", { runs: [...sound.runs, { ...run("c"), id: "another" }] }],
      ["an event and no row", { runs: [run("a")] }],
      [
        "outlived its run",
        { commands: [...sound.commands, { ...command("b", 1, 4), runId: "killed" }] },
      ],
    ];
    for (const [words, change] of broken) {
      assert.include(Proof.violations({ ...sound, ...change }).join("\n"), words);
    }
  });

  it("[runner.kill] a command outlives its run only as the orphan of a killed runner", () => {
    const orphan = { ...command("b", 1, 4, 7), runId: "killed" };
    const commands = [...sound.commands, orphan];
    assert.deepStrictEqual(Proof.overlapping(commands), [orphan]);
    const killedRunners = new Set([7]);
    assert.deepStrictEqual(Proof.violations({ ...sound, commands, killedRunners }), []);
  });

  it("[runner.kill] a seed repeats the random choices", () => {
    const choices = () => {
      const random = seeded(7);
      return Array.from({ length: 20 }, () => random.below(1_000));
    };
    assert.deepStrictEqual(choices(), choices());
    assert.isAbove(new Set(choices()).size, 15);
  });
});
