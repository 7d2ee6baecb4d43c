import { assert, describe, it } from "@effect/vitest";
import {
  type Event,
  isAvailable,
  type State,
  transition,
} from "../../src/mcp/connections/internal/ConnectionSlot.ts";

const states: ReadonlyArray<State> = ["opening", "ready", "checking", "draining", "closed"];
const events: ReadonlyArray<Event> = ["opened", "announced", "checked", "stopped", "closed"];

describe("ConnectionSlot", () => {
  it.each<[State, Event, State]>([
    ["opening", "opened", "ready"],
    ["opening", "stopped", "draining"],
    ["ready", "announced", "checking"],
    ["ready", "stopped", "draining"],
    ["checking", "checked", "ready"],
    ["checking", "stopped", "draining"],
    ["draining", "closed", "closed"],
  ])("[mcp.connect.slot] %s, when %s, becomes %s", (before, event, after) => {
    assert.strictEqual(transition(before, event), after);
  });

  it("[mcp.connect.slot] a state ignores every other event", () => {
    const changes = states.flatMap((state) =>
      events.filter((event) => transition(state, event) !== state),
    );
    assert.lengthOf(changes, 7);
  });

  it("[mcp.connect.slot] a stopped slot never accepts users again", () => {
    for (const state of ["draining", "closed"] as const) {
      for (const event of events) assert.isFalse(isAvailable(transition(state, event)));
    }
  });

  it("[mcp.connect.slot] every state reaches closed", () => {
    for (const state of states) {
      assert.strictEqual(transition(transition(state, "stopped"), "closed"), "closed");
    }
  });

  it("[mcp.connect.slot] a slot closes only after it was stopped", () => {
    for (const state of ["opening", "ready", "checking"] as const) {
      assert.strictEqual(transition(state, "closed"), state);
    }
  });
});
