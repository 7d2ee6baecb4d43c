import { Effect, Redacted } from "effect";
import type { Principal } from "../../../access/Principal.ts";
import type { StorageError } from "../../../CommonErrors.ts";
import { type CannotOpen, SecretBox } from "../../../secrets/SecretBox.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import type { Authority } from "../../OAuthClient.ts";

/** What is kept of authorizations, sealed like the values of variables. Moments are in milliseconds. */

/** The tokens of a server. */
export interface Tokens {
  readonly authority: Authority;
  /** The origin that they are sent to, and no other. */
  readonly origin: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: number | null;
  /** When they are to be renewed; null if never. */
  readonly renewAt: number | null;
  /** Who renews them, and until when others wait for that. */
  readonly renewing: { readonly by: string; readonly until: number } | null;
}

/** An authorization that was begun: who began it, and what the callback has to fit. */
export interface Pending {
  readonly principal: Principal;
  readonly authority: Authority;
  readonly origin: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly expiresAt: number;
}

// No variable's name has a dot in it.
const tokensName = "oauth.tokens";
const scopeName = "oauth.scope";
const pendingPrefix = "oauth.pending.";

type Read<A> = Effect.Effect<A, CannotOpen | StorageError>;

/** Reads and writes them, each in the transaction around it. */
export interface OAuthSecrets {
  tokens(serverId: string): Read<Tokens | null>;
  putTokens(serverId: string, tokens: Tokens): Effect.Effect<void, StorageError>;
  removeTokens(serverId: string): Effect.Effect<void, StorageError>;
  /** Rights that calls turned out to want, separated by spaces. */
  scope(serverId: string): Read<string | null>;
  putScope(serverId: string, scope: string): Effect.Effect<void, StorageError>;
  removeScope(serverId: string): Effect.Effect<void, StorageError>;
  pending(serverId: string, key: string): Read<Pending | null>;
  putPending(serverId: string, key: string, pending: Pending): Effect.Effect<void, StorageError>;
  removePending(serverId: string, keys: ReadonlyArray<string>): Effect.Effect<void, StorageError>;
  /** All of the server's, by key; null for one that cannot be opened. */
  allPending(
    serverId: string,
  ): Effect.Effect<ReadonlyArray<readonly [key: string, pending: Pending | null]>, StorageError>;
}

export const make: Effect.Effect<OAuthSecrets, never, McpServerStore | SecretBox> = Effect.gen(
  function* () {
    const store = yield* McpServerStore;
    const box = yield* SecretBox;

    const read = Effect.fnUntraced(function* (serverId: string, name: string) {
      const row = (yield* store.secrets(serverId)).find((one) => one.name === name);
      if (row === undefined) return null;
      return JSON.parse(Redacted.value(yield* box.open(row, row))) as unknown;
    });

    const write = Effect.fnUntraced(function* (
      serverId: string,
      name: string,
      value: object | string,
    ) {
      const owner = { serverId, name };
      const sealed = yield* box.seal(owner, Redacted.make(JSON.stringify(value)));
      yield* store.putSecrets([{ ...owner, ...sealed }]);
    });

    return {
      tokens: (serverId) => read(serverId, tokensName) as Read<Tokens | null>,
      putTokens: (serverId, tokens) => write(serverId, tokensName, tokens),
      removeTokens: (serverId) => store.removeSecrets(serverId, [tokensName]),
      scope: (serverId) => read(serverId, scopeName) as Read<string | null>,
      putScope: (serverId, scope) => write(serverId, scopeName, scope),
      removeScope: (serverId) => store.removeSecrets(serverId, [scopeName]),
      pending: (serverId, key) => read(serverId, pendingPrefix + key) as Read<Pending | null>,
      putPending: (serverId, key, pending) => write(serverId, pendingPrefix + key, pending),
      removePending: (serverId, keys) =>
        store.removeSecrets(
          serverId,
          keys.map((key) => pendingPrefix + key),
        ),
      allPending: (serverId) =>
        Effect.gen(function* () {
          const rows = yield* store.secrets(serverId);
          return yield* Effect.forEach(
            rows.filter(({ name }) => name.startsWith(pendingPrefix)),
            (row) =>
              box.open(row, row).pipe(
                Effect.map((text) => JSON.parse(Redacted.value(text)) as Pending),
                Effect.orElseSucceed(() => null),
                Effect.map((pending) => [row.name.slice(pendingPrefix.length), pending] as const),
              ),
          );
        }),
    };
  },
);
