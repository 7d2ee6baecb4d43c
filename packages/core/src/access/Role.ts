import { Schema } from "effect";

/** Viewer < Editor < Admin < Owner. */
export const Role = Schema.Literals(["Viewer", "Editor", "Admin", "Owner"]);
export type Role = typeof Role.Type;

/** Whether `role` may do what takes `required`. */
export const includes = (role: Role, required: Role): boolean =>
  Role.literals.indexOf(role) >= Role.literals.indexOf(required);
