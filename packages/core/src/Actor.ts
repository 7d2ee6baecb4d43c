import { Schema } from "effect";

/** Who did something: a person, an agent, or the service itself. */
export const Actor = Schema.Struct({
  type: Schema.Literals(["User", "Agent", "System"]).annotateKey({
    description: "`User` for a person, `Agent` for an agent, `System` for the service itself.",
  }),
  id: Schema.String.annotateKey({
    description: "The user's, agent's or key's id; `quartermaster` for the service itself.",
  }),
}).annotate({
  identifier: "Actor",
  description: "The person, agent or service that did something.",
});
export interface Actor extends Schema.Schema.Type<typeof Actor> {}

/** The service itself, for what no caller asked for (a lease that ran out, a clean-up). */
export const system: Actor = { type: "System", id: "quartermaster" };
