import { Schema } from "effect";
import { ErrorClass } from "../ErrorClass.ts";
import { Role } from "./Role.ts";

/** Errors about who makes a call. */

/** Credentials that are missing, wrong, expired or revoked. The error does not say which. */
export class Unauthenticated extends ErrorClass<Unauthenticated>()(
  "Unauthenticated",
  {},
  () => "Use valid credentials: these are wrong, expired or revoked.",
) {}

/** The role is too low, or the call takes another kind of principal. */
export class Forbidden extends ErrorClass<Forbidden>()(
  "Forbidden",
  {
    requiredRole: Schema.NullOr(Role).annotate({
      description: "The lowest role that may do this; null if another kind of key is needed.",
    }),
  },
  ({ requiredRole }) =>
    requiredRole === null
      ? "Use another kind of key: this one may not do this, whatever its role."
      : `Use a key with the role ${requiredRole} or above.`,
) {}

/** Deleting the last Owner key that has not expired. */
export class LastOwnerKey extends ErrorClass<LastOwnerKey>()(
  "LastOwnerKey",
  {},
  () => "Create another Owner key first: this is the last one that has not expired.",
) {}
