import { Schema } from "effect";
import { ErrorClass } from "../ErrorClass.ts";
import { Role } from "./Role.ts";

/** Errors about the caller. */

/** Credentials that are missing, wrong, expired or revoked. The error does not reveal which. */
export class Unauthenticated
  extends /* @__PURE__ */ ErrorClass<Unauthenticated>()(
    "Unauthenticated",
    {},
    () => "The credentials are missing, wrong, expired or revoked. Use valid ones.",
  ) {}

/** The role is too low, or the call requires another kind of principal. */
export class Forbidden extends ErrorClass<Forbidden>()(
  "Forbidden",
  {
    requiredRole: Schema.NullOr(Role).annotate({
      description: "The lowest role that is allowed; null if another kind of key is required.",
    }),
    /** The refusal and the remedy, if the general sentence would mislead. */
    explanation: Schema.optional(Schema.String),
  },
  ({ explanation, requiredRole }) =>
    explanation ??
    (requiredRole === null
      ? "A key of this kind is not allowed here, whatever its role. Use another kind of key."
      : `The role of this key is too low. Use a key with the role ${requiredRole} or above.`),
) {}

/** The key is the last Owner key that has not expired. */
export class LastOwnerKey
  extends /* @__PURE__ */ ErrorClass<LastOwnerKey>()(
    "LastOwnerKey",
    {},
    () => "This is the last Owner key that has not expired. Create another one first.",
  ) {}
