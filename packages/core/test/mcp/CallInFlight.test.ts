import { assert, describe, it } from "@effect/vitest";
import { type Event, type State, transition } from "../../src/mcp/gateway/internal/CallInFlight.ts";

const states: ReadonlyArray<State> = ["finding", "waiting", "sent", "ended"];
const events: ReadonlyArray<Event> = ["found", "serverChanged", "sent", "rejected", "ended"];

describe("CallInFlight", () => {
  it.each<[State, Event, State]>([
    ["finding", "found", "waiting"],
    ["finding", "ended", "ended"],
    ["waiting", "serverChanged", "finding"],
    ["waiting", "sent", "sent"],
    ["waiting", "ended", "ended"],
    ["sent", "rejected", "waiting"],
    ["sent", "ended", "ended"],
  ])("[tools.call.unsent] a call that is %s, when %s, becomes %s", (before, event, after) => {
    assert.strictEqual(transition(before, event), after);
  });

  it("[tools.call.unsent] a state ignores every other event", () => {
    const changes = states.flatMap((state) =>
      events.filter((event) => transition(state, event) !== state),
    );
    assert.lengthOf(changes, 7);
  });

  it("[tools.call.unsent] a call that was sent is not looked for again", () => {
    assert.strictEqual(transition("sent", "serverChanged"), "sent");
    assert.strictEqual(transition("sent", "found"), "sent");
  });
});
