import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { Webhook } from "standardwebhooks";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

describe("quartermaster webhook", { timeout: 90_000 }, () => {
  it("[cli.webhook] webhooks are created, changed, tested and deleted", async () => {
    const [world, { run }] = await Promise.all([World.forTest(), home()]);
    const env = { QM_URL: world.url, QM_KEY: world.keys.admin.key };
    const text = async (...args: ReadonlyArray<string>): Promise<string> => {
      const { code, stderr, stdout } = await run(["webhook", ...args], env);
      assert.strictEqual(code, 0, stderr);
      return stdout.trimEnd();
    };
    const secret = await text("create", "Chat", "https://hooks.invalid/services/s3cr3t");
    assert.match(secret, /^whsec_\S+$/);
    const [webhook] = JSON.parse(await text("list", "--json"));
    assert.deepInclude(webhook, { name: "Chat", kinds: ["attention"], format: "standard" });
    const { id } = webhook;
    assert.match(await text("list"), /^whk_\S+\tenabled\tattention\tall\tnever\thttps:\S+…\tChat$/);
    await text("edit", id, "--kinds", "issue.*, run.*", "--format", "TEXT", "--project", "p1");
    await text("edit", id, "--all-projects", "--name", "Build");
    const changed = JSON.parse(await text("edit", id, "--status", "disabled", "--json"));
    assert.deepInclude(changed, {
      name: "Build",
      kinds: ["issue.*", "run.*"],
      format: "text",
      projectId: null,
      status: "disabled",
    });
    assert.match(await text("rotate", id), /^whsec_\S+$/);
    assert.strictEqual((await run(["webhook", "rotate", id], env)).code, 2);
    const tested = await run(["webhook", "test", id], env);
    assert.strictEqual(tested.code, 0, tested.stderr);
    assert.match(tested.stdout, /^dlv_\S+\tdelivered\twebhook\.test\t1\t200\t/);
    assert.match(await text("deliveries", id, "--status", "delivered"), /^dlv_\S+\tdelivered\t/);
    assert.strictEqual(await text("deliveries", id, "--status", "failed"), "");
    const refused = await run(["webhook", "retry", id, "dlv_none"], env);
    assert.strictEqual(refused.code, 3);
    await text("delete", id);
    assert.strictEqual(await text("list"), "");
  });

  it("[cli.webhook.verify] verify exits with 0 for a request of the webhook, and with 2 for any other", async () => {
    const { folder, run } = await home();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const secretFile = join(folder, "secret");
    await writeFile(secretFile, `${secret}\n`);
    const now = new Date();
    const body = JSON.stringify({ type: "issue.asked", data: { title: "Dächer" } });
    const signature = new Webhook(secret).sign("evt_1", now, body);
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const verify = async (
      changed: { readonly id?: string; readonly timestamp?: string; readonly signature?: string },
      input = body,
    ) => {
      const flags = { id: "evt_1", timestamp, signature, ...changed };
      const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
      return run(["webhook", "verify", `--secret-file=${secretFile}`, ...args], {}, input);
    };
    assert.strictEqual((await verify({})).code, 0);
    assert.strictEqual((await verify({ signature: `v1,AAAA ${signature} v2,x` })).code, 0);
    assert.strictEqual((await verify({}, `${body} `)).code, 2);
    assert.strictEqual((await verify({ id: "evt_2" })).code, 2);
    assert.strictEqual((await verify({ signature: "v1," })).code, 2);
    const old = String(Number(timestamp) - 301);
    const again = new Webhook(secret).sign("evt_1", new Date(Number(old) * 1_000), body);
    const late = await verify({ timestamp: old, signature: again });
    assert.strictEqual(late.code, 2);
    assert.include(late.stderr, "5 minutes");
    const wrong = await run(
      ["webhook", "verify", "--secret-file=/none", "--id=a", "--timestamp=1", "--signature=v1,a"],
      {},
    );
    assert.strictEqual(wrong.code, 1);
  });
});
