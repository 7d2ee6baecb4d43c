import { Schema } from "effect";

/**
 * Metrics < Viewer < Editor < Admin < Owner: from Viewer on, each role includes the roles before
 * it. Metrics is only for reading a host's metrics and sees no project.
 */
export const Role = Schema.Literals(["Metrics", "Viewer", "Editor", "Admin", "Owner"]);
export type Role = typeof Role.Type;

/** Returns whether `role` is `required` or above. */
export const includes = (role: Role, required: Role): boolean =>
  Role.literals.indexOf(role) >= Role.literals.indexOf(required);
