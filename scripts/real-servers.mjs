// The work of an administrator and an agent with real servers from the registry, on the built
// server. Every npm entry of the catalog that lists tools without its service is installed,
// verified, enabled and granted, all at the same time. Beside them run four servers that poison
// their definitions, hang, flood and try to escape. The agent works on its issues through /mcp with
// tools of the real servers, first without the four and then beside them. The credentials are fake,
// and there may be no network: a tool that needs its service may return an error.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forEach, packages, values } from "./catalog/package.ts";
import { read } from "./catalog/report.ts";
import { connect, quantile, work } from "./ci/agent.mjs";
import { withServer } from "./ci/built-server.mjs";
import { grant, install } from "./ci/own-servers.mjs";
import { scratch } from "./ci/processes.mjs";
import { check, Skipped } from "./ci/published.mjs";

const folder = join(scratch, "files");
mkdirSync(folder);

/**
 * The tools that the agent calls for each issue, and the expected text of their results; null for
 * tools that need their service.
 */
const calls = [
  ["filesystem", "write_file", { path: join(folder, "note.txt"), content: "the note" }, "note.txt"],
  ["filesystem", "read_text_file", { path: join(folder, "note.txt") }, "the note"],
  ["memory", "create_entities", { entities: [entity("Ada")] }, "["],
  ["memory", "read_graph", {}, "Ada"],
  ["sequential-thinking", "sequentialthinking", thought(), "thoughtHistoryLength"],
];
const services = [
  ["airtable", "list_bases", {}],
  ["brave-search", "brave_web_search", { query: "anything" }],
  ["perplexity", "perplexity_ask", { messages: [{ role: "user", content: "Hello" }] }],
  ["tavily", "tavily_search", { query: "anything" }],
  ["notion", "API-get-self", {}],
];

function entity(name) {
  return { name, entityType: "person", observations: ["wrote the first program"] };
}

function thought() {
  return { thought: "One", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
}

/** The number of issues in each part. */
const issues = 30;

const support = join(import.meta.dirname, "../packages/mcp/test/support");
const fixture = join(support, "fixture.mjs");
const bad = [
  ["poisoned", [fixture, "poisons"]],
  ["hanging", [fixture, "no-list"]],
  ["flooding", [fixture, "floods-changes"]],
  ["escaping", [join(support, "escape.mjs")]],
];

/** The reason why npm could not reach the registry, if a verification reports one. */
const unreached =
  /npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|E?TIMEDOUT|E5\d\d)/;

const installReal = async (ask) => {
  const reported = read();
  const listing = packages.filter(({ entry }) => reported.get(entry.id)?.tools !== null);
  await forEach(listing, 3, async ({ entry }) => {
    const { id } = await ask("POST", "/api/mcp/installed", {
      catalogId: entry.id,
      envValues: values(entry, folder),
    });
    const path = `/api/mcp/installed/${id}`;
    const began = performance.now();
    const { details, status, tokens } = await ask("POST", `${path}/verify`);
    if (unreached.test(details)) {
      throw new Skipped(`The registry has to be reached for ${entry.id}.`);
    }
    assert.equal(status, "ok", `${entry.id}: ${details}`);
    // Includes tools that are withheld because clients could not read them.
    const listed = await ask("GET", `${path}/tools`);
    const listedTools = listed.filter(({ kind }) => kind === "tool");
    assert.equal(
      listedTools.length,
      reported.get(entry.id).tools,
      `${entry.id}: as the report has it`,
    );
    await ask("POST", `${path}/enable`);
    await grant(ask, path, ["ci"]);
    const { sandbox } = await ask("GET", path);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`ok: ${entry.id}: ${details} ${tokens} tokens, ${sandbox}, ${seconds} s in all`);
  });
  return listing.length;
};

/** Checks that the escaping server reads and changes nothing of the service. */
const escape = async (agent, paths) => {
  for (const path of paths) {
    const start = () => readFileSync(path, "latin1").slice(0, 15);
    const before = start();
    for (const tool of ["read", "run", "write"]) {
      const { content } = await agent.call(`escaping__${tool}`, { path });
      assert.ok(!content[0].text.includes(before), `escaping: ${tool} ${path}`);
    }
    assert.equal(start(), before, `escaping: write ${path}`);
  }
  const { content } = await agent.call("escaping__parent");
  assert.ok(!content[0].text.includes("QM_"), "escaping: parent");
};

await check(() =>
  withServer(async ({ ask, dataDir, key, url }) => {
    const count = await installReal(ask);
    const agent = await connect(url, key);
    const { key: otherKey } = await ask("POST", "/api/keys", {
      name: "other",
      role: "Editor",
      agentId: "other",
    });

    /** Works on issues with the agent. Returns the milliseconds of its requests. */
    const loop = async () => {
      const times = [];
      for (let issue = 1; issue <= issues; issue++) {
        const body = { title: `Issue ${issue}`, assignedAgentId: "ci" };
        const { id } = await ask("POST", "/api/projects/ci/issues", body);
        const done = await work(
          agent,
          calls.map(([server, tool, args]) => [`${server}__${tool}`, args]),
        );
        for (const [index, { content, isError }] of done.results.entries()) {
          const [server, tool, , says] = calls[index];
          const [{ text }] = content;
          assert.ok(!isError && text.includes(says), `${server} ${tool}: ${text}`);
        }
        const { status } = await ask("GET", `/api/projects/issues/${id}`);
        assert.equal(status, "Resolved");
        times.push(...done.times);
      }
      return times;
    };

    for (const [server, tool, args] of services) {
      const { content } = await agent.call(`${server}__${tool}`, args);
      assert.notEqual(content[0].text, "");
    }
    await loop();
    const without = await loop();

    const paths = new Map();
    for (const [name, args] of bad) {
      const path = await install(ask, name, args);
      await grant(ask, path, ["ci", "other"]);
      if (name !== "hanging") {
        const { details, status } = await ask("POST", `${path}/verify`);
        assert.equal(status, "ok", details);
      }
      await ask("POST", `${path}/enable`);
      paths.set(name, path);
    }
    const other = await connect(url, otherKey);
    const trouble = Promise.all([
      escape(
        other,
        ["owner-key", "secret-key", "quartermaster.db"].map((name) => join(dataDir, name)),
      ),
      other.call("poisoned__echo").catch(() => {}),
      other.call("hanging__echo").catch(() => {}),
    ]);
    const beside = await loop();
    await trouble;
    const tools = await agent.tools();
    const names = new Set(tools.map(({ name }) => name));
    for (const [server, tool] of [...calls, ...services]) {
      assert.ok(names.has(`${server}__${tool}`), `${server}__${tool} is listed`);
    }
    const poisoned = await ask("GET", `${paths.get("poisoned")}/tools`);
    assert.deepEqual(
      poisoned.map(({ state }) => state),
      ["changed", "new"],
    );
    assert.ok(!JSON.stringify(tools).includes("Ignore all"), "No poisoned definition is listed.");

    const shown = (times) =>
      `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms of ${times.length} requests`;
    const tokens = Math.ceil(JSON.stringify(tools).length / 4);
    console.log(`${count} real servers and 4 bad ones: ${tools.length} tools, ${tokens} tokens`);
    console.log(`without the bad ones: ${shown(without)}`);
    console.log(`beside them: ${shown(beside)}`);
  }),
);
