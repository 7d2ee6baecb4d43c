import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest";
import { AttachmentContent, Errors, IssueStore, KeyStore, Transactor } from "@quartermaster/core";
import { MemoryStorage } from "@quartermaster/testing";
import { Context, Effect, Layer, Stream } from "effect";
import { assertProblem } from "./support/Assert.ts";
import * as World from "./support/World.ts";

/** The failures of storage: every read, reads of attachment bytes, or only the commit of a change. */
const failing = { reads: false, bytes: false, commits: false };
const down = new Errors.StorageError({
  reason: "The disk is full",
  isRetryable: true,
  cause: new Error("secret cause at /some/path"),
});
const unless = (isDown: () => boolean) =>
  Effect.suspend(() => (isDown() ? Effect.fail(down) : Effect.void));

const storage = Layer.effectContext(
  Effect.gen(function* () {
    const context = yield* Layer.build(MemoryStorage.layer);
    const content = Context.get(context, AttachmentContent.AttachmentContent);
    const issues = Context.get(context, IssueStore.IssueStore);
    const keys = Context.get(context, KeyStore.KeyStore);
    const transactor = Context.get(context, Transactor.Transactor);
    return context.pipe(
      Context.add(AttachmentContent.AttachmentContent, {
        ...content,
        read: (...range) =>
          Stream.concat(
            Stream.fromEffectDrain(unless(() => failing.bytes)),
            content.read(...range),
          ),
      }),
      Context.add(IssueStore.IssueStore, {
        ...issues,
        get: (id) =>
          Effect.andThen(
            unless(() => failing.reads),
            issues.get(id),
          ),
      }),
      Context.add(KeyStore.KeyStore, {
        ...keys,
        get: (id) =>
          Effect.andThen(
            unless(() => failing.reads),
            keys.get(id),
          ),
        recent: (id) =>
          Effect.andThen(
            unless(() => failing.reads),
            keys.recent(id),
          ),
      }),
      Context.add(Transactor.Transactor, {
        ...transactor,
        transact: (effect) =>
          transactor.transact(
            Effect.tap(
              effect,
              unless(() => failing.commits),
            ),
          ) as never,
      }),
    );
  }),
);

let world: World.World;
const logged: Array<string> = [];
beforeAll(async () => {
  world = await World.start({ storage, log: ({ text }) => logged.push(text) });
});
afterAll(() => world.close());
beforeEach(() => void Object.assign(failing, { reads: false, bytes: false, commits: false }));

const assertUnavailable = (answer: Awaited<ReturnType<World.World["call"]>>) => {
  assertProblem(answer, 503, "unavailable");
  assert.isAtLeast(Number(answer.headers.get("retry-after")), 1);
  assert.notMatch(answer.text, /secret|path|disk is full/);
};

describe("unavailable storage", () => {
  it("[problem.unavailable] reads that fail respond with 503 and Retry-After, and later reads succeed", async () => {
    const { id } = await world.issue();
    failing.reads = true;
    for (const [method, path] of [
      ["GET", `/api/projects/issues/${id}`],
      ["GET", "/api/projects/p1/issues"],
      ["GET", "/api/agents"],
      ["DELETE", `/api/projects/issues/${id}?confirm=true`],
    ] as const) {
      assertUnavailable(await world.call(method, path));
    }
    failing.reads = false;
    assert.strictEqual((await world.call("GET", `/api/projects/issues/${id}`)).status, 200);
    assert.notInclude(logged.join("\n"), world.keys.editor.key);
  });

  it("[problem.unavailable] a download whose bytes cannot be read responds with 503, and later with the bytes", async () => {
    const { id } = await world.issue();
    const { body } = await world.attach(id, new File(["hello"], "notes.txt"));
    failing.bytes = true;
    assertUnavailable(await world.call("GET", body.downloadUrl));
    assert.strictEqual((await world.call("HEAD", body.downloadUrl)).status, 200);
    failing.bytes = false;
    assert.strictEqual((await world.call("GET", body.downloadUrl)).text, "hello");
  });

  it("[problem.unavailable] a commit that fails responds with 503 and stores no part of the change", async () => {
    const { id } = await world.issue();
    const read = async () =>
      Promise.all(
        ["", "/comments", "/attachments", "/activity"].map(
          async (rest) => (await world.call("GET", `/api/projects/issues/${id}${rest}`)).text,
        ),
      );
    const before = await read();
    failing.commits = true;
    const path = `/api/projects/issues/${id}`;
    const comment = { content: "x", authorType: "User" };
    for (const answer of [
      await world.call("POST", "/api/projects/fresh/issues", { body: { title: "x" } }),
      await world.call("PUT", path, { body: { title: "y" } }),
      await world.call("POST", `${path}/comments`, { body: comment }),
      await world.call("POST", `${path}/close`),
      await world.call("DELETE", `${path}?confirm=true`),
      await world.call("POST", "/api/agents/a1/heartbeat", { body: {} }),
      await world.attach(id, new File(["x"], "x.txt")),
    ]) {
      assertUnavailable(answer);
    }
    failing.commits = false;
    assert.deepStrictEqual(await read(), before);
    assert.deepStrictEqual((await world.call("GET", "/api/projects/fresh/issues")).body, []);
    assert.strictEqual((await world.call("GET", "/api/agents/a1/runs")).status, 404);
  });
});
