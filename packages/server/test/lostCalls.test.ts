import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, describe, it, vi } from "@effect/vitest";
import { type Answer, as } from "../../http/test/support/Client.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

/** An entry of the catalog for a program that never responds to calls of its tools, `look` and `pay`. */
const hangingEntry = {
  id: "hanging",
  name: "hanging",
  description: "Never responds to calls.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "Nothing to do.",
  manifest: {
    command: process.execPath,
    args: [fileURLToPath(new URL("contextServer.ts", import.meta.url)), "stdio", "hang"],
  },
};

const bodyOf = async (answer: Promise<Answer>) => {
  const { body, status, text } = await answer;
  assert.isBelow(status, 300, text);
  return body;
};

interface Call {
  readonly outcome: string | null;
  readonly error: string | null;
  readonly durationMs: number | null;
}

/** A server with the hanging program, and a run of `bot`. */
const start = async () => {
  const folder = await temporaryFolder();
  const catalog = join(folder, "catalog.json");
  await writeFile(catalog, JSON.stringify([hangingEntry]));
  const serve = () => Quartermaster.start(join(folder, "data"), { QM_CATALOG: catalog });
  const server = await serve();
  const send = (method: string, path: string, body?: unknown) =>
    bodyOf(server.call(method, path, { body }));
  const { id } = await send("POST", "/api/mcp/installed", {
    catalogId: "hanging",
    once: [{ tools: ["pay"] }],
  });
  const at = `/api/mcp/installed/${id}`;
  const verified = await send("POST", `${at}/verify`);
  assert.strictEqual(verified.status, "ok", verified.details);
  await send("POST", `${at}/enable`);
  await send("PUT", `${at}/access`, { entries: [{ agentId: "bot", granted: true }] });
  const issue = await send("POST", "/api/projects/shop/issues", {
    title: "Pay",
    assignedAgentId: "bot",
  });
  const { started } = await send("POST", "/api/agents/bot/heartbeat", {});
  const viewer = await send("POST", "/api/keys", { name: "v", role: "Viewer" });
  const runId: string = started[0].runId;
  return { issueId: issue.id as string, runId, send, serve, server, viewerKey: viewer.key };
};

describe("a server that is killed while calls are in flight", { timeout: 150_000 }, () => {
  it("[tools.calls.lost] its calls are lost 30 s after their last extension, as the run, the records and the effects say", async () => {
    const { issueId, runId, serve, server, viewerKey } = await start();
    const calls = async (at: Quartermaster): Promise<ReadonlyArray<Call>> =>
      bodyOf(at.call("GET", `/api/mcp/calls?runId=${runId}&order=asc`));
    const unanswered = ["look", "pay"].map((tool) =>
      server
        .call("POST", "/api/agents/bot/tools/call", {
          body: { name: `hanging__${tool}`, arguments: {}, runId },
        })
        .catch(() => "no response"),
    );
    await vi.waitFor(async () => assert.lengthOf(await calls(server), 2), { timeout: 20_000 });
    const killedAt = performance.now();
    await server.kill();
    assert.deepStrictEqual(await Promise.all(unanswered), ["no response", "no response"]);

    const again = await serve();
    const own = `/api/agents/bot/runs/${runId}`;
    const issue = `/api/projects/issues/${issueId}`;
    const read = (path: string) => bodyOf(again.call("GET", path));
    const counts = async () => (await read(`/api/runs/${runId}`)).calls;
    const codes = async () =>
      (await read(`${issue}/readiness`)).reasons.map(({ code }: { readonly code: string }) => code);
    const timeline = async () =>
      (await read(`${own}/timeline`)).map(({ kind, state, tool }: Record<string, unknown>) =>
        [kind, tool, state].filter((part) => part !== undefined).join(" "),
      );
    for (const { durationMs, outcome } of await calls(again)) {
      assert.deepStrictEqual([outcome, durationMs], [null, null]);
    }
    assert.deepStrictEqual(await counts(), { total: 0, failed: 0 });
    assert.include(await codes(), "callInFlight");
    assert.sameMembers(await timeline(), [
      "started",
      "call hanging/look",
      "call hanging/pay",
      "effect hanging/pay sent",
    ]);
    await vi.waitFor(
      async () => {
        for (const { outcome } of await calls(again)) assert.strictEqual(outcome, "lost");
      },
      { timeout: 40_000, interval: 500 },
    );
    const seconds = (performance.now() - killedAt) / 1_000;
    assert.isAtLeast(seconds, 20);
    assert.deepStrictEqual(await counts(), { total: 2, failed: 2 });
    assert.notInclude(await codes(), "callInFlight");
    assert.deepInclude(await timeline(), "effect hanging/pay unknown");
    for (const filter of ["lost", "failed"]) {
      assert.lengthOf(await read(`/api/mcp/calls?outcome=${filter}&runId=${runId}`), 2);
    }
    const asViewer = await bodyOf(as(again, viewerKey)("GET", `${own}/calls`));
    const asOwner: ReadonlyArray<Call> = await read(`${own}/calls`);
    for (const [n, { durationMs, error, outcome }] of asOwner.entries()) {
      assert.strictEqual(outcome, "lost");
      assert.isAtLeast(durationMs ?? 0, 20_000);
      assert.match(error ?? "", /node of the service stopped.*may have carried it out/);
      assert.deepInclude(asViewer[n], { outcome: "lost", error: null });
    }
    const [effect] = await read(`${issue}/effects`);
    assert.deepInclude(effect, { tool: "pay", state: "unknown" });
    const [item] = await read("/api/inbox");
    assert.deepInclude(item, { kind: "effectUnknown", callId: effect.callId });
    const repeated = await again.call("POST", "/api/agents/bot/tools/call", {
      body: { name: "hanging__pay", arguments: {}, runId },
    });
    assert.deepInclude(repeated.body, { reason: "effectUnknown", callId: effect.callId });
  });
});
