import { Context, Effect, Layer, Option, type Redacted } from "effect";
import { Forbidden, Unauthenticated } from "../access/AccessErrors.ts";
import { AuditLog } from "../audit/AuditLog.ts";
import {
  type InvalidRequest,
  LimitExceeded,
  type NotFound,
  type StorageError,
} from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import * as Span from "../internal/Span.ts";
import type * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { Credential } from "./ApiKey.ts";
import * as SessionList from "./internal/SessionList.ts";
import * as SessionSecrets from "./internal/SessionSecrets.ts";
import { Keys } from "./Keys.ts";
import type { LoginSession, SessionRow } from "./Session.ts";
import { SessionStore } from "./SessionStore.ts";

const hour = 3_600;
const slidingSeconds = 12 * hour;
const endSeconds = 7 * 24 * hour;
const tokenSeconds = 15 * 60;
const signInSeconds = 5 * 60;
/** The valid tokens of a session. A page needs one every 15 minutes. */
const maxTokens = 100;
/**
 * The fraction of its lifetime after which use extends a session, so that not every request writes.
 */
const slideAfterSeconds = 5 * 60;

/** A new session or token. Storage has only the hash of `secret`. */
export interface Issued {
  readonly secret: Redacted.Redacted<string>;
  readonly expiresAt: string;
}

/** A new session. Its writes need `sessionSecret` in addition to the cookie, which is `secret`. */
export interface IssuedSession extends Issued {
  readonly sessionSecret: Redacted.Redacted<string>;
}

export type { Visitor } from "./internal/SessionList.ts";

/** A valid session, with the hash under which it is stored. */
export interface ActiveSession extends Credential {
  readonly hash: string;
  /** Whether the caller also presented the session's secret. */
  readonly hasSecret: boolean;
}

/**
 * Sessions of people in a browser, and their short-lived bearer tokens.
 *
 * A session lasts 12 hours from its last use and 7 days at most; a token lasts 15 minutes. A session
 * also ends with its key, and a token with its session. A session has two secrets: the cookie, which browsers
 * also send to other ports of the host, and a second one, which proves that a write comes from the page.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Starts a session for the principal of a key; `Forbidden` for an agent or Metrics key, and
     * `LimitExceeded` if the key has `CoreOptions.maxSessions` sessions.
     */
    create(
      credential: Credential,
    ): Effect.Effect<IssuedSession, Forbidden | LimitExceeded | StorageError>;
    /**
     * Creates a sign-in token for the key: the first caller that presents it within 5 minutes gets a
     * session of the key. It ends with the key.
     */
    signInToken(keyId: string): Effect.Effect<Issued, Unauthenticated | StorageError>;
    /** Starts a session with a sign-in token, which then becomes invalid. */
    signIn(
      secret: Redacted.Redacted<string>,
    ): Effect.Effect<
      IssuedSession & { readonly credential: Credential },
      Forbidden | LimitExceeded | Unauthenticated | StorageError
    >;
    /**
     * Returns a page of the sessions of the caller's key, or of all keys for an Owner that is bound
     * to no project; the most recently used first by default.
     */
    list(
      visitor: SessionList.Visitor,
      request?: Page.PageRequest,
    ): Effect.Effect<Page.Page<LoginSession>, InvalidRequest | StorageError>;
    /** Ends a session of `list` and its tokens. Returns the id of its key. */
    end(visitor: SessionList.Visitor, id: string): Effect.Effect<string, NotFound | StorageError>;
    /**
     * Creates a bearer token, `qms_<secret>`, for the session with that hash; `LimitExceeded` if the session
     * has 100 valid tokens.
     */
    token(hash: string): Effect.Effect<Issued, LimitExceeded | Unauthenticated | StorageError>;
    /** Returns the valid session or token with this secret, and extends a session. */
    authenticate(
      kind: SessionRow["kind"],
      secret: Redacted.Redacted<string>,
      sessionSecret?: Redacted.Redacted<string>,
    ): Effect.Effect<ActiveSession, Unauthenticated | StorageError>;
    /**
     * Returns when the session or its key expires, whichever comes first. Fails unless both are
     * valid. Does not extend the session.
     */
    check(hash: string): Effect.Effect<Timestamp.Timestamp, Unauthenticated | StorageError>;
    /** Ends the caller's session and its tokens, or its token. */
    remove(session: Omit<ActiveSession, "hasSecret">): Effect.Effect<void, StorageError>;
    /** Removes up to 5,000 expired sessions and tokens, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/keys/Sessions") {
  static readonly layerNoDeps = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* SessionStore;
      const keys = yield* Keys;
      const { maxSessions } = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const audit = yield* AuditLog;
      const { hashOf, issue, issueSession } = yield* SessionSecrets.make;

      const create = Span.fn("Sessions.create")(function* (credential: Credential) {
        const { agentId, role: keyRole } = credential.principal;
        if (agentId !== null || keyRole === "Metrics") {
          return yield* new Forbidden({ requiredRole: null });
        }
        const { keyId } = credential;
        return yield* transact(
          Effect.gen(function* () {
            if ((yield* store.count(keyId, yield* Timestamp.now)) >= maxSessions) {
              return yield* new LimitExceeded({ limit: maxSessions });
            }
            const { hash, ...issued } = yield* issueSession(keyId, slidingSeconds, endSeconds);
            yield* audit.record([SessionList.entryOf("session.created", hash, credential)]);
            return issued;
          }),
        );
      });

      /** Extends a session to 12 hours from now, but not beyond its end. Returns the new expiry. */
      const slide = Effect.fnUntraced(function* (session: SessionRow, now: string) {
        const wanted = Timestamp.addSeconds(now, slidingSeconds);
        const expiresAt = wanted < session.endsAt ? wanted : session.endsAt;
        if (expiresAt <= Timestamp.addSeconds(session.expiresAt, slideAfterSeconds)) {
          return session.expiresAt;
        }
        yield* transact(store.slide(session.hash, expiresAt));
        return expiresAt;
      });

      const valid = Effect.fnUntraced(function* (hash: string, now: string) {
        const session = Option.getOrNull(yield* store.get(hash));
        if (session === null || session.expiresAt <= now) return yield* new Unauthenticated();
        const { expiresAt, keyId, principal } = yield* keys.credential(session.keyId);
        return { session, principal, keyId, keyExpiresAt: expiresAt };
      });

      const authenticate = Span.fn("Sessions.authenticate")(function* (
        kind: SessionRow["kind"],
        secret: Redacted.Redacted<string>,
        sessionSecret?: Redacted.Redacted<string>,
      ) {
        const hash = yield* hashOf(secret);
        const now = yield* Timestamp.now;
        const { session, principal, keyId } = yield* valid(hash, now);
        if (session.kind !== kind) return yield* new Unauthenticated();
        const expiresAt = kind === "cookie" ? yield* slide(session, now) : session.expiresAt;
        const hasSecret =
          sessionSecret !== undefined && (yield* hashOf(sessionSecret)) === session.secretHash;
        return { principal, keyId, expiresAt, hash, hasSecret };
      });

      // Runs in one transaction, so that a session that ends at the same time gets no token.
      const token = Span.fn("Sessions.token")(function* (hash: string) {
        return yield* transact(
          Effect.gen(function* () {
            const now = yield* Timestamp.now;
            const { keyId } = yield* valid(hash, now);
            if ((yield* store.countTokens(hash, now)) >= maxTokens) {
              return yield* new LimitExceeded({ limit: maxTokens });
            }
            return yield* issue({ kind: "token", keyId, parent: hash }, tokenSeconds);
          }),
        );
      });

      const signInToken = Span.fn("Sessions.signInToken")(function* (keyId: string) {
        yield* keys.credential(keyId);
        return yield* transact(issue({ kind: "signIn", keyId, parent: null }, signInSeconds));
      });

      // One transaction: of two callers that present the token, one gets a session.
      const signIn = Span.fn("Sessions.signIn")(function* (secret: Redacted.Redacted<string>) {
        return yield* transact(
          Effect.gen(function* () {
            const hash = yield* hashOf(secret);
            const { keyExpiresAt, keyId, principal, session } = yield* valid(
              hash,
              yield* Timestamp.now,
            );
            if (session.kind !== "signIn") return yield* new Unauthenticated();
            yield* store.remove(hash);
            const credential = { principal, keyId, expiresAt: keyExpiresAt };
            return { ...(yield* create(credential)), credential };
          }),
        );
      });

      const check = (hash: string) =>
        Effect.map(
          Effect.flatMap(Timestamp.now, (now) => valid(hash, now)),
          ({ keyExpiresAt, session: { expiresAt } }) =>
            keyExpiresAt !== null && keyExpiresAt < expiresAt ? keyExpiresAt : expiresAt,
        );

      const remove = (session: Omit<ActiveSession, "hasSecret">) =>
        transact(
          Effect.gen(function* () {
            const { hash } = session;
            const row = Option.getOrNull(yield* store.get(hash));
            yield* store.remove(hash);
            if (row?.kind !== "cookie") return;
            yield* audit.record([SessionList.entryOf("session.deleted", hash, session)]);
          }),
        );

      const prune = Effect.flatMap(Timestamp.now, (now) => transact(store.prune(now, 5_000)));

      return Sessions.of({
        ...(yield* SessionList.make),
        create,
        token,
        signInToken,
        signIn,
        authenticate,
        check,
        remove,
        prune,
      });
    }),
  );
}
