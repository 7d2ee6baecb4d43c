import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Clock, Context, Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import * as Client from "./support/Client.ts";
import * as EventStream from "./support/EventStream.ts";
import * as World from "./support/World.ts";

let world: World.World;
let clock: TestClock.TestClock;
const adjust = (duration: `${number} seconds`) =>
  Effect.runPromise(clock.adjust(duration)).then(() => undefined);

beforeAll(async () => {
  clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  world = await World.start({
    clock: Layer.succeedContext(Context.make(Clock.Clock, clock) as Context.Context<never>),
  });
});
afterAll(() => world.close());

describe("events", () => {
  it("[events.keep-alive] the stream sends a comment line immediately and every 15 seconds", async () => {
    const controller = new AbortController();
    const response = await Client.request(world, "GET", "/api/events", {
      key: world.keys.viewer.key,
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let buffer = "";
    const next = async () => {
      while (!buffer.includes("\n\n")) {
        const { value = "\n\n" } = await reader.read();
        buffer += value;
      }
      const block = buffer.slice(0, buffer.indexOf("\n\n"));
      buffer = buffer.slice(block.length + 2);
      return /^event: /m.exec(block) === null ? block : "an event";
    };
    assert.strictEqual(await next(), ":");
    for (let round = 0; round < 3; round++) {
      // If the event is the next thing that arrives, nothing was sent before it.
      await adjust("14 seconds");
      await world.issue();
      assert.strictEqual(await next(), "an event");
      await adjust("1 seconds");
      assert.strictEqual(await next(), ":");
    }
    controller.abort();
  });

  it("[events.session-idle] an open stream does not prolong its session", async () => {
    const { cookie } = await Client.signIn(world, world.keys.viewer.key);
    const headers = { cookie };
    const stream = await EventStream.open(world, "", headers);
    await adjust("360 seconds");
    stream.close();
    await adjust(`${12 * 3_600 - 360} seconds`);
    assert.strictEqual((await world.as(undefined)("GET", "/api/session", { headers })).status, 401);
  });
});
