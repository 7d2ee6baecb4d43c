// Checks plugins/ with the hosts that are published on npm: whether each host accepts the files,
// reaches /mcp of the built server with them, and completes an issue with a scripted model. No host
// is logged in, and none needs the network.
import { withServer } from "./ci/built-server.mjs";
import { check, Skipped } from "./ci/published.mjs";
import * as ClaudeCode from "./plugins/claude-code.mjs";
import * as Codex from "./plugins/codex.mjs";
import * as Gemini from "./plugins/gemini.mjs";
import * as OpenCode from "./plugins/opencode.mjs";

await check(() =>
  withServer(async (server) => {
    const skipped = [];
    for (const host of [ClaudeCode, Codex, Gemini, OpenCode]) {
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
