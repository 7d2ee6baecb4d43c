// What an administrator does, with real servers from the registry: installs entries of the
// catalog on the built server, verifies and enables them, grants them to an agent, and calls a
// tool of each. The credentials are fake, and there may be no network: a tool that asks its
// service may answer that this failed.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { read } from "./catalogue/report.ts";
import { withServer } from "./ci/built-server.mjs";
import { scratch } from "./ci/processes.mjs";
import { check, Skipped } from "./ci/published.mjs";

const folder = join(scratch, "files");
mkdirSync(folder);

/** The tool that is called, and what its answer says; null where it asks a service. */
const servers = [
  ["filesystem", "list_allowed_directories", {}, folder],
  ["memory", "create_entities", { entities: [entity("Ada")] }, "Ada"],
  ["sequential-thinking", "sequentialthinking", thought(), "thoughtHistoryLength"],
  ["airtable", "list_bases", {}, null],
  ["brave-search", "brave_web_search", { query: "anything" }, null],
  ["perplexity", "perplexity_ask", { messages: [{ role: "user", content: "Hello" }] }, null],
  ["tavily", "tavily_search", { query: "anything" }, null],
  ["notion", "API-get-self", {}, null],
];

function entity(name) {
  return { name, entityType: "person", observations: ["wrote the first program"] };
}

function thought() {
  return { thought: "One", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
}

const valueOf = ({ name }) => (name === "ALLOWED_DIRECTORY" ? folder : "not-a-real-one");

/** Why npm could not reach the registry, if that is what a verification says. */
const unreached =
  /npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|E?TIMEDOUT|E5\d\d)/;

await check(() =>
  withServer(async ({ ask }) => {
    const reported = read();
    for (const [catalogId, tool, args, says] of servers) {
      const { envVars } = await ask("GET", `/api/mcp/catalog/${catalogId}`);
      const required = envVars.filter((variable) => variable.required);
      const { id, name } = await ask("POST", "/api/mcp/installed", {
        catalogId,
        envValues: Object.fromEntries(
          required.map((variable) => [variable.name, valueOf(variable)]),
        ),
      });
      const { capabilities, details, status } = await ask(
        "POST",
        `/api/mcp/installed/${id}/verify`,
      );
      if (unreached.test(details)) {
        throw new Skipped(`The registry has to be reached for ${catalogId}.`);
      }
      assert.equal(status, "ok", details);
      // With the tools that are withheld because clients could not read them.
      const listed = await ask("GET", `/api/mcp/installed/${id}/tools`);
      assert.equal(listed.length, reported.get(catalogId).tools, "as the report has it");
      assert.ok(capabilities.includes(tool), details);
      await ask("POST", `/api/mcp/installed/${id}/enable`);
      await ask("PUT", `/api/mcp/installed/${id}/access`, {
        entries: [{ agentId: "ci", granted: true }],
      });
      const { content, isError } = await ask("POST", "/api/agents/ci/tools/call", {
        name: `${name}__${tool}`,
        arguments: args,
      });
      const [{ text }] = content;
      if (says === null) assert.notEqual(text, "");
      else assert.ok(!isError && text.includes(says), text);
      await ask("DELETE", `/api/mcp/installed/${id}`);
      console.log(
        `ok: ${catalogId}: ${details} ${tool}: ${text.slice(0, 80).replaceAll("\n", " ")}`,
      );
    }
  }),
);
