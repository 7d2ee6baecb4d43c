import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { as } from "../../http/test/support/Client.ts";
import { execute, run, scene } from "./Archives.ts";
import * as Disk from "./Disk.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

vi.setConfig({ testTimeout: 120_000 });

describe("quartermaster backup and restore", () => {
  it("[backup.running] [backup.no-keys] a backup of a running server restores everything, with keys also secrets", async () => {
    const { attachmentId, dataDir, env, folder, server, sha256 } = await scene();
    const file = join(folder, "with-keys");
    const backup = await execute(dataDir, ["backup", file, "--keys", "--json"]);
    assert.strictEqual(backup.code, 0, backup.stderr);
    assert.match(backup.stderr, /Warning: .*with-keys has the master key.*store it like a key/);
    assert.deepInclude(JSON.parse(backup.stdout), {
      file,
      issues: 1,
      attachments: 1,
      hasKeys: true,
    });
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600);
    const bare = join(folder, "without-keys");
    const plain = await run(dataDir, ["backup", bare]);
    const [, keyId = ""] =
      /does not have the master key \(([0-9a-f]{8})\)/.exec(plain.stderr) ?? [];
    const masterKey = (await readFile(join(dataDir, "secret-key"), "utf8")).trim();
    assert.isFalse((await readFile(bare)).includes(masterKey));
    assert.isTrue((await readFile(file)).includes(masterKey));
    await server.kill("SIGTERM");

    const keyless = join(folder, "keyless");
    const without = await run(keyless, ["restore", bare, "--json"]);
    assert.strictEqual(without.code, 0, without.stderr);
    assert.deepInclude(JSON.parse(without.stdout), { missingKeyIds: [keyId] });
    assert.include(without.stderr, `The master key ${keyId} is missing`);
    assert.include(without.stderr, `${keyless}/secret-key or QM_SECRET_KEY`);
    assert.notInclude([...(await Disk.files(keyless)).keys()], "secret-key");

    const fresh = join(folder, "fresh");
    const restore = await execute(fresh, ["restore", file]);
    assert.strictEqual(restore.code, 0, restore.stderr);
    assert.match(restore.stdout, /Restored 1 issue and 1 attachment, .* Start the server/);
    assert.match(restore.stderr, /^Warning: nothing shows who wrote .*Set QM_SECRET_KEY[^\n]*\n?$/);
    const trusted = await run(join(folder, "trusted"), ["restore", file, "--json"], undefined, {
      QM_SECRET_KEY: masterKey,
    });
    assert.deepInclude(JSON.parse(trusted.stdout), { signature: "valid" });
    assert.strictEqual(trusted.stderr, "");
    const restored = Quartermaster.serve(fresh, env);
    const { url } = await restored.line(({ url }) => url !== undefined);
    // The first Owner key works as before, and its file is not part of a backup.
    const key = await readFile(join(dataDir, "owner-key"), "utf8");
    const call = as({ url: String(url) }, key);
    const found = await call("GET", "/api/projects/p1/issues?q=lighthouse");
    assert.lengthOf(found.body, 1, found.text);
    const response = await fetch(
      `${String(url)}/api/projects/attachments/${attachmentId}/download`,
      {
        headers: { authorization: `Bearer ${key}` },
      },
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), sha256);
    await restored.kill("SIGTERM");
    assert.isFalse(restored.lines.some((line) => String(line["message"]).includes("decrypted")));
  });

  it("[restore.refused] a refused command exits with a sentence and writes nothing", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "notes"), "mine");
    const foreign = await execute(join(folder, "fresh"), ["restore", join(folder, "notes")]);
    assert.notStrictEqual(foreign.code, 0);
    assert.match(foreign.stderr, /is not a Quartermaster backup. Name a file/);
    const directory = await run(join(folder, "fresh"), ["restore", folder]);
    assert.strictEqual(directory.code, 2);
    assert.include(directory.stderr, `${folder} is a folder. Name a backup.`);
    const missing = await run(join(folder, "none"), ["backup", join(folder, "b")]);
    assert.notStrictEqual(missing.code, 0);
    assert.match(missing.stderr, /There is no database in .*QM_DATA_DIR/);
    const nowhere = await run(join(folder, "none"), ["backup", join(folder, "no", "b")]);
    assert.strictEqual(nowhere.code, 2);
    assert.include(nowhere.stderr, `there is no folder ${join(folder, "no")}. Create it, or`);
    assert.deepStrictEqual([...(await Disk.files(folder)).keys()], ["notes"]);
  });
});
