// Gemini CLI: the extension is valid, links, and connects.
import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../ci/processes.mjs";
import { program } from "../ci/published.mjs";
import { env, plugins } from "./scene.mjs";

export const spec = "@google/gemini-cli@0.61.0";

export const check = async ({ key, url }) => {
  const command = await program(spec, "gemini");
  const extension = join(plugins, "gemini");
  const gemini = async (args, more) => {
    const { code, stderr, stdout } = await run(command, args, { env: { ...env, ...more } });
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };

  assert.match(await gemini(["extensions", "validate", extension]), /successfully validated/);
  console.log("ok: gemini extensions validate");

  await gemini(["extensions", "link", extension, "--consent"]);
  assert.match(await gemini(["extensions", "list"]), /quartermaster \(0\.1\.0\)[^]*GEMINI\.md/);
  const listed = await gemini(["mcp", "list"], { QM_URL: url, QM_KEY: key });
  assert.match(listed, /quartermaster \(from quartermaster\): .*\/mcp \(http\) - Connected/);
  console.log("ok: Gemini CLI links the extension and connects");
};
