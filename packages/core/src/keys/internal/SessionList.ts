import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { AuditLog, type NewEntry } from "../../audit/AuditLog.ts";
import { NotFound } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import type { Credential } from "../ApiKey.ts";
import { Keys } from "../Keys.ts";
import type { LoginSession, SessionRow } from "../Session.ts";
import { type SessionKey, SessionStore } from "../SessionStore.ts";

/** A caller, and the hash of its session; null for a key. */
export interface Visitor extends Credential {
  readonly sessionHash: string | null;
}

const keyset: Page.Keyset<SessionRow, SessionKey> = {
  keyOf: ({ expiresAt, hash }) => ({ expiresAt, hash }),
  toText: ({ expiresAt, hash }) => `${expiresAt} ${hash}`,
  fromText: (text) => {
    const [expiresAt, hash] = text.split(" ");
    return expiresAt === undefined || hash === undefined ? undefined : { expiresAt, hash };
  },
};

/** The id of a session is the hash of its secret: it identifies the session and does not start one. */
const prefix = "ses_";

/** An entry of the audit log about a session. The caller may have no key of the session yet. */
export const entryOf = (
  action: "session.created" | "session.deleted",
  hash: string,
  { keyId, principal }: Credential,
): NewEntry => ({
  action,
  actor: Principal.actorOf(principal),
  keyId,
  subject: { type: "session", id: `${prefix}${hash}`, name: null },
});

/** The key whose sessions the caller may see and end; null for all keys. */
const reachOf = ({ keyId, principal: { projects, role } }: Visitor): string | null =>
  role === "Owner" && projects === null ? null : keyId;

/** Lists sessions and ends one of them, for `Sessions`. */
export const make = Effect.gen(function* () {
  const store = yield* SessionStore;
  const keys = yield* Keys;
  const { transact } = yield* Transactor;
  const audit = yield* AuditLog;

  /** Null for a session whose key has expired. */
  const shown = (visitor: Visitor) => (row: SessionRow) =>
    keys.credential(row.keyId).pipe(
      Effect.map(({ principal }): LoginSession => ({
        id: `${prefix}${row.hash}`,
        keyId: row.keyId,
        principal,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        current: row.hash === visitor.sessionHash,
      })),
      Effect.catchTag("Unauthenticated", () => Effect.succeed(null)),
    );

  const list = Span.fn("Sessions.list")(function* (
    visitor: Visitor,
    request: Page.PageRequest = {},
  ) {
    const reach = reachOf(visitor);
    const now = yield* Timestamp.now;
    const { items, next } = yield* Page.readBy(
      keyset,
      { ...request, defaultOrder: "desc", query: ["sessions", reach] },
      (slice) => store.list(reach, now, slice),
    );
    const sessions = yield* Effect.forEach(items, shown(visitor));
    return { items: sessions.filter((session) => session !== null), next };
  });

  const end = Span.fn("Sessions.end")(function* (visitor: Visitor, id: string) {
    const reach = reachOf(visitor);
    return yield* transact(
      Effect.gen(function* () {
        const hash = id.startsWith(prefix) ? id.slice(prefix.length) : "";
        const row = Option.getOrNull(yield* store.get(hash));
        if (row?.kind !== "cookie" || (reach !== null && row.keyId !== reach)) {
          return yield* new NotFound({ resource: "session", id });
        }
        yield* store.remove(hash);
        yield* audit.record([entryOf("session.deleted", hash, visitor)]);
        return row.keyId;
      }),
    );
  });

  return { list, end };
});
