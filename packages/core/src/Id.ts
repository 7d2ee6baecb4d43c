import { Effect, Schema } from "effect";
import { SecureRandom } from "effect/crypto";

/**
 * Identifiers. Those the service makes are a type prefix and a ULID, so that they sort in the
 * order of their making; those the host makes (projects, agents, users, goals) are free text of a
 * narrow alphabet.
 */

/** Type prefix of an identifier made by the service. */
export type Prefix = "iss" | "cmt" | "att" | "lnk" | "mcp" | "run" | "evt" | "key";

/** Makes identifiers. Those of one process sort in the order of their making, also within a millisecond. */
export const generator: Effect.Effect<
  (prefix: Prefix) => Effect.Effect<string>,
  never,
  SecureRandom.SecureRandom
> = Effect.map(
  SecureRandom.SecureRandom,
  (random) => (prefix) => Effect.map(random.ulid, (ulid) => `${prefix}_${ulid}`),
);

/** An identifier made by the service. Any string is accepted where one is read: an unknown one is not found. */
export const ServiceId = Schema.String;

/** An identifier made by the host: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`, not `.` or `..`. */
export const HostId = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/, {
    expected: "1 to 128 characters of A-Z a-z 0-9 . _ : -, and not . or ..",
  }),
);

/** A project's identifier: a host's, and none of the words that stand for routes. */
export const ProjectId = HostId.check(
  Schema.isPattern(/^(?!(issues|attachments|links)$)/, {
    expected: "a project id other than the reserved words issues, attachments and links",
  }),
);
