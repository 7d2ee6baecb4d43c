import { Schema } from "effect";
import { Role } from "./Role.ts";

/** Refusals about who makes a call. */

/** No credentials, or wrong, expired or revoked ones; the three are not told apart. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {
  override get message() {
    return "The credentials are not valid, or not any more.";
  }
}

/** The role is too low, or (null) another kind of principal is needed. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  requiredRole: Schema.NullOr(Role),
}) {
  override get message() {
    return this.requiredRole === null
      ? "This takes another kind of principal, whatever its role."
      : `This takes the role ${this.requiredRole} or above.`;
  }
}

/** Deleting the last Owner key that has not expired. */
export class LastOwnerKey extends Schema.TaggedError<LastOwnerKey>()("LastOwnerKey", {}) {
  override get message() {
    return "Make another Owner key first: this is the last one that has not expired.";
  }
}
