import { Context, Effect, Layer, Option, Redacted } from "effect";
import { Digest, SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import { Forbidden, Unauthenticated } from "../access/AccessErrors.ts";
import type { StorageError } from "../CommonErrors.ts";
import * as Span from "../internal/Span.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { Credential } from "./ApiKey.ts";
import { Keys } from "./Keys.ts";
import type { SessionRow } from "./Session.ts";
import { SessionStore } from "./SessionStore.ts";

const hour = 3_600;
const slidingSeconds = 12 * hour;
const endSeconds = 7 * 24 * hour;
const tokenSeconds = 15 * 60;
/** A session slides when so much of its time has passed, so that not every request is a write. */
const slideAfterSeconds = 5 * 60;

/** A session or a token that was just made: `secret` is told once and kept hashed. */
export interface Issued {
  readonly secret: Redacted.Redacted<string>;
  readonly expiresAt: string;
}

/** A session that stands, and the hash it is kept under. */
export interface ActiveSession extends Credential {
  readonly hash: string;
}

/** Sessions of people at a browser, and the short-lived bearer tokens they get. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Starts a session with a good key; an agent's key gets none. */
    create(credential: Credential): Effect.Effect<Issued, Forbidden | StorageError>;
    /** A bearer token of 15 minutes, `qms_<secret>`, for what the session of that hash stands for. */
    token(hash: string): Effect.Effect<Issued, Unauthenticated | StorageError>;
    /** The session of that secret, if it and its key are still good; slides it. */
    authenticate(
      kind: SessionRow["kind"],
      secret: Redacted.Redacted<string>,
    ): Effect.Effect<ActiveSession, Unauthenticated | StorageError>;
    /** Fails when it, or its key, is good no longer. That is no use of it: it does not slide. */
    check(hash: string): Effect.Effect<void, Unauthenticated | StorageError>;
    /** Ends it, and its tokens with it. */
    remove(hash: string): Effect.Effect<void, StorageError>;
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/keys/Sessions") {
  static readonly layerNoDeps = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* SessionStore;
      const keys = yield* Keys;
      const digest = yield* Digest.Digest;
      const random = yield* SecureRandom.SecureRandom;
      const { transact } = yield* Transactor;
      const encoder = new TextEncoder();
      const hashOf = (secret: string) => digest.digestHex(Digest.sha256, encoder.encode(secret));

      const issue = Effect.fnUntraced(function* (
        row: Pick<SessionRow, "kind" | "keyId" | "parent">,
        seconds: number,
        end: number,
      ) {
        const prefix = row.kind === "token" ? "qms_" : "";
        const secret = `${prefix}${Hex.encode(yield* random.randomBytes(32))}`;
        const now = yield* Timestamp.now;
        const expiresAt = Timestamp.addSeconds(now, seconds);
        yield* store.insert({
          ...row,
          hash: yield* hashOf(secret),
          createdAt: now,
          expiresAt,
          endsAt: Timestamp.addSeconds(now, end),
        });
        return { secret: Redacted.make(secret), expiresAt };
      }, transact);

      const create = Span.fn("Sessions.create")(function* (credential: Credential) {
        if (credential.principal.agentId !== null) {
          return yield* new Forbidden({ requiredRole: null });
        }
        const row = { kind: "cookie", keyId: credential.keyId, parent: null } as const;
        return yield* issue(row, slidingSeconds, endSeconds);
      });

      const slide = Effect.fnUntraced(function* (session: SessionRow, now: string) {
        const slid = Timestamp.addSeconds(now, slidingSeconds);
        const expiresAt = slid < session.endsAt ? slid : session.endsAt;
        if (expiresAt <= Timestamp.addSeconds(session.expiresAt, slideAfterSeconds)) {
          return session.expiresAt;
        }
        yield* transact(store.slide(session.hash, expiresAt));
        return expiresAt;
      });

      const standing = Effect.fnUntraced(function* (hash: string, now: string) {
        const session = Option.getOrNull(yield* store.get(hash));
        if (session === null || session.expiresAt <= now) return yield* new Unauthenticated();
        const { principal, keyId } = yield* keys.credential(session.keyId);
        return { session, principal, keyId };
      });

      const authenticate = Span.fn("Sessions.authenticate")(function* (
        kind: SessionRow["kind"],
        secret: Redacted.Redacted<string>,
      ) {
        const hash = yield* hashOf(Redacted.value(secret));
        const now = yield* Timestamp.now;
        const { session, principal, keyId } = yield* standing(hash, now);
        if (session.kind !== kind) return yield* new Unauthenticated();
        const expiresAt = kind === "cookie" ? yield* slide(session, now) : session.expiresAt;
        return { principal, keyId, expiresAt, hash };
      });

      // In one transaction: after its session's end none is made.
      const token = Span.fn("Sessions.token")(function* (hash: string) {
        const { keyId } = yield* standing(hash, yield* Timestamp.now);
        return yield* issue({ kind: "token", keyId, parent: hash }, tokenSeconds, tokenSeconds);
      }, transact);

      const check = (hash: string) =>
        Effect.flatMap(Timestamp.now, (now) => Effect.asVoid(standing(hash, now)));

      const remove = (hash: string) => transact(store.remove(hash));

      const prune = Effect.flatMap(Timestamp.now, (now) => transact(store.prune(now, 5_000)));

      return Sessions.of({ create, token, authenticate, check, remove, prune });
    }),
  );
}
