import { Schema } from "effect";
import { Principal } from "../access/Principal.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

/** The principal of the caller, and when the credentials expire. */
export const SessionInfo = Schema.Struct({
  principal: Principal.annotateKey({ description: "The principal of the caller." }),
  expiresAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When the session, token or key expires; null for a key that never expires.",
  }),
}).annotate({
  identifier: "SessionInfo",
  description: "The principal of the caller, and when the credentials expire.",
});
export interface SessionInfo extends Schema.Schema.Type<typeof SessionInfo> {}

/** A new session. */
export const SessionCreated = Schema.Struct({
  ...SessionInfo.fields,
  sessionSecret: Schema.String.annotateKey({
    description:
      "To be sent as `Quartermaster-Session` with every write by cookie. No other response contains it.",
  }),
}).annotate({ identifier: "SessionCreated", description: "A new session, with its secret." });
export interface SessionCreated extends Schema.Schema.Type<typeof SessionCreated> {}

/** A short-lived bearer token for the session's principal. */
export const SessionToken = Schema.Struct({
  token: Schema.String.annotateKey({
    description: "The token, to send as `Authorization: Bearer <token>`.",
  }),
  expiresAt: Timestamp.annotateKey({
    description:
      "When the token expires: 15 minutes after its creation. It also expires with its session.",
  }),
}).annotate({
  identifier: "SessionToken",
  description: "A short-lived bearer token for the session's principal.",
});
export interface SessionToken extends Schema.Schema.Type<typeof SessionToken> {}

/** The token of a sign-in link. */
export const SignInLink = Schema.Struct({
  signInToken: Schema.String.annotateKey({
    description:
      "The token. The link is the dashboard's URL with the fragment `#sign-in=<token>`; it signs in once, as the caller's key.",
  }),
  expiresAt: Timestamp.annotateKey({
    description: "When the link expires: 5 minutes after its creation. It also ends with the key.",
  }),
}).annotate({ identifier: "SignInLink", description: "The token of a sign-in link." });
export interface SignInLink extends Schema.Schema.Type<typeof SignInLink> {}

/** A login session, in the form that its owner sees. */
export const LoginSession = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The session's id. It is not a credential." }),
  keyId: ServiceId.annotateKey({ description: "The key that started the session." }),
  principal: Principal.annotateKey({ description: "The signed-in user." }),
  createdAt: Timestamp.annotateKey({ description: "When the session was started." }),
  expiresAt: Timestamp.annotateKey({
    description: "When the session expires without further use: 12 hours after its last use.",
  }),
  current: Schema.Boolean.annotateKey({
    description: "Whether this session made the request.",
  }),
}).annotate({ identifier: "LoginSession", description: "A login session of a browser." });
export interface LoginSession extends Schema.Schema.Type<typeof LoginSession> {}

/**
 * The stored form of a session or token, under the SHA-256 (lower-case hex) of its cookie, bearer
 * token or sign-in token. Use extends a session (`cookie`), at most until `endsAt`, but not a
 * `token` or a `signIn`. All end with the key `keyId`.
 */
export interface SessionRow {
  readonly hash: string;
  readonly kind: "cookie" | "token" | "signIn";
  readonly keyId: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly endsAt: Timestamp;
  /** The hash of the session with which a token ends; null for a session. */
  readonly parent: string | null;
  /**
   * The hash of the secret that a session's writes need in addition to its cookie; null for a
   * token.
   */
  readonly secretHash: string | null;
}
