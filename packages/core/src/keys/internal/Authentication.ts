import { Effect, Option, Redacted } from "effect";
import { Mac } from "effect/crypto";
import { Hex } from "effect/encoding";
import { Unauthenticated } from "../../access/AccessErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type ApiKeyRow, type Credential, isExpired, principalOf } from "../ApiKey.ts";
import { KeyStore } from "../KeyStore.ts";
import * as KeySecrets from "./KeySecrets.ts";

/** The length of the prefix of a timestamp that identifies its minute. */
const minute = "2026-11-21T03:04".length;

/** The authentication of `Keys`. */
export const make = Effect.gen(function* () {
  const store = yield* KeyStore;
  const secrets = yield* KeySecrets.make;
  const { adminKey } = yield* CoreOptions;
  const { transact } = yield* Transactor;
  const scope = yield* Effect.scope;
  const adminHash = adminKey === null ? null : yield* secrets.sha256(Redacted.value(adminKey));
  const admin = adminHash === null ? null : { hash: adminHash, credential: adminOf(adminHash) };

  const valid = Effect.fnUntraced(function* (found: ReturnType<typeof store.get>) {
    const key = Option.getOrNull(yield* found);
    const now = yield* Timestamp.now;
    if (key === null || isExpired(key, now)) return yield* new Unauthenticated();
    return { key, now };
  });

  /** Stores the time of the use in the background, at most once a minute per key. */
  const recordUse = (key: ApiKeyRow, now: string) =>
    key.lastUsedAt?.slice(0, minute) === now.slice(0, minute)
      ? Effect.void
      : transact(store.used(key.id, now)).pipe(
          Effect.catch((error) => Effect.logDebug("Cannot store the last use of a key", error)),
          Effect.forkIn(scope),
          Effect.asVoid,
        );

  const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted<string>) {
    if (admin !== null) {
      const hash = yield* secrets.sha256(Redacted.value(presented));
      if (Mac.timingSafeEqual(hash, admin.hash)) return admin.credential;
    }
    const parsed = secrets.parse(presented);
    if (parsed === null) return yield* new Unauthenticated();
    const { key, now } = yield* valid(store.recent(parsed.keyId));
    if (!(yield* secrets.matches(parsed.secret, key))) return yield* new Unauthenticated();
    yield* recordUse(key, now);
    return credentialOf(key);
  });

  const credential = (keyId: string) =>
    keyId === admin?.credential.keyId
      ? Effect.succeed(admin.credential)
      : Effect.map(valid(store.get(keyId)), ({ key }) => credentialOf(key));

  return { authenticate, credential };
});

const credentialOf = (key: ApiKeyRow): Credential => ({
  principal: principalOf(key),
  keyId: key.id,
  expiresAt: key.expiresAt,
});

/**
 * The principal of the host's own key (`CoreOptions.adminKey`). The id comes from the hash of the
 * key, so that sessions end when the host sets another key.
 */
const adminOf = (hash: Uint8Array): Credential => ({
  principal: {
    type: "User",
    id: "admin",
    role: "Owner",
    projects: null,
    agentId: null,
    userId: null,
  },
  keyId: `admin-${Hex.encode(hash.subarray(0, 8))}`,
  expiresAt: null,
});
