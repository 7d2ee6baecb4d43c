import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { as, signIn } from "../../http/test/support/Client.ts";
import { filesWith } from "./Disk.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

vi.setConfig({ testTimeout: 120_000 });

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** The encodings in which a file could contain the text. */
const forms = (text: string) =>
  [sha256(text), Buffer.from(text)].flatMap((bytes) => [
    bytes.toString("hex"),
    bytes.toString("base64url"),
    bytes.toString("base64").replace(/=+$/, ""),
  ]);

describe("stored secrets", () => {
  it("[keys.hashed] only hashes of keys, sessions and tokens are stored, and the log has none of them", async () => {
    const folder = await temporaryFolder();
    const server = await Quartermaster.start(folder);
    const { call } = server;
    const stranger = as(server, undefined);
    const made = await call("POST", "/api/keys", { body: { name: "k", role: "Editor" } });
    assert.strictEqual(made.status, 201);
    const key: string = made.body.key;
    const secret = key.split("_")[2] ?? "";
    assert.isAbove(secret.length, 20);

    const session = await signIn(server, key);
    const token = await stranger("POST", "/api/session/token", { headers: session.headers });
    assert.deepStrictEqual([session.answer.status, token.status], [201, 201]);
    const bearer = await stranger("GET", "/api/session", {
      headers: { authorization: `Bearer ${token.body.token}` },
    });
    assert.strictEqual(bearer.status, 200);
    const query = await stranger("GET", `/api/agents?key=${key}`, {
      headers: { authorization: `Bearer ${key}x`, "x-request-id": "the-last" },
    });
    assert.strictEqual(query.status, 401);
    await server.line(({ requestId }) => requestId === "the-last");

    const secrets = [
      key,
      secret,
      session.cookie.slice("qm_session=".length),
      session.secret,
      token.body.token as string,
    ];
    const look = async () => {
      for (const text of secrets) {
        assert.isAbove(text.length, 20);
        assert.deepStrictEqual(await filesWith(folder, text), []);
        assert.notInclude(server.stdout + server.stderr, text);
      }
      // The key's record is in those files, as a hash.
      const hashes = await Promise.all(
        [secret, key]
          .flatMap((text) => forms(text).slice(0, 3))
          .map((text) => filesWith(folder, text)),
      );
      assert.notDeepEqual(hashes.flat(), []);
    };
    await look();
    await server.kill();
    await look();
    assert.deepStrictEqual(await filesWith(folder, await server.ownerKey()), ["owner-key"]);
  });

  it("[idempotency.secret-free] only an HMAC of a request with an Idempotency-Key is stored", async () => {
    const folder = await temporaryFolder();
    const catalog = join(await temporaryFolder(), "catalog.json");
    const entry = {
      id: "vault",
      name: "Vault",
      description: "Has a secret.",
      category: "dev",
      transport: "http",
      runtime: "none",
      installInstructions: "None.",
      manifest: { url: "https://vault.example/mcp" },
      envVars: [{ name: "TOKEN", description: "", required: true, secret: true, default: null }],
    };
    await writeFile(catalog, JSON.stringify([entry]));
    const server = await Quartermaster.start(folder, { QM_CATALOG: catalog });
    const { call } = server;
    const send = (path: string, raw: string) =>
      call("POST", path, {
        raw,
        headers: { "content-type": "application/json", "idempotency-key": "once" },
      });
    const secret = randomBytes(24).toString("hex");
    const install = JSON.stringify({ catalogId: "vault", envValues: { TOKEN: secret } });
    const installed = await send("/api/mcp/installed", install);
    assert.strictEqual(installed.status, 201, installed.text);
    assert.strictEqual((await send("/api/mcp/installed", install)).text, installed.text);
    // Rejected and failed requests leave nothing.
    const canary = randomBytes(24).toString("hex");
    const refused = JSON.stringify({ title: canary, blockedByIssueId: "iss_none" });
    assert.strictEqual((await send("/api/projects/p1/issues", refused)).status, 422);

    const look = async () => {
      for (const text of [...forms(secret), ...forms(install), ...forms(canary), secret, canary]) {
        assert.deepStrictEqual(await filesWith(folder, text), []);
      }
      assert.notInclude(server.stdout + server.stderr, secret);
      assert.notDeepEqual(await filesWith(folder, installed.body.id), []);
    };
    await look();
    await server.kill();
    await look();
  });

  it("[idempotency.restart] an Idempotency-Key still returns its first response after kill -9", async () => {
    const folder = await temporaryFolder();
    const send = (server: Quartermaster, title: string) =>
      server.call("POST", "/api/projects/p1/issues", {
        body: { title },
        headers: { "idempotency-key": "restart" },
      });
    const first = await Quartermaster.start(folder);
    const made = await send(first, "Once");
    assert.strictEqual(made.status, 201);
    await first.kill();
    const second = await Quartermaster.start(folder);
    const again = await send(second, "Once");
    assert.deepStrictEqual([again.status, again.text], [201, made.text]);
    assert.strictEqual(
      (await send(second, "Twice")).body.type,
      "urn:quartermaster:problem:idempotency-mismatch",
    );
    assert.lengthOf((await second.call("GET", "/api/projects/p1/issues")).body, 1);
  });
});
