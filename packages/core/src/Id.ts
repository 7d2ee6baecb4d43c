import { Effect, Schema } from "effect";
import { SecureRandom } from "effect/crypto";

/**
 * Identifiers. Those the service makes are a type prefix and a ULID, so that they sort in the
 * order of their making; those the host makes (projects, agents, users, goals) are free text of a
 * narrow alphabet.
 */

/** Type prefix of an identifier made by the service. */
export type Prefix = "iss" | "cmt" | "att" | "lnk" | "mcp" | "run" | "evt" | "key";

type Random = SecureRandom.SecureRandom["Service"];

/** How much randomness is asked for at once: to ask takes longer than to make an identifier. */
const poolSize = 1_024;
const ulidBytes = 10;

/** The ULIDs of a source of randomness, all of which sort in the order of their making. */
const makeUlids = (random: Random): Effect.Effect<string> => {
  let pool: Uint8Array = new Uint8Array();
  let used = 0;
  const { ulid } = SecureRandom.make((size) => pool.slice(used, (used += size)));
  return Effect.suspend(() =>
    used + ulidBytes <= pool.length
      ? ulid
      : Effect.flatMap(random.randomBytes(poolSize), (bytes) => {
          pool = bytes;
          used = 0;
          return ulid;
        }),
  );
};

const ulids = new WeakMap<Random, Effect.Effect<string>>();

/** Makes identifiers. Those of one process sort in the order of their making, also within a millisecond. */
export const generator: Effect.Effect<
  (prefix: Prefix) => Effect.Effect<string>,
  never,
  SecureRandom.SecureRandom
> = Effect.map(SecureRandom.SecureRandom, (random) => {
  const ulid = ulids.get(random) ?? makeUlids(random);
  ulids.set(random, ulid);
  return (prefix) => Effect.map(ulid, (text) => `${prefix}_${text}`);
});

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
