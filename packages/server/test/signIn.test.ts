import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { as } from "../../http/test/support/Client.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import { hasTerminal, startOnTerminal } from "./Terminal.ts";

it.runIf(hasTerminal)(
  "[server.sign-in] the link on a terminal signs an Owner in, once, and ends with the file of the key",
  async () => {
    const dataDir = join(await temporaryFolder(), "data");
    const { signInToken, stop, text, url } = await startOnTerminal(dataDir);
    assert.notStrictEqual(url, "", text);
    const signIn = () => as({ url }, undefined)("POST", "/api/session", { body: { signInToken } });
    const answer = await signIn();
    assert.strictEqual(answer.status, 201, answer.text);
    assert.strictEqual(answer.body.principal.role, "Owner");
    assert.match(answer.body.sessionSecret, /^[0-9a-f]{64}$/);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const session = await as({ url }, undefined)("GET", "/api/session", { headers: { cookie } });
    assert.strictEqual(session.status, 200);
    assert.strictEqual((await signIn()).status, 401);
    await stop();
    await rm(join(dataDir, "owner-key"));
    assert.notInclude((await startOnTerminal(dataDir)).text, "sign-in");
  },
);

it("[server.sign-in] only output to a terminal contains a sign-in token", async () => {
  const dataDir = await temporaryFolder();
  for (const log of ["pretty", "json"]) {
    const server = Quartermaster.serve(join(dataDir, log), { QM_LOG: log });
    if (log === "json") await server.welcome();
    else await server.printed("Docs  ");
    await server.kill("SIGTERM");
    assert.notInclude(server.stdout + server.stderr, "sign-in=");
    assert.include(server.stdout, "/docs");
    assert.notInclude(server.stdout, await readFile(join(dataDir, log, "owner-key"), "utf8"));
  }
});
