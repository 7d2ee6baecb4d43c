import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { assert, describe, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

const isEnding = ({ message }: Record<string, unknown>) =>
  message === "Shutting down: draining in-flight requests";

/** Sends a request without the rest of its body. */
const slowly = async (server: Quartermaster) => {
  const { url } = await server.welcome();
  const body = JSON.stringify({ title: "Slow but sure" });
  const call = request(`${url}/api/projects/demo/issues`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await server.ownerKey()}`,
      "content-type": "application/json",
      "content-length": body.length,
    },
  });
  call.write(body.slice(0, 5));
  return { call, rest: body.slice(5) };
};

// Each test has its own server, and one waits for 10 s.
describe("shutdown of a server", { concurrent: true }, () => {
  it("[server.sigterm] SIGTERM finishes requests in flight, ends streams, and exits 0", async ({
    onTestFinished: end,
  }) => {
    const server = Quartermaster.serve(await temporaryFolder(end), {}, end);
    const { url } = await server.welcome();
    const events = await server.fetch("/api/events");
    assert.strictEqual(events.status, 200);
    const { call, rest } = await slowly(server);
    // The request has arrived when the server responds to a later one.
    await server.fetch("/api/projects/demo/issues");

    server.child.kill("SIGTERM");
    await server.line(isEnding);
    await events.text();
    assert.isTrue(
      await fetch(`${url}/readyz`).then(
        ({ status }) => status === 503,
        () => true,
      ),
    );
    call.end(rest);
    const [response] = await once(call, "response");
    assert.strictEqual(response.statusCode, 201);
    await text(response);

    assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
    assert.strictEqual(server.stderr, "");
  });

  it("[server.sigint] SIGINT exits 0 immediately when nothing is in flight", async ({
    onTestFinished: end,
  }) => {
    const server = Quartermaster.serve(await temporaryFolder(end), {}, end);
    await server.welcome();
    server.child.kill("SIGINT");
    assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
  });

  it("[server.sigusr1] SIGUSR1 does not start a debugger", async ({ onTestFinished: end }) => {
    const server = await Quartermaster.start(await temporaryFolder(end), {}, end);
    server.child.kill("SIGUSR1");
    // Node.js writes a line when its debugger listens or fails to, before a shutdown has finished.
    assert.strictEqual((await fetch(`${server.url}/healthz`)).status, 200);
    server.child.kill("SIGTERM");
    assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
    assert.notMatch(server.stderr, /debugger|inspector/i);
  });

  it("[server.sigterm.second] a second signal stops the wait", async ({ onTestFinished: end }) => {
    const server = Quartermaster.serve(await temporaryFolder(end), {}, end);
    await server.welcome();
    const { call } = await slowly(server);
    call.on("error", () => {});
    await server.fetch("/api/projects/demo/issues");
    server.child.kill("SIGTERM");
    await server.line(isEnding);
    server.child.kill("SIGTERM");
    assert.deepStrictEqual(await server.exited, { code: 1, signal: null });
  });

  it("[server.sigterm.limit] a request that takes longer than 10 s is cut off, and the server exits 0", async ({
    onTestFinished: end,
  }) => {
    const server = Quartermaster.serve(await temporaryFolder(end), {}, end);
    await server.welcome();
    const { call } = await slowly(server);
    const cut = once(call, "error");
    await server.fetch("/api/projects/demo/issues");
    server.child.kill("SIGTERM");
    const { message } = await server.line(({ level }) => level === "WARN");
    assert.strictEqual(message, "1 requests were aborted because they took too long");
    await cut;
    assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
  }, 60_000);

  it("[server.sigkill] a killed server loses no acknowledged write", async ({
    onTestFinished: end,
  }) => {
    const folder = await temporaryFolder(end);
    const first = Quartermaster.serve(folder, {}, end);
    await first.welcome();
    const acknowledged: Array<string> = [];
    const writer = async (name: number) => {
      for (let count = 0; ; count++) {
        const response = await first.fetch("/api/projects/demo/issues", {
          method: "POST",
          body: JSON.stringify({ title: `Issue ${name} ${count}` }),
        });
        if (response.status !== 201) return;
        acknowledged.push(((await response.json()) as { id: string }).id);
        if (acknowledged.length === 40) first.child.kill("SIGKILL");
      }
    };
    await Promise.allSettled([1, 2, 3, 4].map(writer));
    assert.deepStrictEqual(await first.exited, { code: null, signal: "SIGKILL" });

    const second = Quartermaster.serve(folder, {}, end);
    for (const id of acknowledged) {
      assert.strictEqual((await second.fetch(`/api/projects/issues/${id}`)).status, 200, id);
    }
    assert.isAtLeast(acknowledged.length, 40);
  });
});
