// Checks plugins/ with the hosts that are published on npm: whether each host accepts the files,
// reaches /mcp of the built server with them, and completes an issue with a scripted model. No host
// is logged in, and none needs the network. Arguments name the hosts; by default all are checked.
import { withServer } from "./ci/built-server.mjs";
import { check, Skipped } from "./ci/published.mjs";
import { measureBefore } from "./plugins/before.mjs";
import * as ClaudeCode from "./plugins/claude-code.mjs";
import * as Codex from "./plugins/codex.mjs";
import * as Gemini from "./plugins/gemini.mjs";
import * as Night from "./plugins/night.mjs";
import * as OpenCode from "./plugins/opencode.mjs";
import { grantServer } from "./plugins/with.mjs";

await check(() =>
  withServer(async (server) => {
    const skipped = [];
    const only = process.argv.slice(2);
    const hosts = {
      claude: ClaudeCode,
      codex: Codex,
      gemini: Gemini,
      opencode: OpenCode,
      night: Night,
    };
    measureBefore();
    await grantServer(server);
    for (const [name, host] of Object.entries(hosts)) {
      if (only.length > 0 && !only.includes(name)) continue;
      try {
        await host.check(server);
      } catch (error) {
        if (!(error instanceof Skipped)) throw error;
        console.log(`skipped: ${error.message}`);
        skipped.push(error.message);
      }
    }
    if (skipped.length > 0) throw new Skipped(skipped.join(" "));
  }),
);
