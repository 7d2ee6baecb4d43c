import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Deferred, Effect } from "effect";
import { assertProblem, assertShape } from "./support/Assert.ts";
import { signIn } from "./support/Client.ts";
import * as EventStream from "./support/EventStream.ts";
import * as World from "./support/World.ts";

const ending = Deferred.makeUnsafe<void>();
let world: World.World;
beforeAll(async () => {
  const shutdown = { started: Deferred.await(ending), hasStarted: () => false };
  world = await World.start({ http: { shutdown } });
});
afterAll(() => world.close());

const open = (
  query = "",
  { key = world.keys.viewer.key, ...headers }: Record<string, string> = {},
) => EventStream.open(world, query, { authorization: `Bearer ${key}`, ...headers });

describe("events", () => {
  it("[events.200] the stream sends its headers immediately, then each event with id, kind and object", async () => {
    const stream = await open();
    assert.strictEqual(stream.response.status, 200);
    assert.strictEqual(stream.response.headers.get("content-type"), "text/event-stream");
    const { id } = await world.issue();
    const event = await stream.next();
    assertShape(event, {
      id: /^evt_/,
      event: "issue.created",
      data: {
        id: event!.id,
        kind: "issue.created",
        projectId: "p1",
        subjectId: id,
        issueKey: "P1-1",
        actor: { type: "User", id: world.keys.editor.id },
        data: Object,
        createdAt: String,
      },
    });
    stream.close();
  });

  it("[events.resume] a stream continues after Last-Event-ID", async () => {
    const first = await open();
    await world.issue();
    const seen = (await first.next())!;
    first.close();
    const missed = await world.issue();
    const second = await open("", { "last-event-id": seen.id });
    assert.strictEqual((await second.next())!.data.subjectId, missed.id);
    second.close();
  });

  it("[events.400] an unknown id, kind or project is a 400 before the stream starts", async () => {
    const call = (query: string, headers: Record<string, string> = {}) =>
      world.call("GET", `/api/events${query}`, { headers });
    for (const answer of [
      await call("", { "last-event-id": "evt_unknown" }),
      await call("?kinds=nothing.*"),
      await call("?projectId=issues"),
    ]) {
      assertProblem(answer, 400, "invalid-request", { errors: [Object] });
    }
  });

  it("[events.filter] a stream can be restricted to a project and to kinds", async () => {
    const stream = await open(
      "?projectId=wanted&kinds=issue.commented,issue.delet*".replace("delet*", "deleted"),
    );
    await world.issue({}, "other");
    const { id } = await world.issue({}, "wanted");
    await world.call("POST", `/api/projects/issues/${id}/comments`, {
      body: { content: "x", authorType: "User" },
    });
    await world.call("DELETE", `/api/projects/issues/${id}?confirm=true`);
    assert.deepStrictEqual(
      [(await stream.next())!.event, (await stream.next())!.event],
      ["issue.commented", "issue.deleted"],
    );
    stream.close();
  });

  it("[events.projects] a bound key sees only its projects, and only Admins see events of keys", async () => {
    const { key } = await world.key({ role: "Viewer", projects: ["mine"] });
    const bound = await open("", { key });
    const admin = await open("?kinds=key.*", { key: world.keys.admin.key });
    const made = await world.key({ role: "Viewer" });
    await world.issue({}, "theirs");
    const mine = await world.issue({}, "mine");
    assert.strictEqual((await bound.next())!.data.subjectId, mine.id);
    assert.strictEqual((await admin.next())!.data.subjectId, made.id);
    bound.close();
    admin.close();
  });

  it("[events.ends.key] a stream ends with its key, and [events.ends.session] with its session", async () => {
    const { id, key } = await world.key({ role: "Viewer" });
    const byKey = await open("", { key });
    const { cookie } = await signIn(world, world.keys.viewer.key);
    const byCookie = await EventStream.open(world, "", { cookie });
    assert.strictEqual(byCookie.response.status, 200);
    await world.as(world.keys.owner.key)("DELETE", `/api/keys/${id}`);
    await world.as(undefined)("DELETE", "/api/session", {
      headers: { cookie, "sec-fetch-site": "same-origin" },
    });
    const untilEnd = async (stream: typeof byKey) => {
      while ((await stream.next()) !== undefined);
      return "ended";
    };
    assert.deepStrictEqual(await Promise.all([untilEnd(byKey), untilEnd(byCookie)]), [
      "ended",
      "ended",
    ]);
  });

  it("[events.head] HEAD returns only the headers", async () => {
    const answer = await world.call("HEAD", "/api/events");
    assert.deepStrictEqual(
      [answer.status, answer.headers.get("content-type"), answer.text],
      [200, "text/event-stream", ""],
    );
  });

  it("[events.ends.shutdown] a stream ends promptly when the server starts to shut down", async () => {
    const stream = await open();
    await Effect.runPromise(Deferred.succeed(ending, undefined));
    assert.isUndefined(await stream.next());
  });
});
