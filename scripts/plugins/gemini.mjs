// Gemini CLI: the extension is valid, links, and connects, and its hooks stop and remind a session with a scripted model.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, scratch } from "../ci/processes.mjs";
import { program } from "../ci/published.mjs";
import { checkCrash, ended, env, issueOf, noPoll, pause, plugins, statusOf } from "./scene.mjs";
import * as Model from "./scripted-model.mjs";
import { checkWith } from "./with.mjs";

export const spec = "@google/gemini-cli@0.61.0";

export const check = async (server) => {
  const { key, url } = server;
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

  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(scratch, ".gemini/settings.json"), JSON.stringify(settings));
  const session = async (list) => {
    const taken = await Model.withModel(Model.contents, list, (model) =>
      gemini(["--model", "scripted", "--yolo", "--skip-trust", "-p", "Do an issue."], {
        QM_URL: url,
        QM_KEY: key,
        ...Model.contents.env(model),
      }),
    );
    assert.equal(taken, list.length);
  };
  const tool = (name, args) => ({ tool: `mcp_quartermaster_${name}`, args });

  const paused = await issueOf(server, "To pause");
  const mark = join(scratch, "gemini-worked");
  await session([
    () => tool("work_next"),
    async (result) => {
      assert.ok(result.includes(paused.id), result);
      await pause(server, paused);
      return { tool: "run_shell_command", args: { command: `touch ${mark}` } };
    },
  ]);
  assert.ok(!existsSync(mark), "the tool after the pause ran");
  assert.equal((await ended(server, paused)).stopReason, "paused");
  await noPoll();
  console.log("ok: a pause stops the next tool of Gemini CLI through its hooks");

  const held = await issueOf(server, "To hand in");
  await session([
    () => tool("work_next"),
    () => ({ say: "I am done." }),
    (reminder) => {
      assert.match(reminder, /You still hold the issue iss_\w+\. Hand it in with work_finish/);
      return tool("work_finish", { outcome: "review", comment: "Done" });
    },
    () => ({ say: "Handed in." }),
  ]);
  assert.equal(await statusOf(server, held), "PendingReview");
  console.log("ok: Gemini CLI is reminded to hand in, and hands in");

  const crashing = (more) => (list) =>
    Model.withModel(Model.contents, list, (model) => {
      const args = ["--model", "scripted", "--yolo", "--skip-trust", ...more, "-p", "Do an issue."];
      const access = { QM_URL: url, QM_KEY: key };
      return run(command, args, { env: { ...env, ...access, ...Model.contents.env(model) } });
    });
  await checkCrash(server, {
    session: crashing([]),
    resume: crashing(["--resume", "latest"]),
    shell: (line) => ({ tool: "run_shell_command", args: { command: line } }),
    take: tool("work_next"),
  });
  console.log("ok: after a crash Gemini CLI learns which run to take over");

  await checkWith(server, {
    name: "gemini",
    command: [command],
    args: ["--model", "scripted", "--yolo", "--skip-trust"],
    api: Model.contents,
    configure: Model.contents.env,
    prefix: "mcp_quartermaster_",
    unknown: "00000000-0000-4000-8000-000000000000",
  });
};
