import { Effect, Redacted } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import * as Timestamp from "../../Timestamp.ts";
import type { SessionRow } from "../Session.ts";
import { SessionStore } from "../SessionStore.ts";

const encoder = new TextEncoder();

/** Creates the secrets of sessions and tokens. Storage has only their hashes. */
export const make = Effect.gen(function* () {
  const store = yield* SessionStore;
  const digest = yield* Digest.Digest;
  const random = yield* SecureRandom.SecureRandom;

  const hashOf = (secret: Redacted.Redacted<string>) =>
    digest.digestHex(Digest.sha256, encoder.encode(Redacted.value(secret)));

  const newSecret = Effect.map(random.randomBytes(32), Hex.encode);

  /** Stores a new session or token in the current transaction. */
  const issue = Effect.fnUntraced(function* (
    row: Pick<SessionRow, "kind" | "keyId" | "parent"> & Partial<Pick<SessionRow, "secretHash">>,
    lifetimeSeconds: number,
    maxLifetimeSeconds: number = lifetimeSeconds,
  ) {
    const prefix = row.kind === "token" ? "qms_" : "";
    const secret = Redacted.make(`${prefix}${yield* newSecret}`);
    const now = yield* Timestamp.now;
    const expiresAt = Timestamp.addSeconds(now, lifetimeSeconds);
    const hash = yield* hashOf(secret);
    yield* store.insert({
      secretHash: null,
      ...row,
      hash,
      createdAt: now,
      expiresAt,
      endsAt: Timestamp.addSeconds(now, maxLifetimeSeconds),
    });
    return { secret, expiresAt, hash };
  });

  /**
   * Stores a new session. Writes need `sessionSecret` in addition to the cookie, which browsers
   * send to every port of a host.
   */
  const issueSession = Effect.fnUntraced(function* (
    keyId: string,
    lifetimeSeconds: number,
    maxLifetimeSeconds: number,
  ) {
    const sessionSecret = Redacted.make(yield* newSecret);
    const row = { kind: "cookie", keyId, parent: null } as const;
    const secretHash = yield* hashOf(sessionSecret);
    const issued = yield* issue({ ...row, secretHash }, lifetimeSeconds, maxLifetimeSeconds);
    return { ...issued, sessionSecret };
  });

  return { hashOf, issue, issueSession };
});
