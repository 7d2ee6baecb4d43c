import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { assertFields, assertInvalid, assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const fields =
  "id issueId issueKey runId askedBy kind prompt options blocking status answer answeredBy createdAt expiresAt answeredAt".split(
    " ",
  );

const ofIssue = (id: string) => `/api/projects/issues/${id}/questions`;
const path = (id: string, rest = "") => `/api/projects/questions/${id}${rest}`;

const ask = async (issueId: string, body: Record<string, unknown> = {}) => {
  const answer = await world.call("POST", ofIssue(issueId), {
    body: { prompt: "Which slates?", ...body },
  });
  assert.strictEqual(answer.status, 201);
  return answer.body as { readonly id: string } & Record<string, unknown>;
};

describe("questions", () => {
  it("[questions.http.ask] a question is a 201 with its URL, and a 200 while one with its key is open", async () => {
    const { id } = await world.issue();
    const body = { prompt: "Which slates?", kind: "choice", options: ["blue", "red"], key: "k" };
    const made = await world.call("POST", ofIssue(id), { body });
    assert.strictEqual(made.status, 201);
    assert.deepStrictEqual(Object.keys(made.body), fields);
    assertFields(made.body, { issueId: id, status: "open", blocking: true, options: body.options });
    assert.strictEqual(made.headers.get("location"), path(made.body.id));
    const got = await world.call("GET", path(made.body.id));
    assert.deepStrictEqual([got.status, got.text], [200, made.text]);
    const again = await world.call("POST", ofIssue(id), { body });
    assert.deepStrictEqual([again.status, again.text], [200, made.text]);
    assert.isNull(again.headers.get("location"));
  });

  it("[questions.http.list] an issue's questions are filtered by status", async () => {
    const { id } = await world.issue();
    const [first, second] = [await ask(id), await ask(id)];
    const answered = await world.call("POST", path(first.id, "/answer"), {
      body: { answer: "Blue" },
    });
    const list = async (query: string) => (await world.call("GET", ofIssue(id) + query)).body;
    assert.deepStrictEqual(await list(""), [answered.body, second]);
    assert.deepStrictEqual(await list("?status=open"), [second]);
    assert.deepStrictEqual(await list("?status=answered"), [answered.body]);
    assert.deepStrictEqual(await list("?order=desc&limit=1"), [second]);
    assertInvalid(await world.call("GET", `${ofIssue(id)}?status=closed`), "status");
  });

  it("[questions.http.answer] a person answers once; an agent's key is a 403", async () => {
    const { id } = await world.issue({ assignedAgentId: "bot" });
    const agent = await world.key({ role: "Editor", agentId: "bot" });
    const asked = await world.as(agent.key)("POST", ofIssue(id), { body: { prompt: "Which?" } });
    assertFields(asked.body, { askedBy: { type: "Agent", id: "bot" }, runId: null });
    const answer = (call: typeof world.call, text: string) =>
      call("POST", path(asked.body.id, "/answer"), { body: { answer: text } });
    assertProblem(await answer(world.as(agent.key), "Blue"), 403, "forbidden", {
      requiredRole: null,
    });
    const first = await answer(world.call, "Blue");
    assert.strictEqual(first.status, 200);
    assertFields(first.body, { status: "answered", answer: "Blue" });
    const repeated = await answer(world.call, "Blue");
    assert.deepStrictEqual([repeated.status, repeated.text], [200, first.text]);
    assertProblem(await answer(world.call, "Red"), 409, "question-closed", {
      reason: "answered",
    });
    const comments = await world.call("GET", `/api/projects/issues/${id}/comments`);
    assert.deepStrictEqual(
      comments.body.map(({ content }: { readonly content: string }) => content),
      ["> Which?\n\nBlue"],
    );
    const other = await world.issue({ assignedAgentId: "other" });
    const foreign = await world.as(agent.key)("POST", ofIssue(other.id), {
      body: { prompt: "Which?" },
    });
    assertProblem(foreign, 403, "forbidden", { requiredRole: null });
  });

  it("[questions.http.withdraw] DELETE withdraws; a question of a deleted issue is a 404", async () => {
    const { id } = await world.issue();
    const { id: questionId } = await ask(id);
    for (const _ of [1, 2]) {
      assert.strictEqual((await world.call("DELETE", path(questionId))).status, 204);
    }
    assert.strictEqual((await world.call("GET", path(questionId))).body.status, "withdrawn");
    const answer = await world.call("POST", path(questionId, "/answer"), { body: { answer: "x" } });
    assertProblem(answer, 409, "question-closed", { reason: "withdrawn" });
    await ask(id);
    await world.call("DELETE", `/api/projects/issues/${id}?confirm=true`);
    assertProblem(await world.call("GET", path(questionId)), 404, "not-found", {
      resource: "question",
      id: questionId,
    });
  });

  it("[questions.http.refusals] an issue that is done is a 409, the 21st open question a 422", async () => {
    const { id } = await world.issue();
    for (let count = 0; count < 20; count++) await ask(id);
    const body = { prompt: "Which?" };
    assertProblem(await world.call("POST", ofIssue(id), { body }), 422, "limit-exceeded", {
      limit: 20,
    });
    await world.call("PUT", `/api/projects/issues/${id}`, { body: { status: "Resolved" } });
    assertProblem(await world.call("POST", ofIssue(id), { body }), 409, "question-closed", {
      reason: "issueDone",
    });
    assertInvalid(await world.call("POST", ofIssue(id), { body: { prompt: "" } }), "prompt");
  });

  it("[questions.http.idempotency] an Idempotency-Key asks and answers once", async () => {
    const { id } = await world.issue();
    const send = (url: string, body: unknown) =>
      world.call("POST", url, { body, headers: { "idempotency-key": `once ${url}` } });
    const asked = await send(ofIssue(id), { prompt: "Which?" });
    const again = await send(ofIssue(id), { prompt: "Which?" });
    assert.deepStrictEqual([again.status, again.text], [201, asked.text]);
    const answered = await send(path(asked.body.id, "/answer"), { answer: "Blue" });
    const repeated = await send(path(asked.body.id, "/answer"), { answer: "Blue" });
    assert.deepStrictEqual([repeated.status, repeated.text], [200, answered.text]);
    assertProblem(
      await send(path(asked.body.id, "/answer"), { answer: "Red" }),
      422,
      "idempotency-mismatch",
      {},
    );
  });

  it("[questions.started] a heartbeat starts the issue with the answered questions", async () => {
    const { id } = await world.issue({ assignedAgentId: "asker" });
    const { id: questionId } = await ask(id);
    const beat = async () => (await world.call("POST", "/api/agents/asker/heartbeat")).body.started;
    assert.deepStrictEqual(await beat(), []);
    const answered = await world.call("POST", path(questionId, "/answer"), {
      body: { answer: "Blue" },
    });
    assert.deepStrictEqual((await beat())[0].questions, [answered.body]);
  });
});
