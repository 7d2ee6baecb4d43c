import { Schema } from "effect";

/**
 * Metrics < Viewer < Editor < Admin < Owner: each role from Viewer on may do what the roles before it
 * may. Metrics is for a host's own metrics only: it sees no project.
 */
export const Role = Schema.Literals(["Metrics", "Viewer", "Editor", "Admin", "Owner"]);
export type Role = typeof Role.Type;

/** Whether `role` is `required` or above. */
export const includes = (role: Role, required: Role): boolean =>
  Role.literals.indexOf(role) >= Role.literals.indexOf(required);
