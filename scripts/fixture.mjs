// Stores the data directory of this version, filled through its API, for the tests of later versions: they have to start
// on it. A release has one of its own, in packages/server/test/databases.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { withServer } from "./ci/built-server.mjs";
import { scratch } from "./ci/processes.mjs";

const server = join(import.meta.dirname, "../packages/server");
const { version } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"));
const target = join(server, "test/databases", version);

const fill = async (ask) => {
  const create = (title, more) => ask("POST", "/api/projects/shop/issues", { title, ...more });
  const boat = await create("Paint the boat", { description: "In **blue**.", labels: ["boat"] });
  const sail = await create("Sail to the island", { assignedAgentId: "ci" });
  const issue = `/api/projects/issues/${boat.id}`;
  await ask("POST", `${issue}/links`, { targetIssueId: sail.id, linkType: "Blocks" });
  await ask("POST", `${issue}/comments`, { content: "The lantern is missing." });
  await ask("PUT", issue, { assignedAgentId: "ci", priority: "high" });
  await ask("POST", "/api/agents/ci/heartbeat", { capacity: 1 });
  await ask("POST", "/api/views", { name: "Boats", query: "label=boat" });
  const hook = { name: "Harbor", url: "https://hooks.example.com/boats", kinds: ["issue.created"] };
  await ask("POST", "/api/webhooks", hook);
  const envValues = { TAVILY_API_KEY: "a secret of a test" };
  await ask("POST", "/api/mcp/installed", { catalogId: "tavily", envValues });
};

await withServer(({ ask }) => fill(ask));
mkdirSync(target, { recursive: true });
const data = join(scratch, "data");
for (const name of ["owner-key", "secret-key"]) copyFileSync(join(data, name), join(target, name));
const whole = join(scratch, "whole.db");
new DatabaseSync(join(data, "quartermaster.db")).exec(`VACUUM INTO '${whole}'`);
writeFileSync(join(target, "quartermaster.db.gz"), gzipSync(readFileSync(whole), { level: 9 }));
console.log(`Wrote ${target}`);
