import { assert, describe, it } from "@effect/vitest";
import * as Program from "./support/Program.ts";

const tell = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await Program.run(args);
  return { code, text: stdout + stderr };
};

const variables =
  "HOST PORT PUBLIC_URL DATA_DIR DURABILITY ADMIN_KEY SECRET_KEY CATALOG TRUSTED_PROXIES TLS_CERT TLS_KEY EVENT_DAYS RATE_LIMIT AUTH_FAILURE_LIMIT MAX_STREAMS MAX_JSON_BYTES MAX_ATTACHMENT_BYTES MAX_LINKS STRICT_AGENTS STRICT_PROJECTS VERIFY_TIMEOUT PREPARE_TIMEOUT TOOL_TIMEOUT LOG";

describe("--help", () => {
  it("[server.help] the help lists each command", async () => {
    const all = await tell("--help");
    assert.strictEqual(all.code, 0);
    for (const command of ["backup", "restore", "doctor"]) {
      assert.match(all.text, new RegExp(`^ +${command} +\\S`, "m"));
    }
    for (const command of ["serve", "rotate-key"]) {
      assert.match(all.text, new RegExp(`^ +${command} +\\S`, "m"));
      const one = await tell(command, "--help");
      assert.strictEqual(one.code, 0, command);
      assert.match(one.text, /[a-z]{3,}.*\./);
    }
  });

  it("[server.help] the help of serve lists every variable, and starts nothing", async () => {
    const { text } = await tell("serve", "--help");
    for (const name of variables.split(" ")) assert.match(text, new RegExp(`\\bQM_${name}\\b`));
    assert.notInclude(text, "listens on");
  });

  it("[server.help] an unknown command is refused", async () => {
    const { code, text } = await tell("sevre");
    assert.notStrictEqual(code, 0);
    assert.include(text, "serve");
  });
});
