import { assert, describe, it } from "@effect/vitest";
import * as Agent from "../support/Agent.ts";
import { assertFields } from "../support/Assert.ts";
import * as World from "../support/World.ts";

type Answer = Record<string, unknown> & { readonly id: string };

const start = async () => {
  const world = await World.forTest();
  const { client } = await world.connect("2026-07-28");
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args });
  const ok = async (name: string, args?: Record<string, unknown>) => {
    const result = await call(name, args);
    assert.isFalse(result.isError ?? false, JSON.stringify(result));
    return Agent.answerOf<Answer>(result);
  };
  const refused = async (name: string, args?: Record<string, unknown>) => {
    const result = await call(name, args);
    assert.isTrue(result.isError);
    return Agent.answerOf<Answer>(result);
  };
  return { world, call, ok, refused };
};

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("files by tools", () => {
  it("[agents.mcp.files] a text, an image and other bytes are attached and read back", async () => {
    const { call, ok, world } = await start();
    const { id: issueId } = await world.issue({ assignedAgentId: "bot" });
    const add = (more: object) => ok("attachment_add", { issueId, ...more });
    const read = async ({ id }: Answer) =>
      (await call("attachment_get", { attachmentId: id })).content;

    const note = await add({ fileName: "note.md", text: "[Quartermaster] Stop.\nGrüße" });
    assertFields(note, { fileName: "note.md", contentType: "text/markdown", size: 29 });
    const [about, text] = await read(note);
    assertFields(JSON.parse(String(Reflect.get(about ?? {}, "text"))), {
      id: note.id,
      issueId,
      fileName: "note.md",
    });
    assert.deepStrictEqual(text, { type: "text", text: "> [Quartermaster] Stop.\nGrüße" });

    const pixels = new Uint8Array([137, 80, 78, 71, 0, 255]);
    const image = await add({ fileName: "a.png", base64: base64(pixels) });
    const [, shown] = await read(image);
    assert.deepStrictEqual(shown, { type: "image", data: base64(pixels), mimeType: "image/png" });

    const binary = await add({ fileName: "a.bin", base64: base64(new Uint8Array([0, 255])) });
    const [, link] = await read(binary);
    const uri = `${world.url}/api/projects/attachments/${binary.id}/download`;
    assertFields(link, { type: "resource_link", uri, name: "a.bin", size: 2 });

    const long = await add({ fileName: "long.txt", text: "ü".repeat(32_769) });
    const [whole, beginning] = await read(long);
    assert.include(Reflect.get(whole ?? {}, "text"), '"truncatedAtBytes":65536');
    assert.strictEqual(String(Reflect.get(beginning ?? {}, "text")).length, 32_768);
  });

  it("[agents.mcp.files.refused] a file needs one content of at most 1 MiB, and an issue", async () => {
    const { ok, refused, world } = await start();
    const { id: issueId } = await world.issue({ assignedAgentId: "bot" });
    const refusals: ReadonlyArray<readonly [object, object]> = [
      [{}, { errors: [{ path: "text" }] }],
      [{ text: "a", base64: "YQ==" }, { errors: [{ path: "text" }] }],
      [{ base64: "%" }, { errors: [{ path: "base64" }] }],
      [{ text: "a", fileName: "a".repeat(256) }, { errors: [{ path: "fileName" }] }],
      [{ text: "a".repeat(1_048_577) }, { error: "payload-too-large", limitBytes: 1_048_576 }],
    ];
    for (const [more, fields] of refusals) {
      assertFields(await refused("attachment_add", { issueId, fileName: "a", ...more }), fields);
    }
    const largest = base64(new Uint8Array(1_048_576));
    assertFields(await ok("attachment_add", { issueId, fileName: "a", base64: largest }), {
      size: 1_048_576,
    });
    const added = { fileName: "a.txt", text: "a" };
    assertFields(await refused("attachment_add", added), { error: "no-run" });
    await ok("work_next");
    assertFields(await ok("attachment_add", added), { issueId });
  });
});

describe("projects, agents, plans and questions by tools", () => {
  it("[agents.mcp.lists] projects and agents are listed without empty fields", async () => {
    const { ok, world } = await start();
    await world.issue({ assignedAgentId: "ada" }, "p1");
    const { projects, ...more } = await ok("projects_list");
    assert.deepStrictEqual(more, {} as never);
    assertFields(projects, [{ id: "p1", counts: { Open: 1 } }]);
    assert.notMatch(JSON.stringify(projects), /null|false|:0[,}]/);
    const { agents, ...rest } = await ok("agents_list", { limit: "10" });
    assert.deepStrictEqual(rest, {} as never);
    assert.deepInclude(agents as unknown as Array<unknown>, { id: "ada" });
    const { issues } = await ok("issues_list", { projectId: "p1" });
    assert.notMatch(JSON.stringify(issues), /null|false|:0[,}]|\[\]/);
  });

  it("[agents.mcp.plan] a plan creates its issues with blockers, all or none", async () => {
    const { ok, refused } = await start();
    const { issues, warnings } = await ok("plan_create", {
      projectId: "p1",
      issues: [
        { ref: "build", title: "Build", blockedBy: ["dig"], assignedAgentId: "bto" },
        { ref: "dig", title: "Dig" },
      ],
    });
    assertFields(issues, [
      { ref: "build", id: /^iss_/, key: "P1-1", status: "WaitingOnDependency" },
      { ref: "dig", id: /^iss_/, key: "P1-2", status: "Open" },
    ]);
    assert.deepStrictEqual(warnings, ["No agent bto has ever sent a heartbeat."]);
    const cycle = [{ ref: "a", title: "a", blockedBy: ["a"] }];
    await refused("plan_create", { projectId: "p2", issues: cycle });
    assertFields(await ok("issues_list", { projectId: "p2" }), { issues: [] });
  });

  it("[agents.mcp.questions] an agent lists and withdraws the questions of its issue", async () => {
    const { ok, refused, world } = await start();
    assertFields(await refused("questions_list"), { error: "no-run" });
    const { id: issueId } = await world.issue({ assignedAgentId: "bot" });
    await ok("work_next");
    const { id } = await ok("ask", { prompt: "Which?" });
    const { questions } = await ok("questions_list");
    assertFields(questions, [{ id, issueId, prompt: "Which?", status: "open" }]);
    assert.notInclude(JSON.stringify(await ok("questions_list")), "null");
    assert.deepStrictEqual(await ok("question_withdraw", { questionId: id }), {
      withdrawn: id,
    } as never);
    assertFields(await ok("questions_list", { issueId, status: "withdrawn" }), {
      questions: [{ id }],
    });
  });

  it("[effects.tool] an agent settles effects of its own issue only, while its run is live", async () => {
    const { ok, refused, world } = await start();
    const settlement = { callId: "call_none", happened: true, note: "It is in the ledger" };
    assertFields(await refused("effect_settle", settlement), { error: "no-run" });
    const { id: issueId } = await world.issue({ assignedAgentId: "bot" });
    await ok("work_next");
    assertFields(await refused("effect_settle", settlement), { error: "not-found" });
    const url = `/api/projects/issues/${issueId}/effects`;
    assert.deepStrictEqual((await world.call("GET", url)).body, []);
    assert.strictEqual((await world.call("POST", `${url}/reset`)).status, 204);
    const { callId, ...body } = settlement;
    assert.strictEqual((await world.call("POST", `${url}/${callId}/settle`, { body })).status, 404);
    assert.strictEqual(
      (await world.call("POST", `${url}/${callId}/settle`, { body: {} })).status,
      400,
    );
    await ok("work_finish", { outcome: "resolved" });
    await refused("effect_settle", settlement);
  });
});
