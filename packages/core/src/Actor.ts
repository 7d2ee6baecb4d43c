import { Schema } from "effect";

/** The person, agent or service that did something. */
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

/**
 * The service itself, as the actor of changes that no caller requested, such as the expiry of a
 * lease.
 */
export const system: Actor = { type: "System", id: "quartermaster" };
