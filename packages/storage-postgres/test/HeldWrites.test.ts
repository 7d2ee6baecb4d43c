import { assert, it } from "@effect/vitest";
import { HeldWrites } from "../src/client/HeldWrites.ts";

const event = "INSERT INTO events_new (id) VALUES ($1)";
const run = "UPDATE runs SET note = $1 WHERE id = $2";
const issue =
  "WITH added AS (\n INSERT INTO issues (id) VALUES ($1) RETURNING seq) INSERT INTO issue_text";

it("an update of a run joins an event before it, and an event waits for an update before it", () => {
  const held = new HeldWrites();
  assert.strictEqual(held.hold(event, ["evt"]), "held");
  assert.strictEqual(held.hold(run, ["note", "run"]), "held");
  assert.deepStrictEqual(held.take(), {
    text: `WITH w0 AS (${event}) UPDATE runs SET note = $2 WHERE id = $3`,
    params: ["evt", "note", "run"],
  });
  assert.strictEqual(held.hold(run, ["note", "run"]), "held");
  // Its place would be drawn before the wait for a transaction that has locked the run.
  assert.strictEqual(held.hold(event, ["evt"]), "afterOthers");
  assert.deepStrictEqual(held.take(), { text: run, params: ["note", "run"] });
  assert.isTrue(held.isEmpty);
});

it("a new issue takes its event along, and a changed issue is not held", () => {
  const held = new HeldWrites();
  assert.strictEqual(held.hold(issue, ["iss"]), "held");
  assert.strictEqual(held.hold(event, ["evt"]), "held");
  assert.strictEqual(held.hold("UPDATE issues SET status = $1", ["Open"]), "no");
  assert.strictEqual(held.hold("INSERT INTO runs (id) VALUES ($1) RETURNING seq", ["run"]), "no");
  assert.deepStrictEqual(held.take(), {
    text: `WITH w1 AS (${event.replace("$1", "$2")}) ${issue.replace("WITH", ",")}`,
    params: ["iss", "evt"],
  });
});
