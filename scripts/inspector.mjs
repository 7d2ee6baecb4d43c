// Drives /mcp of the built server with the command line of the MCP inspector, an independent
// client: over HTTP in both protocol versions, and through the stdio bridge.
import assert from "node:assert/strict";
import { bin, withServer } from "./ci/built-server.mjs";
import { run, scratch } from "./ci/processes.mjs";
import { check, program } from "./ci/published.mjs";

const inspector = "@modelcontextprotocol/inspector@2.12.0";

const serviceTools = [
  "whoami",
  "work_next",
  "work_turn",
  "ask",
  "work_finish",
  "issues_list",
  "issue_get",
  "comments_list",
  "issue_create",
  "issue_comment",
  "issue_update",
  "issue_link",
  "issue_unlink",
  "plan_create",
  "questions_list",
  "question_withdraw",
  "effect_settle",
  "attachment_get",
  "attachment_add",
  "projects_list",
  "agents_list",
];

/** The result of a tool of the service: one JSON text. */
const answerOf = ({ content }) => JSON.parse(content[0].text);

await check(async () => {
  const command = await program(inspector, "mcp-inspector");

  /**
   * Sends one request, and returns the inspector's output. The inspector stores its files in a
   * scratch home.
   */
  const ask = async (target, args) => {
    const { code, stderr, stdout } = await run(
      command,
      ["--cli", ...target.options, "--format", "json", ...args, ...target.command],
      { env: { PATH: process.env.PATH, HOME: scratch } },
    );
    return { code, stderr, result: stdout === "" ? null : JSON.parse(stdout).result };
  };

  const call = async (target, tool, args) => {
    const of = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json"];
    return ask(target, [...of, JSON.stringify(args)]);
  };

  const walk = async (name, target) => {
    const listed = await ask(target, ["--method", "tools/list", "--strict"]);
    assert.equal(listed.code, 0, listed.stderr);
    assert.deepEqual(
      listed.result.tools.map((tool) => tool.name),
      serviceTools,
    );

    const created = await call(target, "issue_create", { projectId: "ci", title: name });
    assert.equal(created.code, 0, created.stderr);
    const issue = answerOf(created.result);
    assert.deepEqual([issue.title, issue.status, issue.createdBy.id], [name, "Open", "ci"]);

    const found = await call(target, "issues_list", { projectId: "ci", limit: 1 });
    assert.equal(found.code, 0, found.stderr);
    const { id, projectId, status, title } = issue;
    const [brief] = answerOf(found.result).issues;
    assert.deepEqual(
      [brief.id, brief.projectId, brief.status, brief.title],
      [id, projectId, status, title],
    );

    const refused = await call(target, "issue_create", { projectId: "ci", title: "" });
    assert.equal(refused.result.isError, true);
    assert.equal(answerOf(refused.result).error, "invalid-request");
    console.log(`ok: ${name}`);
  };

  await withServer(async ({ key, url }) => {
    const http = (bearer) => {
      const header = `Authorization: Bearer ${bearer}`;
      return [`${url}/mcp`, "--transport", "http", "--stored-auth-only", "--header", header];
    };
    for (const era of ["legacy", "modern"]) {
      const options = ["--protocol-era", era];
      await walk(`${era}, over HTTP`, { options: [...options, ...http(key)], command: [] });
      await walk(`${era}, through the bridge`, {
        options: [...options, "-e", `QM_URL=${url}`, "-e", `QM_KEY=${key}`],
        command: ["--", process.execPath, bin, "mcp"],
      });
    }
    const wrong = await ask({ options: http("qm_wrong"), command: [] }, ["--method", "tools/list"]);
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.stderr, /no valid API key/);
    console.log("ok: a wrong key is reported");
  });
});
