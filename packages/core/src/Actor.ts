import { Schema } from "effect";

/** Who did something: a person, an agent, or the service itself. */
export const Actor = Schema.Struct({
  type: Schema.Literals(["User", "Agent", "System"]),
  id: Schema.String,
}).annotate({ identifier: "Actor" });
export interface Actor extends Schema.Schema.Type<typeof Actor> {}

/** The service itself, for what no caller asked for (a lease that ran out, a clean-up). */
export const system: Actor = { type: "System", id: "quartermaster" };
