import { fileURLToPath } from "node:url";
import { assert, describe, it } from "@effect/vitest";
import { assertFields } from "../../http/test/support/Assert.ts";
import { scene } from "./WorkScene.ts";

const bin = fileURLToPath(new URL("../../server/bin/quartermaster.js", import.meta.url));

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.question] a command that asks and exits with 0 is released, and its issue starts again with the answer", async () => {
    const { assigned, call, env, execute, get, runs, write } = await scene();
    const issue = await assigned("Which side?");
    const script = await write(
      `grep -q "Answer: left" || exec "${process.execPath}" "${bin}" ask "Left or right?"`,
    );
    const work = async () => {
      const { code, stderr } = await execute(["work", "--once", "--", script], env);
      assert.strictEqual(code, 0, stderr);
      const { attempts, status } = await get(issue);
      return { attempts, status, stderr };
    };
    assertFields(await work(), { status: "Open", attempts: 0, stderr: / released: Open\n/ });
    const [first] = await runs();
    assert.strictEqual(first?.["outcome"], "released");
    const waiting = "No issue is ready for bot (1 queued, 0 blocked)";
    assertFields(await work(), { status: "Open", stderr: `${waiting}\n` });
    assert.lengthOf(await runs(), 1);
    const [question] = (await call("GET", `/api/projects/issues/${issue.id}/questions`)).body;
    const answer = `/api/projects/questions/${question.id}/answer`;
    await call("POST", answer, { body: { answer: "left" } });
    assertFields(await work(), { status: "PendingReview", attempts: 0 });
    assert.strictEqual((await runs())[1]?.["attempt"], 1);
  });
});
