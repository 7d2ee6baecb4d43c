// The work on one issue: `node command.mjs`, which a runner starts. It pays several times by a tool that must not be
// called for a run that is over, and does not look whether it should stop. Each record is one line at the end of one
// file, so the file orders the commands of all runners.
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const { DEMO_RECORDS, QM_AGENT_ID, QM_ISSUE_ID, QM_KEY, QM_RUN_ID, QM_URL } = process.env;
/** "# Part 17 takes 2.4 s and hands itself in" */
const [, seconds, how] = /takes ([\d.]+) s(.*)/.exec(readFileSync(0, "utf8")) ?? [];
const record = (text) => appendFileSync(DEMO_RECORDS, `${text}\n`);
const payments = 10;

/** Sends a request until a node responds. */
const send = async (path, body) => {
  for (;;) {
    try {
      const response = await fetch(`${QM_URL}/api/agents/${QM_AGENT_ID}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${QM_KEY}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      if (response.status < 500) return response.status;
    } catch {
      // The node or its database is away: the balancer may find another one.
    }
    await sleep(200);
  }
};

record(`start ${QM_ISSUE_ID} ${QM_RUN_ID} ${process.pid} ${process.ppid}`);
for (let step = 0; step < payments; step += 1) {
  await sleep((Number(seconds) * 1_000) / payments);
  const status = await send("/tools/call", {
    name: "ledger__pay",
    arguments: { run: QM_RUN_ID, issue: QM_ISSUE_ID, step, ms: 0 },
    runId: QM_RUN_ID,
  });
  if (status !== 200) {
    console.log(`Payment ${step} was refused with ${status}.`);
    process.exit(1);
  }
}
record(`end ${QM_ISSUE_ID} ${QM_RUN_ID}`);
if (how !== "") {
  const status = await send(`/runs/${QM_RUN_ID}/finish`, {
    outcome: "resolved",
    comment: "Handed in by the command.",
  });
  process.exit(status === 200 ? 0 : 1);
}
console.log(`Worked for ${seconds} s.`);
