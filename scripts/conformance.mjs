// Runs the official conformance suite against /mcp of the built server, whose agent has a grant for
// the server of ci/conformance-server.mjs. conformance-expected.yml lists the expected failures
// with reasons; the suite fails if the list is not exact. `conformance.mjs SCENARIO` runs one
// scenario.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withServer } from "./ci/built-server.mjs";
import { proxy } from "./ci/conformance-proxy.mjs";
import { scratch, start } from "./ci/processes.mjs";
import { suite as specifier } from "./conformance-suite.mjs";

const [scenario] = process.argv.slice(2);
const server = "conformance";

const catalog = join(scratch, "conformance.json");
writeFileSync(
  catalog,
  JSON.stringify([
    {
      id: server,
      name: "Conformance",
      description: "What the conformance suite calls, reads and gets.",
      category: "dev",
      transport: "stdio",
      runtime: "none",
      installInstructions: "None.",
      manifest: {
        package: null,
        version: null,
        command: process.execPath,
        args: [join(import.meta.dirname, "ci/conformance-server.mjs")],
        env: {},
        isolation: "shared",
      },
      envVars: [],
    },
  ]),
);
process.env["QM_CATALOG"] = catalog;

const expected = join(import.meta.dirname, "conformance-expected.yml");

/** The runs of the suite: its default scenarios, and one scenario that it runs only by name. */
const runs =
  scenario === undefined
    ? [
        ["--expected-failures", expected],
        ["--scenario", "json-schema-2020-12"],
      ]
    : [["--scenario", scenario]];

/**
 * Runs the suite outside the repository, so that it uses its own published dependencies. Returns
 * its exit code.
 */
const run = async (url, args) => {
  const suite = start("npx", ["--yes", specifier, "server", "--url", url, ...args], {
    stdio: "inherit",
  });
  const [code] = await once(suite, "close");
  return code ?? 1;
};

await withServer(async ({ ask, key, url }) => {
  const { id } = await ask("POST", "/api/mcp/installed", { catalogId: server });
  const at = `/api/mcp/installed/${id}`;
  const { details, status } = await ask("POST", `${at}/verify`);
  if (status !== "ok") throw new Error(details);
  await ask("POST", `${at}/enable`);
  await ask("PUT", `${at}/access`, { entries: [{ agentId: "ci", granted: true }] });

  const names = (await ask("GET", `${at}/tools`)).map(({ name }) => name);
  const between = proxy({ key, server, names, url: new URL(url) });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  const suiteUrl = `http://localhost:${between.address().port}/mcp`;
  const codes = [];
  for (const args of runs) codes.push(await run(suiteUrl, args));
  process.exitCode = Math.max(...codes);
  between.close();
  between.closeAllConnections();
});
