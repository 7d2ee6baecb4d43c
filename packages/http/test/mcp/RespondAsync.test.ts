import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Deferred, Effect } from "effect";
import { assertFields, assertProblem, assertShape } from "../support/Assert.ts";
import * as EventStream from "../support/EventStream.ts";
import { tool } from "../support/Servers.ts";
import * as World from "../support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const get = async (id: string) => (await world.admin("GET", world.at(id))).body;

const post = (id: string, what: string, prefer: string) =>
  world.admin("POST", world.at(id, `/${what}`), { headers: { prefer } });

/** The events of MCP servers from now on. */
const events = () =>
  EventStream.open(world, "?kinds=mcp.preparing,mcp.prepared,mcp.verified,mcp.enabled", {
    authorization: `Bearer ${world.keys.admin.key}`,
  });

const missing = { resource: "installedServer", id: "mcp_none" };

/** A server whose list of tools waits until the test releases it. */
const slow = async () => {
  const gate = Deferred.makeUnsafe<void>();
  const script = world.script("notes");
  script.tools = [tool("write")];
  script.onList = Deferred.await(gate);
  const { id } = await world.notes();
  return { id, script, finish: () => Deferred.doneUnsafe(gate, Effect.void) };
};

describe("Prefer: respond-async", () => {
  it("[mcp.async.verify] a verify responds with 202 and the server, and its result follows", async () => {
    const { finish, id } = await slow();
    const stream = await events();
    const answer = await post(id, "verify", "wait=10, Respond-Async");
    assert.strictEqual(answer.status, 202);
    assert.strictEqual(answer.headers.get("preference-applied"), "respond-async");
    assert.deepStrictEqual(answer.body, await get(id));
    assert.isNull(answer.body.lastVerification);
    finish();
    for (const kind of ["mcp.preparing", "mcp.prepared", "mcp.verified"]) {
      assertFields((await stream.next())!, { event: kind });
    }
    stream.close();
    const { lastVerification } = await get(id);
    assertShape(lastVerification, {
      status: "ok",
      details: String,
      capabilities: ["write"],
      tokens: Number,
      verifiedAt: /Z$/,
    });
  });

  it("[mcp.async.verify] a verify with the header is refused like one without it, and other preferences are ignored", async () => {
    const { finish, id } = await slow();
    finish();
    assertProblem(await post("mcp_none", "verify", "respond-async"), 404, "not-found", missing);
    const digest = `verify?accept=${"0".repeat(64)}`;
    assertProblem(await post(id, digest, "respond-async"), 412, "precondition-failed", {
      version: null,
      names: [],
    });
    const answer = await post(id, "verify", "respond-async-never, return=minimal");
    assert.deepStrictEqual([answer.status, answer.body.status], [200, "ok"]);
    assert.isNull(answer.headers.get("preference-applied"));
  });

  it("[mcp.async.enable] an enable responds with 202 and the enabled server", async () => {
    const { id } = await world.install({ catalogId: "test-tool" });
    const stream = await events();
    const answer = await post(id, "enable", "respond-async");
    assert.strictEqual(answer.status, 202);
    assert.strictEqual(answer.headers.get("preference-applied"), "respond-async");
    assertFields(answer.body, { id, status: "enabled" });
    for (const kind of ["mcp.enabled", "mcp.preparing", "mcp.prepared"]) {
      assertFields((await stream.next())!, { event: kind });
    }
    stream.close();
    assert.strictEqual((await post(id, "enable", "respond-async")).status, 202);
    assertProblem(await post("mcp_none", "enable", "respond-async"), 404, "not-found", missing);
  });

  it("[mcp.async.hang-up] a verify whose client disconnects stores its result", async () => {
    const { finish, id, script } = await slow();
    const stream = await events();
    const client = new AbortController();
    const { signal } = client;
    const verifying = world.admin("POST", world.at(id, "/verify"), { signal }).catch(() => null);
    await Effect.runPromise(script.until(() => script.connections > 0));
    client.abort();
    assert.isNull(await verifying);
    // A second client, after the first one has gone, waits for the same verify.
    const again = world.admin("POST", world.at(id, "/verify"));
    assert.isNull((await get(id)).lastVerification);
    finish();
    assertFields((await again).body, { status: "ok" });
    while ((await stream.next())?.event !== "mcp.verified");
    stream.close();
    assertFields((await get(id)).lastVerification, { status: "ok", capabilities: ["write"] });
    assert.strictEqual(script.connections, 0);
  });
});
