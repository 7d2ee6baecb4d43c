import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get, request } from "node:https";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { assert, describe, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

const run = promisify(execFile);

const selfSigned = async (folder: string) => {
  const env = { QM_TLS_CERT: join(folder, "cert.pem"), QM_TLS_KEY: join(folder, "key.pem") };
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-out", env.QM_TLS_CERT, "-keyout", env.QM_TLS_KEY];
  await run("openssl", ["req", ...kind, ...name, ...files, "-days", "2"]);
  return env;
};

const hasOpenssl = await run("openssl", ["version"]).then(
  () => true,
  () => false,
);

describe.runIf(hasOpenssl)("HTTPS", () => {
  it("[server.tls] [server.hsts] the server uses the configured certificate", async () => {
    const folder = await temporaryFolder();
    const env = await selfSigned(folder);
    const server = Quartermaster.serve(join(folder, "data"), env);
    const welcome = await server.welcome();
    assert.match(welcome.url, /^https:/);
    const call = get(`${welcome.url}/readyz`, { ca: await readFile(env.QM_TLS_CERT) });
    const [response] = await once(call, "response");
    assert.deepStrictEqual(await json(response), { status: "ok" });
    assert.strictEqual(response.headers["strict-transport-security"], "max-age=31536000");
    const local = get(`${welcome.url}/readyz`, {
      ca: await readFile(env.QM_TLS_CERT),
      headers: { host: "localhost" },
    });
    const [ofLocalhost] = await once(local, "response");
    assert.notProperty(ofLocalhost.headers, "strict-transport-security");
    assert.match((await run("sh", ["-c", welcome.try])).stdout, /^[A-Z]\w+-1$/m);
  });

  it("[https.tls] secrets are accepted over HTTPS from any address", async () => {
    const folder = await temporaryFolder();
    const env = await selfSigned(folder);
    const server = Quartermaster.serve(join(folder, "data"), env);
    const { ownerKeyFile, url } = await server.welcome();
    const install = request(`${url}/api/mcp/installed`, {
      method: "POST",
      ca: await readFile(env.QM_TLS_CERT),
      headers: {
        authorization: `Bearer ${await readFile(ownerKeyFile, "utf8")}`,
        "content-type": "application/json",
        "x-forwarded-for": "203.0.113.7",
      },
    });
    install.end(JSON.stringify({ catalogId: "sequential-thinking" }));
    const [response] = await once(install, "response");
    assert.strictEqual(response.statusCode, 201);
  });

  it("[server.tls.mismatch] a key that belongs to another certificate stops the start", async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()];
    const { QM_TLS_CERT } = await selfSigned(one);
    const { QM_TLS_KEY } = await selfSigned(other);
    const server = Quartermaster.serve(join(one, "data"), { QM_TLS_CERT, QM_TLS_KEY });
    assert.deepStrictEqual(await server.exited, { code: 1, signal: null });
    assert.match(server.stderr, /^QM_TLS_CERT and QM_TLS_KEY must name a certificate and its key/);
  });
});
