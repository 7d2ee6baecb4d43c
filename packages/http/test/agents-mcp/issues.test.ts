import { assert, describe, it } from "@effect/vitest";
import * as Agent from "../support/Agent.ts";
import { assertFields, assertProblem } from "../support/Assert.ts";
import * as World from "../support/World.ts";

type Answer = Record<string, unknown> & { readonly id: string };

const start = async (era: Agent.Era, key?: string) => {
  const world = await World.forTest();
  const { client } = await world.connect(era, key);
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args });
  const ok = async (name: string, args: Record<string, unknown>) => {
    const result = await call(name, args);
    assert.isFalse(result.isError ?? false);
    return Agent.answerOf<Answer>(result);
  };
  return { world, call, ok };
};

for (const era of Agent.eras) {
  describe(`issue tools ${era}`, () => {
    it("[agents.mcp.issues] an agent works on an issue from its creation to its review", async () => {
      const { ok, world } = await start(era);
      const blocker = await ok("issue_create", {
        projectId: "p1",
        title: " Dig ",
        priority: "high",
      });
      assertFields(blocker, {
        title: "Dig",
        status: "Open",
        createdBy: { type: "Agent", id: "bot" },
      });
      const issue = await ok("issue_create", {
        projectId: "p1",
        title: "Build",
        assignedAgentId: "bot",
        blockedByIssueId: blocker.id,
      });
      assertFields(issue, { status: "WaitingOnDependency" });
      const other = await ok("issue_create", { projectId: "p1", title: "Paint" });
      assertFields(
        await ok("issue_link", {
          issueId: issue.id,
          targetIssueId: other.id,
          linkType: "RelatedTo",
        }),
        { issueId: issue.id, direction: "outgoing" },
      );
      await ok("issue_update", { issueId: blocker.id, status: "Resolved" });
      assertFields(await ok("issue_get", { issueId: issue.id }), { status: "Open" });
      assertFields(await ok("issue_comment", { issueId: issue.id, content: "Half way" }), {
        authorType: "Agent",
        authorId: "bot",
      });
      assertFields(
        await ok("issue_update", { issueId: issue.id, status: "PendingReview", goalId: "g1" }),
        { status: "PendingReview", goalId: "g1" },
      );
      const found = await ok("issues_list", { projectId: "p1", status: "PendingReview" });
      assertFields(found, {
        issues: [{ id: issue.id, goalId: "g1" }],
      });
      await ok("issue_update", {
        issueId: issue.id,
        labels: ["ui", "bug"],
        externalRef: "GH-1",
        assignedAgentId: "bot",
      });
      const own = { label: ["bug"], status: "Open,PendingReview", ready: false, sort: "priority" };
      for (const more of [{}, { projectId: "p1" }]) {
        assertFields(await ok("issues_list", { ...own, ...more }), {
          issues: [{ id: issue.id, labels: ["bug", "ui"], externalRef: "GH-1" }],
        });
      }
      assertFields(await ok("issues_list", { ...own, ready: true }), { issues: [] });
      const page = await ok("issues_list", { projectId: "p1", limit: 2 });
      assert.lengthOf(page["issues"] as ReadonlyArray<unknown>, 2);
      const rest = await ok("issues_list", {
        projectId: "p1",
        limit: 2,
        cursor: page["nextCursor"],
      });
      assertFields(rest, { issues: [{ id: blocker.id }] });
      assert.notProperty(rest, "nextCursor");
      const { body } = await world.call("GET", `/api/projects/issues/${issue.id}`);
      const { attachments, comments, readiness, ...read } = await ok("issue_get", {
        issueId: issue.id,
      });
      const [link, related] = body.links;
      assert.deepStrictEqual(read, {
        ...body,
        links: [
          { ...link, title: "Dig", status: "Resolved" },
          { ...related, title: "Paint", status: "Open" },
        ],
      });
      assert.deepStrictEqual(attachments, []);
      assertFields(
        { comments, readiness },
        {
          comments: [{ content: "Half way" }],
          readiness: { ready: false, reasons: [{ code: "notOpen" }, { code: "agentSilent" }] },
        },
      );
      const listed = await ok("comments_list", { issueId: issue.id });
      assert.deepStrictEqual(listed, { comments } as never);
      await ok("issue_unlink", { linkId: link.id });
      assert.lengthOf((await ok("issue_get", { issueId: issue.id }))["links"] as [], 1);
    });

    it("[agents.mcp.issues-refused] a refusal is a text with the message and the facts that the caller can act on, without HTTP details", async () => {
      const { call, ok } = await start(era);
      const a = await ok("issue_create", { projectId: "p1", title: "a" });
      const b = await ok("issue_create", { projectId: "p1", title: "b", blockedByIssueId: a.id });
      const refused = async (
        name: string,
        args: Record<string, unknown>,
        slug: string,
        members: object,
      ) => {
        const result = await call(name, args);
        assert.isTrue(result.isError);
        const answer = Agent.answerOf<Record<string, unknown>>(result);
        assertFields(answer, { error: slug, detail: /^[A-Z].*\.$/, ...members });
        for (const name of ["type", "status", "title"]) assert.notProperty(answer, name);
      };
      await refused("issue_update", { issueId: b.id, status: "Open" }, "blocked", {
        blockers: [a.id],
      });
      await refused(
        "issue_link",
        { issueId: a.id, targetIssueId: b.id, linkType: "BlockedBy" },
        "dependency-cycle",
        { cycle: [a.id, b.id, a.id] },
      );
      await refused("issue_get", { issueId: "iss_none" }, "not-found", { id: "iss_none" });
      await refused("issue_get", {}, "invalid-request", { errors: [{ path: "issueId" }] });
      await refused("issue_create", { projectId: "p1", title: "x", colour: 1 }, "invalid-request", {
        errors: [{ path: "colour" }],
      });
      await refused("issue_create", { projectId: "p1", title: "" }, "invalid-request", {
        errors: [{ path: "title" }],
      });
      await refused("issues_list", { projectId: "links" }, "invalid-request", {
        errors: [{ path: "projectId" }],
      });
      await refused("issues_list", { projectId: "p1", limit: 501 }, "invalid-request", {});
      await refused(
        "issue_comment",
        { issueId: a.id, content: "x", authorType: "User" },
        "invalid-request",
        {},
      );
    });
  });
}

describe("tools of the service", () => {
  it("[agents.mcp.parameters] every parameter is described, and null is offered only where it clears a field", async () => {
    const world = await World.forTest();
    const { client } = await world.connect("2026-07-28");
    const { tools } = await client.listTools();
    const nullable: Array<string> = [];
    for (const { description = "", inputSchema, name } of tools) {
      assert.isAtMost(description.length, 400, name);
      const { properties: _, ...rest } = inputSchema;
      assert.notMatch(JSON.stringify(rest), /"(?:not|anyOf|oneOf|allOf)"/, name);
      for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {})) {
        const text = JSON.stringify(schema);
        assertFields(schema, { description: /^\S.{9,}\.$/ });
        assert.notMatch(
          text,
          /heartbeat|HTTP|Null is ignored|Default: null/,
          `${name}.${parameter}`,
        );
        if (text.includes('"null"')) nullable.push(`${name}.${parameter}`);
      }
    }
    const cleared =
      "description assignedAgentId assigneeUserId goalId notBefore labels metadata externalRef".split(
        " ",
      );
    assert.sameMembers(
      nullable,
      cleared.map((parameter) => `issue_update.${parameter}`),
    );
  });

  it("[agents.mcp.refusals] a refusal names the tools that a model can use next", async () => {
    const { call, ok } = await start("2026-07-28");
    const blocker = await ok("issue_create", { projectId: "p1", title: "a" });
    await ok("issue_create", { projectId: "p1", title: "b", blockedByIssueId: blocker.id });
    const close = await call("issue_update", { issueId: blocker.id, status: "Closed" });
    assertFields(Agent.answerOf(close), {
      error: "open-dependents",
      detail: "Open issues depend on this issue. Resolve or close them first.",
    });
    assertFields(Agent.answerOf(await call("work_turn", {})), {
      error: "no-run",
      detail: "You hold no run. Call work_next first.",
    });
    assertFields(Agent.answerOf(await call("issue_get", { issueId: "b" })), {
      error: "not-found",
      detail:
        "Ids start with iss_, and keys look like SHOP-142. Find the issue with issues_list and q.",
    });
  });
});

describe("hints of the issue tools", () => {
  it("[agents.mcp.hints] an empty list of an unknown project names the projects that the key may see", async () => {
    const { ok, world } = await start("2026-07-28");
    await world.issue({}, "p1");
    await world.issue({}, "p2");
    const warning = "No issue is in the project shpo. You see the projects p1, p2.";
    assertFields(await ok("issues_list", { projectId: "shpo" }), { issues: [], warning });
    const none = await ok("issues_list", { projectId: "p1", q: "nowhere" });
    assert.notProperty(none, "warning");
    const { key } = await world.key({ role: "Editor", agentId: "bot", projects: ["p2", "p3"] });
    const bound = await world.connect("2026-07-28", key);
    const listed = await bound.client.callTool({
      name: "issues_list",
      arguments: { projectId: "p3" },
    });
    assertFields(Agent.answerOf(listed), {
      warning: "No issue is in the project p3. You see the projects p2.",
    });
    const foreign = { name: "issues_list", arguments: { projectId: "p1" } };
    assertFields(Agent.answerOf(await bound.client.callTool(foreign)), {
      error: "not-found",
      detail: "The project p1 does not exist, or you may not see it. You see the projects p2.",
    });
  });

  it("[agents.mcp.hints] an assignment to an agent that was never seen is carried out with a warning", async () => {
    const { ok, world } = await start("2026-07-28");
    const warnings = ["No agent bto has ever sent a heartbeat."];
    const created = await ok("issue_create", {
      projectId: "p1",
      title: "a",
      assignedAgentId: "bto",
    });
    assertFields(created, { assignedAgentId: "bto", warnings });
    const changed = await ok("issue_update", { issueId: created.id, assignedAgentId: "bto" });
    assertFields(changed, { warnings });
    for (const agentId of ["bot", "other"]) {
      if (agentId === "other") {
        await world.admin("POST", "/api/agents/other/heartbeat", { body: {} });
      }
      const own = await ok("issue_update", { issueId: created.id, assignedAgentId: agentId });
      assertFields(own, { warnings: [] }, agentId);
    }
  });
});

describe("refusals that name the way out", () => {
  it("[comments.blank] a comment of white space is refused", async () => {
    const { call, ok, world } = await start("2026-07-28");
    const { id } = await ok("issue_create", { projectId: "p1", title: "a" });
    const refused = await call("issue_comment", { issueId: id, content: " \n\t" });
    assert.isTrue(refused.isError);
    assertFields(Agent.answerOf(refused), {
      error: "invalid-request",
      errors: [{ path: "content" }],
    });
    const { status } = await world.call("POST", `/api/projects/issues/${id}/comments`, {
      body: { content: "  " },
    });
    assert.strictEqual(status, 400);
    await world.call("PUT", `/api/projects/issues/${id}`, { body: { assignedAgentId: "bot" } });
    await ok("work_next", {});
    const handIn = await call("work_finish", { outcome: "review", comment: " " });
    assertFields(Agent.answerOf(handIn), {
      error: "invalid-request",
      errors: [{ path: "comment" }],
    });
    assertFields(await ok("issue_get", { issueId: id }), { status: "InProgress", comments: [] });
  });

  it("[agents.mcp.refusals] reviews, foreign issues and resolved issues say what is possible", async () => {
    const { call, ok, world } = await start("2026-07-28");
    const detailOf = async (name: string, args: Record<string, unknown>) => {
      const result = await call(name, args);
      assert.isTrue(result.isError, name);
      return Agent.answerOf<Answer>(result)["detail"];
    };
    const foreign = await world.issue({ assignedAgentId: "other" });
    assert.strictEqual(
      await detailOf("ask", { issueId: foreign.id, prompt: "?" }),
      "Only agent other may ask a blocking question on this issue. Set blocking to false, or comment.",
    );
    for (const status of ["Resolved", "Closed"]) {
      await ok("issue_update", { issueId: foreign.id, status });
      for (const blocking of [true, false]) {
        assert.strictEqual(
          await detailOf("ask", { issueId: foreign.id, prompt: "?", blocking }),
          `The issue is ${status.toLowerCase()}. Comment, or create a new issue.`,
        );
      }
    }
    const reviewed = await world.issue();
    await world.call("PUT", `/api/projects/issues/${reviewed.id}`, {
      body: { status: "PendingReview" },
    });
    const sentence =
      "The issue is in review, and people end reviews. Comment on it, and leave its status to them.";
    const review = { issueId: reviewed.id, status: "Resolved" };
    assert.strictEqual(await detailOf("issue_update", review), sentence);
    const rest = await world.as(world.agent.key)("PUT", `/api/projects/issues/${reviewed.id}`, {
      body: { status: "Resolved" },
    });
    assertProblem(rest, 403, "forbidden", { requiredRole: null, detail: sentence });
  });
});

describe("issue tools and keys", () => {
  it("[agents.mcp.issues-seen] an agent's issue tools show only what its key may see", async () => {
    const world = await World.forTest();
    const here = await world.issue({}, "p1");
    const there = await world.issue({}, "p2");
    const { key } = await world.key({ role: "Editor", agentId: "bot", projects: ["p1"] });
    const { client } = await world.connect("2026-07-28", key);
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args });
    assert.isFalse((await call("issue_get", { issueId: here.id })).isError ?? false);
    for (const [name, args] of [
      ["issue_get", { issueId: there.id }],
      ["issue_comment", { issueId: there.id, content: "x" }],
      ["issue_update", { issueId: there.id, title: "x" }],
      ["issues_list", { projectId: "p2" }],
      ["issue_create", { projectId: "p2", title: "x" }],
    ] as const) {
      const result = await call(name, args);
      assert.isTrue(result.isError);
      assertFields(Agent.answerOf(result), { error: "not-found" });
    }
    const link = { issueId: here.id, targetIssueId: there.id, linkType: "Blocks" };
    assertFields(Agent.answerOf(await call("issue_link", link)), {
      error: "unknown-reference",
      field: "targetIssueId",
    });
  });

  it("[agents.mcp.issues-role] a role that is too low gets the required role as an error", async () => {
    const world = await World.forTest();
    const { key } = await world.key({ role: "Viewer", agentId: "bot" });
    const { client } = await world.connect("2025-11-25", key);
    const listed = await client.callTool({ name: "issues_list", arguments: { projectId: "p1" } });
    assert.isFalse(listed.isError ?? false);
    const refused = await client.callTool({
      name: "issue_create",
      arguments: { projectId: "p1", title: "x" },
    });
    assert.isTrue(refused.isError);
    assertFields(Agent.answerOf(refused), {
      error: "forbidden",
      requiredRole: "Editor",
      detail: /ask a person/,
    });
  });
});
