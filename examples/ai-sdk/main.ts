import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// A Vercel AI SDK agent that works on issues. It uses its granted tools, stops between two steps if
// it has to, and finishes the issue with its answer as the comment.
import { generateText, isStepCount } from "ai";
import { scripted } from "./Model.ts";
import * as Quartermaster from "./Quartermaster.ts";
import { toolsOf } from "./Tools.ts";

const program = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);
const dataDir = await mkdtemp(join(tmpdir(), "quartermaster-"));
const quartermaster = Quartermaster.open({
  dataDir,
  server: { command: process.execPath, args: [program, "stdio"] },
});

/** Prints a result, and fails if it is not the expected one. */
const check = (what: string, actual: unknown, expected: unknown) => {
  console.log(`${what}: ${String(actual)}`);
  assert.equal(actual, expected, what);
};

try {
  const issue = await quartermaster.createIssue("Say hello", "ada");
  const verification = await quartermaster.provide("ada", ["echo"]);
  check("the MCP server is", verification.status, "ok");

  const model = scripted("everything__echo", { message: "hello" });
  const ada = await quartermaster.agent("ada");
  for await (const task of ada.tasks({ heartbeatSeconds: 1 })) {
    const tools = await toolsOf(task);
    check("the model may use", Object.keys(tools).join(), "everything__echo");
    const { steps, text } = await generateText({
      model,
      tools,
      prompt: task.issue.title,
      stopWhen: isStepCount(5),
      // The boundary between two turns: `turn` renews the lease, and throws when the agent has to
      // stop.
      prepareStep: async () => {
        await task.turn();
        return {};
      },
    });
    check("steps of the model", steps.length, 2);
    check("it said", text, "Echo: hello");
    await task.finish({ outcome: "review", comment: text });
    break;
  }
  check("the issue is", (await quartermaster.getIssue(issue.id)).status, "PendingReview");

  const stopping = await quartermaster.createIssue("Never said", "ada");
  for await (const task of ada.tasks({ heartbeatSeconds: 1 })) {
    await quartermaster.pauseIssue(stopping.id);
    const stopped = await generateText({
      model,
      tools: await toolsOf(task),
      prompt: task.issue.title,
      prepareStep: async () => {
        await task.turn();
        return {};
      },
    }).catch((error: unknown) => error);
    check("paused, it was", (stopped as { readonly _tag?: string })._tag, "Stopped");
    break;
  }
  check("the paused issue is", (await quartermaster.getIssue(stopping.id)).status, "Open");
} finally {
  await quartermaster.close();
  await rm(dataDir, { recursive: true, force: true });
}
