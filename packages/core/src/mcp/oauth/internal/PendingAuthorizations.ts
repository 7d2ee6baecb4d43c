import { Clock, Effect } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { Base64Url, Hex } from "effect/encoding";
import { getOrNotFound } from "../../../CommonErrors.ts";
import { Transactor } from "../../../Transactor.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as OAuthSecrets from "./OAuthSecrets.ts";

/** The time for which an authorization waits for its callback. */
const pendingMillis = 10 * 60_000;
/** The largest number of pending authorizations per server. A new one replaces the oldest. */
const maxPending = 16;

/**
 * Authorizations between their start and their callback. Each has a random state, which is valid
 * once. Storage has only its hash, so a reader of storage finds no valid state.
 */
export const make = Effect.gen(function* () {
  const store = yield* McpServerStore;
  const secrets = yield* OAuthSecrets.make;
  const { transact } = yield* Transactor;
  const random = yield* SecureRandom.SecureRandom;
  const digest = yield* Digest.Digest;

  const keyOf = (state: string) =>
    Effect.map(digest.digest(Digest.sha256, new TextEncoder().encode(state)), Hex.encode);

  const newState = (serverId: string) =>
    Effect.map(random.randomBytes(32), (bytes) => `${serverId}.${Base64Url.encode(bytes)}`);

  /** Removes expired authorizations, and the oldest ones beyond the limit. */
  const prune = Effect.fnUntraced(function* (serverId: string, now: number) {
    const all = yield* secrets.allPending(serverId);
    const live = all
      .flatMap(([key, pending]) =>
        pending !== null && pending.expiresAt > now ? [{ key, expiresAt: pending.expiresAt }] : [],
      )
      .toSorted((a, b) => b.expiresAt - a.expiresAt)
      .slice(0, maxPending - 1);
    const retained = new Set(live.map(({ key }) => key));
    const keys = all.map(([key]) => key).filter((key) => !retained.has(key));
    yield* secrets.removePending(serverId, keys);
  });

  /** Stores an authorization under its state. Fails if the server was uninstalled. */
  const put = Effect.fnUntraced(function* (
    serverId: string,
    state: string,
    authorization: Omit<OAuthSecrets.Pending, "expiresAt">,
  ) {
    const key = yield* keyOf(state);
    yield* transact(
      Effect.gen(function* () {
        yield* getOrNotFound("installedServer", serverId, store.get(serverId));
        const now = yield* Clock.currentTimeMillis;
        yield* prune(serverId, now);
        yield* secrets.putPending(serverId, key, {
          ...authorization,
          expiresAt: now + pendingMillis,
        });
      }),
    );
  });

  /** Removes and returns the authorization of a state; null if the state is not valid. */
  const take = Effect.fnUntraced(function* (state: string | null) {
    const [, serverId] = /^(mcp_\w{1,64})\.[\w-]{43}$/.exec(state ?? "") ?? [];
    if (state === null || serverId === undefined) return null;
    const key = yield* keyOf(state);
    const now = yield* Clock.currentTimeMillis;
    const pending = yield* transact(
      Effect.gen(function* () {
        const stored = yield* secrets.pending(serverId, key);
        if (stored !== null) yield* secrets.removePending(serverId, [key]);
        return stored;
      }),
    ).pipe(Effect.catchTag("CannotOpen", () => Effect.succeed(null)));
    return pending === null || pending.expiresAt <= now ? null : { serverId, pending };
  });

  return { newState, put, take };
});
