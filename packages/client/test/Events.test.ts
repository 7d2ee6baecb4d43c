import { assert, describe, it } from "@effect/vitest";
import { connect, isProblem } from "@quartermaster/client";
import { MemoryStorage } from "@quartermaster/testing";
import { Effect, Layer, Scope } from "effect";
import { rejection } from "../../http/test/support/Assert.ts";
import * as World from "../../http/test/support/World.ts";
import * as Gate from "./Gate.ts";

/** Storage that two servers use one after the other. */
const shared = async () => {
  const scope = Effect.runSync(Scope.make());
  const context = await Effect.runPromise(Layer.buildWithScope(MemoryStorage.layer, scope));
  return Layer.succeedContext(context);
};

describe("events of the client without Effect", () => {
  it("[client.events] a stream resumes after a restart of the server and misses nothing", async () => {
    const storage = await shared();
    const before = await World.start({ storage });
    const gate = await Gate.open(before);
    const key = before.keys.editor.key;
    const qm = connect({ url: gate.url, key });
    const events = await qm.events.subscribe({ projectId: "p1", kinds: "issue.created" });
    const read = async () => (await events.next()).value ?? assert.fail("the stream ended");
    const first = await qm.issues.create({ projectId: "p1", title: "first" });
    assert.strictEqual((await read()).subjectId, first.id);

    gate.away();
    await before.close();
    const after = await World.forTest({ storage });
    const direct = connect({ url: after.url, key });
    const second = await direct.issues.create({ projectId: "p1", title: "second" });
    await gate.back(after);
    const event = await read();
    assert.strictEqual(event.subjectId, second.id);
    const third = await qm.issues.create({ projectId: "p1", title: "third" });
    assert.strictEqual((await read()).subjectId, third.id);
    await events.return?.();

    const later = await qm.events.subscribe({ projectId: "p1" }, { lastEventId: event.id });
    for await (const { subjectId } of later) {
      assert.strictEqual(subjectId, third.id);
      break;
    }
  });

  it("[client.events] a stream ends with its signal, and rejects when the server refuses it", async () => {
    const world = await World.forTest();
    const qm = connect({ url: world.url, key: world.keys.editor.key });
    const abort = new AbortController();
    const events = await qm.events.subscribe({}, { signal: abort.signal });
    const next = events.next();
    abort.abort();
    assert.isTrue((await next).done);
    const refused = await rejection(qm.events.subscribe({}, { lastEventId: "evt_none" }));
    assert.isTrue(isProblem(refused, "invalid-request"));
    const admin = connect({ url: world.url, key: world.keys.admin.key });
    const key = await admin.keys.create({ name: "short", role: "Viewer" });
    const revoked = await connect({ url: world.url, key: key.key }).events.subscribe({});
    await admin.keys.delete({ keyId: key.id });
    assert.isTrue(isProblem(await rejection(revoked.next()), "unauthenticated"));
  });
});
