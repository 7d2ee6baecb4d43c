import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { connect, isProblem } from "@quartermaster/client";
import * as World from "../support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

describe("connect", () => {
  it("[client.connect] a method creates, lists and closes", async () => {
    const qm = connect({ url: world.url, key: world.keys.editor.key });
    const issue = await qm.issues.create({ projectId: "p1", title: "Mend" });
    assert.strictEqual((await qm.issues.get({ issueId: issue.id })).title, "Mend");
    const titles = await Array.fromAsync(
      qm.issues.list({ projectId: "p1", limit: 1 }),
      (i) => i.title,
    );
    assert.deepStrictEqual(titles, ["Mend"]);
    await qm.issues.close({ issueId: issue.id, force: true }, { ifMatch: issue.version });
    const error = await qm.issues.get({ issueId: "iss_none" }).catch((error: unknown) => error);
    assert.isTrue(isProblem(error, "not-found") && error.members.resource === "issue");
    const uploaded = await qm.attachments.upload({
      issueId: issue.id,
      file: new Blob(["hello"]),
      fileName: "a.txt",
    });
    const streamed = await qm.attachments.upload({
      issueId: issue.id,
      file: new Blob(["hello2"]).stream(),
      fileName: 'b".txt',
    });
    assert.strictEqual(streamed.fileName, "b%22.txt");
    const download = await qm.attachments.download({ attachmentId: uploaded.id });
    assert.strictEqual(await download.text(), "hello");
    const events = await qm.events.subscribe({});
    await qm.issues.create({ projectId: "p1", title: "Two", assignedAgentId: "ops" });
    for await (const event of events) {
      assert.strictEqual(event.kind, "issue.created");
      break;
    }
    const seen: Array<string> = [];
    for await (const task of qm.agent("ops").tasks()) {
      await task.turn();
      const done = await task.finish({ outcome: "resolved" });
      seen.push(done.status);
      break;
    }
    assert.deepStrictEqual(seen, ["Resolved"]);
  });
});
