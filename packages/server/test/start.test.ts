import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

const run = promisify(execFile);
const endings: Array<() => Promise<void>> = [];
let server: Quartermaster;

beforeAll(async () => {
  const folder = await temporaryFolder((end) => endings.unshift(end));
  server = Quartermaster.serve(join(folder, "data dir"), {}, (end) => endings.unshift(end));
  await server.welcome();
});

afterAll(async () => {
  for (const end of endings) await end();
});

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("a fresh start", () => {
  it("[server.welcome] the welcome contains the URL, the file of the key, and the URL of the docs", async () => {
    const { docs, ownerKeyFile, url } = await server.welcome();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.notMatch(url, /:0$/);
    assert.strictEqual(docs, `${url}/docs`);
    assert.match(ownerKeyFile, /data dir\/owner-key$/);
  });

  it("[server.owner-key] only their owner can read the key files, and the output does not contain the key", async () => {
    const { ownerKeyFile } = await server.welcome();
    const key = await server.ownerKey();
    assert.match(key, /^qm_[A-Za-z0-9]+_[A-Za-z0-9]+$/);
    assert.strictEqual(await mode(ownerKeyFile), "600");
    assert.strictEqual(await mode(join(dirname(ownerKeyFile), "secret-key")), "600");
    assert.strictEqual(await mode(dirname(ownerKeyFile)), "700");
    assert.notInclude(server.stdout + server.stderr, key);
  });

  it("[server.gitignore] the data directory ignores itself in a repository", async () => {
    const { ownerKeyFile } = await server.welcome();
    const folder = dirname(ownerKeyFile);
    assert.strictEqual(await readFile(join(folder, ".gitignore"), "utf8"), "*\n");
  });

  it("[server.welcome.try] the welcome has a first command that works unchanged", async () => {
    const { stdout } = await run("sh", ["-c", (await server.welcome()).try]);
    assert.match(stdout, /^[A-Z]\w+-1$/m);
    const created = await server.fetch(`/api/projects/issues/${stdout.trim()}`);
    assert.include(await created.text(), '"projectId":"demo"');
  });

  it("[server.health] a started server is alive and ready", async () => {
    const { url } = await server.welcome();
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(url + path);
      assert.strictEqual(response.status, 200);
      assert.deepStrictEqual(await response.json(), { status: "ok" });
    }
  });

  it("[server.metrics] the metrics count requests by route and status, for Admins", async () => {
    const { url } = await server.welcome();
    assert.strictEqual((await fetch(`${url}/metrics`)).status, 401);
    await server.fetch("/api/projects/demo/issues?q=hello");
    const response = await server.fetch("/metrics");
    assert.strictEqual(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    assert.match(
      text,
      /quartermaster_http_requests_total\{method="GET",route="\/api\/projects\/:projectId\/issues",status="2xx"\} [1-9]/,
    );
    assert.match(text, /quartermaster_http_requests_total\{[^}]*status="4xx"\} [1-9]/);
    assert.match(text, /quartermaster_http_request_duration_seconds_bucket\{/);
    assert.match(text, /quartermaster_event_loop_lag_max_seconds \d/);
    assert.match(text, /process_resident_memory_bytes [1-9]\d{6}/);
    assert.match(text, /quartermaster_database_bytes [1-9]/);
    assert.match(text, /quartermaster_sse_streams 0/);
  });

  it("[server.metrics.domain] the metrics count heartbeats, claims and finished runs", async () => {
    const post = async (path: string, body: object) => {
      const response = await server.fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { readonly started: ReadonlyArray<{ runId: string }> };
    };
    await post("/api/projects/demo/issues", { title: "Count me", assignedAgentId: "counted" });
    const { started } = await post("/api/agents/counted/heartbeat", {});
    await post(`/api/agents/counted/runs/${started[0]?.runId}/finish`, { outcome: "review" });
    const text = await (await server.fetch("/metrics")).text();
    assert.match(text, /quartermaster_heartbeats_total 1\b/);
    assert.match(text, /quartermaster_claims_total 1\b/);
    assert.match(text, /quartermaster_finished_runs_total\{outcome="review"\} 1\b/);
    assert.match(text, /quartermaster_mcp_servers\{status="enabled"\} 0\b/);
    assert.match(text, /quartermaster_build_info\{version="\d+\.\d+\.\d+"\} 1\b/);
  });

  it("[server.openapi] the server serves its contract", async () => {
    const { url } = await server.welcome();
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, unknown>;
    };
    assert.match(document.openapi, /^3\.1\./);
    assert.property(document.paths, "/api/projects/{projectId}/issues");
  });

  it("[server.docs] the documentation loads nothing from other hosts", async () => {
    const { docs } = await server.welcome();
    const response = await fetch(docs);
    const html = await response.text();
    assert.strictEqual(response.status, 200);
    assert.include(html, '<h1 id="documentation">');
    assert.notMatch(html, /<(?:script|link|img|form)[^>]+(?:src|href|action)="(?!\/docs)/);
    assert.notMatch(response.headers.get("content-security-policy") ?? "", /https?:|\*|unsafe/);
  });

  it("[server.docs] the page of the API loads nothing from other hosts", async () => {
    const { docs } = await server.welcome();
    const response = await fetch(`${docs}/api`);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.include(policy, "default-src 'none'");
    assert.notMatch(policy, /https?:|\*/);
    assert.match(policy, /script-src 'sha256-[^']+'/);
    assert.notMatch(policy, /script-src[^;]*unsafe/);
    assert.match(response.headers.get("cache-control") ?? "", /max-age=\d+/);
    const html = await response.text();
    assert.notMatch(html, /<(script|link|img)[^>]+(src|href)=/);
    assert.notMatch(html, /url\(https?:|cdn\.|jsdelivr|unpkg|googleapis/);
    assert.isAbove(html.length, 1_000_000);
    // The page disables the developer tools, which link to another host and are on by default.
    assert.include(html, '"showDeveloperTools":"never"');
    assert.include(html, '"hideClientButton":true');
  });

  it("[server.log] the log has one line for each request except probes, without query and headers", async () => {
    const { ownerKeyFile, url } = await server.welcome();
    const secret = createHash("sha256").update(url).digest("hex");
    const ask = (path: string, key: string, requestId: string) =>
      fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${key}`, "x-request-id": requestId },
      });
    await ask(`/healthz?token=${secret}`, secret, "log-probe");
    await ask(`/nowhere?token=${secret}`, secret, "log-test");
    const line = await server.line(({ requestId }) => requestId === "log-test");
    assert.include(line, {
      level: "INFO",
      method: "GET",
      path: "/nowhere",
      status: 404,
      keyId: null,
      agentId: null,
      address: "127.0.0.1",
    });
    assert.isFalse(server.lines.some(({ requestId }) => requestId === "log-probe"));
    const ownerKey = await readFile(ownerKeyFile, "utf8");
    await ask("/api/session", ownerKey.trim(), "log-key");
    const { keyId } = await server.line(({ requestId }) => requestId === "log-key");
    assert.strictEqual(keyId, `key_${ownerKey.split("_")[1]}`);
    assert.isNumber(line["durationMs"]);
    assert.isString(line["timestamp"]);
    assert.lengthOf(
      server.lines.filter(({ requestId }) => requestId === "log-test"),
      1,
    );
    assert.notInclude(server.stdout, secret);
  });

  it("[server.malformed] malformed HTTP gets a problem", async () => {
    const { url } = await server.welcome();
    const response = await fetch(url, { headers: { "x-long": "x".repeat(20_000) } });
    assert.strictEqual(response.status, 431);
    assert.strictEqual(response.headers.get("content-type"), "application/problem+json");
  });
});
