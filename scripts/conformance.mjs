// Runs the official conformance suite against /mcp of the built server. What is expected to fail
// is in conformance-expected.yml, with reasons; the suite fails when that list is not exact.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { suite as specifier } from "./conformance-suite.mjs";

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "qm-conformance-"));

const server = spawn(
  process.execPath,
  [join(root, "packages/http/bin/quartermaster.js"), "serve"],
  {
    env: {
      PATH: process.env.PATH,
      QM_PORT: "0",
      QM_DATA_DIR: join(scratch, "data"),
      QM_LOG: "json",
    },
    stdio: ["ignore", "pipe", "inherit"],
  },
);

/** Where it listens, and an agent's key. */
const begin = async () => {
  for await (const line of createInterface(server.stdout)) {
    const { ownerKeyFile, url } = JSON.parse(line);
    if (ownerKeyFile === undefined) continue;
    server.stdout.resume();
    const owner = readFileSync(ownerKeyFile, "utf8").trim();
    const answer = await fetch(`${url}/api/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "conformance", role: "Editor", agentId: "conformance" }),
    });
    return { url: new URL(url), key: (await answer.json()).key };
  }
  throw new Error("The server did not start.");
};

/** The suite has no keys: this adds one, and passes everything else on as it is, Host and all. */
const withKey = ({ key, url }) =>
  createServer((incoming, outgoing) => {
    const { headers, method, url: path } = incoming;
    const passed = request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${key}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });

try {
  const proxy = withKey(await begin()).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address();
  const suite = spawn(
    "npx",
    [
      "--yes",
      specifier,
      "server",
      "--url",
      `http://localhost:${port}/mcp`,
      "--expected-failures",
      join(root, "scripts/conformance-expected.yml"),
    ],
    // Elsewhere, so that the suite has the packages it was published with.
    { cwd: scratch, stdio: "inherit" },
  );
  const [code] = await once(suite, "close");
  process.exitCode = code ?? 1;
  proxy.close();
  proxy.closeAllConnections();
} finally {
  server.kill("SIGTERM");
  await once(server, "close");
  rmSync(scratch, { recursive: true, force: true });
}
