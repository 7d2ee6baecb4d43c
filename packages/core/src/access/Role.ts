import { Schema } from "effect";

/** Viewer < Editor < Admin < Owner: each role may do what the roles before it may. */
export const Role = Schema.Literals(["Viewer", "Editor", "Admin", "Owner"]);
export type Role = typeof Role.Type;

/** Whether `role` is `required` or above. */
export const includes = (role: Role, required: Role): boolean =>
  Role.literals.indexOf(role) >= Role.literals.indexOf(required);
