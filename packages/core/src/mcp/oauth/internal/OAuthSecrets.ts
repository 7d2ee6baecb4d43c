import { Effect, Option, Redacted, Schema } from "effect";
import { Principal } from "../../../access/Principal.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { type CannotOpen, SecretBox } from "../../../secrets/SecretBox.ts";
import type { SecretRow } from "../../InstalledServer.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { Authority } from "../../OAuthClient.ts";

/**
 * OAuth state that is stored with a server's secrets, as sealed JSON: tokens, pending
 * authorizations and missing scopes. Times are milliseconds since the epoch.
 */

const Secret = Schema.RedactedFromValue(Schema.String);

/** A server's tokens. */
export const Tokens = Schema.Struct({
  authority: Authority,
  /** The only origin that may receive them. */
  origin: Schema.String,
  accessToken: Secret,
  refreshToken: Schema.NullOr(Secret),
  expiresAt: Schema.NullOr(Schema.Finite),
  /** The time at which the next use refreshes them; null if never. */
  refreshAt: Schema.NullOr(Schema.Finite),
  /** The node that is refreshing them. After `until` another node may take over. */
  refreshing: Schema.NullOr(Schema.Struct({ by: Schema.String, until: Schema.Finite })),
}).pipe(
  // The names under which they are stored since the first development versions.
  Schema.encodeKeys({ refreshAt: "renewAt", refreshing: "renewing" }),
);
export type Tokens = typeof Tokens.Type;

/** An authorization that waits for its callback, with the values that the callback must match. */
export const Pending = Schema.Struct({
  /** The principal that started it. */
  principal: Principal,
  /** The key that started it; null in process. Earlier versions stored none. */
  keyId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  authority: Authority,
  origin: Schema.String,
  redirectUri: Schema.String,
  verifier: Secret,
  expiresAt: Schema.Finite,
});
export type Pending = typeof Pending.Type;

// Names of variables contain no dot, so these cannot collide with one.
const tokensName = "oauth.tokens";
const scopesName = "oauth.scope";
const pendingPrefix = "oauth.pending.";

type Read<A> = Effect.Effect<A | null, CannotOpen | StorageError>;
type Write = Effect.Effect<void, StorageError>;

/** Each method is part of the current transaction. Reads return null if nothing is stored. */
export interface OAuthSecrets {
  tokens(serverId: string): Read<Tokens>;
  putTokens(serverId: string, tokens: Tokens): Write;
  removeTokens(serverId: string): Write;
  /** Scopes that calls required but did not have, separated by spaces. */
  scopes(serverId: string): Read<string>;
  putScopes(serverId: string, scopes: string): Write;
  removeScopes(serverId: string): Write;
  pending(serverId: string, key: string): Read<Pending>;
  putPending(serverId: string, key: string, pending: Pending): Write;
  removePending(serverId: string, keys: ReadonlyArray<string>): Write;
  /** All pending authorizations of a server, by key; null for one that cannot be opened. */
  allPending(
    serverId: string,
  ): Effect.Effect<ReadonlyArray<readonly [key: string, pending: Pending | null]>, StorageError>;
}

export const make: Effect.Effect<OAuthSecrets, never, McpServerStore | SecretBox> = Effect.gen(
  function* () {
    const store = yield* McpServerStore;
    const box = yield* SecretBox;

    /** Reads and writes one kind of secret. */
    const codec = <A>(schema: Schema.Codec<A, unknown>) => {
      const json = Schema.fromJsonString(schema);
      const decode = Schema.decodeOption(json);
      const encode = Schema.encodeEffect(json);
      const open = (row: SecretRow) =>
        Effect.map(box.open(row, row), (text) => Option.getOrNull(decode(Redacted.value(text))));
      return {
        open,
        read: (serverId: string, name: string): Read<A> =>
          Effect.flatMap(store.secrets(serverId), (rows) => {
            const row = rows.find((candidate) => candidate.name === name);
            return row === undefined ? Effect.succeed(null) : open(row);
          }),
        write: Effect.fnUntraced(function* (serverId: string, name: string, value: A) {
          const owner = { serverId, name };
          const text = yield* Effect.orDie(encode(value));
          const sealed = yield* box.seal(owner, Redacted.make(text));
          yield* store.putSecrets([{ ...owner, ...sealed }]);
        }),
      };
    };
    const tokens = codec(Tokens);
    const scopes = codec(Schema.String);
    const pending = codec(Pending);

    return {
      tokens: (serverId) => tokens.read(serverId, tokensName),
      putTokens: (serverId, value) => tokens.write(serverId, tokensName, value),
      removeTokens: (serverId) => store.removeSecrets(serverId, [tokensName]),
      scopes: (serverId) => scopes.read(serverId, scopesName),
      putScopes: (serverId, value) => scopes.write(serverId, scopesName, value),
      removeScopes: (serverId) => store.removeSecrets(serverId, [scopesName]),
      pending: (serverId, key) => pending.read(serverId, pendingPrefix + key),
      putPending: (serverId, key, value) => pending.write(serverId, pendingPrefix + key, value),
      removePending: (serverId, keys) =>
        store.removeSecrets(
          serverId,
          keys.map((key) => pendingPrefix + key),
        ),
      allPending: Effect.fnUntraced(function* (serverId) {
        const rows = yield* store.secrets(serverId);
        return yield* Effect.forEach(
          rows.filter(({ name }) => name.startsWith(pendingPrefix)),
          (row) =>
            pending.open(row).pipe(
              Effect.orElseSucceed(() => null),
              Effect.map((value) => [row.name.slice(pendingPrefix.length), value] as const),
            ),
        );
      }),
    };
  },
);
