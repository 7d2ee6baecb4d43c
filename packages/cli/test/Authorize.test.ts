import { assert, it } from "@effect/vitest";
import * as OAuthWorld from "../../http/test/oauth/OAuthWorld.ts";
import { home } from "./Command.ts";

it("[cli.server] authorize prints the URL that a person has to open", async () => {
  const [world, { run }] = await Promise.all([OAuthWorld.start(), home()]);
  const env = { QM_URL: world.url, QM_KEY: world.keys.admin.key };
  const { code, stderr, stdout } = await run(["server", "authorize", "board"], env);
  assert.strictEqual(code, 0, stderr);
  const page = await world.visit(await world.consent(stdout.trim()));
  assert.include(page.text, "The server board is authorized.");
});
