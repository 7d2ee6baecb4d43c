import { Context, Effect, Layer, Option, Redacted } from "effect";
import { Digest, Mac, SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import { Forbidden, LastOwnerKey, Unauthenticated } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import * as Role from "../access/Role.ts";
import type { StorageError } from "../CommonErrors.ts";
import { InvalidRequest, NotFound, UnknownReference } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import { Directory } from "../Directory.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import * as Input from "../internal/Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import {
  type ApiKey,
  ApiKeyCreate,
  type ApiKeyCreated,
  type ApiKeyRow,
  principalOf,
} from "./ApiKey.ts";
import { KeyStore } from "./KeyStore.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | StorageError;

/** What a good key stands for. */
export interface Credential {
  readonly principal: Principal.Principal;
  readonly keyId: string;
  /** Null for a key that never expires. */
  readonly expiresAt: string | null;
}

/** API keys: `qm_<keyId>_<secret>`. Only a SHA-256 of the secret is kept. */
export class Keys extends Context.Service<
  Keys,
  {
    /** Nobody makes a key above their own role. The answer is the only one that has the key itself. */
    create(
      input: typeof ApiKeyCreate.Encoded,
    ): Effect.Effect<ApiKeyCreated, Denied | InvalidRequest | UnknownReference, CurrentPrincipal>;
    /** Keys up to the principal's own role, newest first unless told otherwise. */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<Page.Page<ApiKey>, Denied | InvalidRequest, CurrentPrincipal>;
    /** Ends the key's sessions, too. */
    remove(keyId: string): Effect.Effect<void, Denied | NotFound | LastOwnerKey, CurrentPrincipal>;
    authenticate(
      key: Redacted.Redacted<string>,
    ): Effect.Effect<Credential, Unauthenticated | StorageError>;
    /** What the key of that id stands for, if it is still good. */
    credential(keyId: string): Effect.Effect<Credential, Unauthenticated | StorageError>;
    /**
     * Creates an Owner key if no key exists, and returns whether it did. `save` gets the key inside
     * the transaction: if `save` fails, no key is created. `save` may run more than once, as the
     * transaction may, each time with another key; only the last key is good, and none if
     * `bootstrap` returns false.
     */
    bootstrap<E, R>(
      save: (key: Redacted.Redacted<string>) => Effect.Effect<void, E, R>,
    ): Effect.Effect<boolean, E | StorageError, R>;
  }
>()("@quartermaster/core/keys/Keys") {
  static readonly layerNoDeps = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const store = yield* KeyStore;
      const digest = yield* Digest.Digest;
      const random = yield* SecureRandom.SecureRandom;
      const events = yield* EventLog;
      const directory = yield* Directory;
      const { adminKey } = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const scope = yield* Effect.scope;
      const decodeCreate = Input.decoder(ApiKeyCreate);
      const encoder = new TextEncoder();
      const sha256 = (text: string) => digest.digest(Digest.sha256, encoder.encode(text));
      const secretHash = (secret: string) =>
        digest.digestHex(Digest.sha256, encoder.encode(secret));

      const make = Effect.fnUntraced(function* (
        fields: Omit<ApiKey, "id" | "createdAt" | "lastUsedAt">,
      ) {
        const id = yield* newId("key");
        const secret = Hex.encode(yield* random.randomBytes(32));
        const key: ApiKey = {
          ...fields,
          id,
          createdAt: yield* Timestamp.now,
          lastUsedAt: null,
        };
        const row = { ...key, secretHash: yield* secretHash(secret) };
        return { row, key: `qm_${id.slice("key_".length)}_${secret}` };
      });

      const record = (
        kind: "key.created" | "key.deleted",
        key: Pick<ApiKey, "id" | "name" | "role">,
        principal: Principal.Principal,
      ) =>
        events.record([
          {
            kind,
            projectId: null,
            relatedProjectId: null,
            subjectId: key.id,
            actor: Principal.actorOf(principal),
            data: { name: key.name, role: key.role },
          },
        ]);

      const create = Span.fn("Keys.create")(function* (input: typeof ApiKeyCreate.Encoded) {
        const principal = yield* Principal.requireUnbound("Admin");
        const body = yield* decodeCreate(input);
        const { agentId = null, userId = null, projects = null, expiresAt = null } = body;
        if (agentId !== null && userId !== null) {
          return yield* InvalidRequest.at("userId", "cannot be given together with agentId");
        }
        if (agentId !== null && Role.includes(body.role, "Admin")) {
          return yield* InvalidRequest.at("role", "must be Viewer or Editor with agentId");
        }
        if (!Role.includes(principal.role, body.role)) {
          return yield* new Forbidden({ requiredRole: body.role });
        }
        for (const [field, kind, id] of [
          ["agentId", "agent", agentId],
          ["userId", "user", userId],
          ...(projects ?? []).map((id) => ["projects", "project", id] as const),
        ] as const) {
          if (id !== null && !(yield* directory.knows(kind, id))) {
            return yield* new UnknownReference({ field, id });
          }
        }
        const { name, role } = body;
        return yield* transact(
          Effect.gen(function* () {
            const { row, key } = yield* make({ name, role, projects, agentId, userId, expiresAt });
            yield* record("key.created", row, principal);
            return { ...toApiKey(yield* store.insert(row)), key };
          }),
        );
      });

      const list = Span.fn("Keys.list")(function* (request: Page.PageRequest = {}) {
        const principal = yield* Principal.requireUnbound("Admin");
        const roles = Role.Role.literals.filter((role) => Role.includes(principal.role, role));
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["keys", roles] },
          (slice) => store.list(roles, slice),
        );
        return Page.map(page, toApiKey);
      });

      const remove = Span.fn("Keys.remove")(function* (keyId: string) {
        const principal = yield* Principal.requireUnbound("Admin");
        yield* Effect.gen(function* () {
          const key = Option.getOrNull(yield* store.get(keyId));
          if (key === null || !Role.includes(principal.role, key.role)) {
            return yield* new NotFound({ resource: "key", id: keyId });
          }
          const now = yield* Timestamp.now;
          if (isOwner(key, now) && (yield* store.owners(now)) === 1) {
            return yield* new LastOwnerKey();
          }
          yield* store.remove(keyId);
          yield* record("key.deleted", key, principal);
        }).pipe(transact);
      });

      const adminOf = (key: Redacted.Redacted<string>) =>
        Effect.map(sha256(Redacted.value(key)), (hash) => ({
          hash,
          credential: adminCredential(hash),
        }));
      const admin = adminKey === null ? null : yield* adminOf(adminKey);

      const good = Effect.fnUntraced(function* (keyId: string) {
        const key = Option.getOrNull(yield* store.get(keyId));
        const now = yield* Timestamp.now;
        if (key === null || expired(key, now)) return yield* new Unauthenticated();
        return { key, now };
      });

      const credentialOf = (key: ApiKeyRow): Credential => ({
        principal: principalOf(key),
        keyId: key.id,
        expiresAt: key.expiresAt,
      });

      /** Notes the use, at most once a minute, without keeping the caller waiting. */
      const used = (key: ApiKeyRow, now: string) =>
        key.lastUsedAt?.slice(0, minute) === now.slice(0, minute)
          ? Effect.void
          : transact(store.used(key.id, now)).pipe(
              Effect.catch((error) => Effect.logDebug("The use of a key was not noted", error)),
              Effect.forkIn(scope),
              Effect.asVoid,
            );

      const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted<string>) {
        if (admin !== null) {
          const hash = yield* sha256(Redacted.value(presented));
          if (Mac.timingSafeEqual(hash, admin.hash)) return admin.credential;
        }
        const [, id, secret] = pattern.exec(Redacted.value(presented)) ?? [];
        if (id === undefined || secret === undefined) return yield* new Unauthenticated();
        const { key, now } = yield* good(`key_${id}`);
        const hash = yield* secretHash(secret);
        if (!Mac.timingSafeEqual(encoder.encode(hash), encoder.encode(key.secretHash))) {
          return yield* new Unauthenticated();
        }
        yield* used(key, now);
        return credentialOf(key);
      });

      const credential = (keyId: string) =>
        keyId === admin?.credential.keyId
          ? Effect.succeed(admin.credential)
          : Effect.map(good(keyId), ({ key }) => credentialOf(key));

      const bootstrap = Span.fn("Keys.bootstrap")(function* <E, R>(
        save: (key: Redacted.Redacted<string>) => Effect.Effect<void, E, R>,
      ) {
        return yield* transact(
          Effect.gen(function* () {
            // The number of Owner keys still holds at commit, a list need not: of two nodes that
            // bootstrap, the second one reruns and finds the first one's key.
            if ((yield* store.owners(yield* Timestamp.now)) > 0) return false;
            const slice = { limit: 1, order: "asc", after: null } as const;
            if ((yield* store.list(Role.Role.literals, slice)).length > 0) return false;
            const { row, key } = yield* make({
              name: "Owner",
              role: "Owner",
              projects: null,
              agentId: null,
              userId: null,
              expiresAt: null,
            });
            yield* save(Redacted.make(key));
            yield* store.insert(row);
            yield* record("key.created", row, Principal.system);
            return true;
          }),
        );
      });

      return Keys.of({ create, list, remove, authenticate, credential, bootstrap });
    }),
  );
}

/**
 * What the key that the host sets by `CoreOptions.adminKey` stands for. Another key has another id,
 * so that sessions end with the key they were made with.
 */
const adminCredential = (hash: Uint8Array): Credential => ({
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

/** How much of a moment's text names its minute. */
const minute = "2026-11-21T03:04".length;

const pattern = /^qm_([A-Za-z0-9]{1,64})_([A-Za-z0-9]{1,256})$/;

const expired = (key: ApiKeyRow, now: string): boolean =>
  key.expiresAt !== null && key.expiresAt <= now;

const isOwner = (key: ApiKeyRow, now: string): boolean =>
  key.role === "Owner" && key.projects === null && !expired(key, now);

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  role: row.role,
  projects: row.projects,
  agentId: row.agentId,
  userId: row.userId,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
});
