import { Context, Effect, Layer, type Redacted } from "effect";
import type { Forbidden, LastOwnerKey, Unauthenticated } from "../access/AccessErrors.ts";
import type { CurrentPrincipal } from "../access/Principal.ts";
import type { InvalidRequest, NotFound, StorageError, UnknownReference } from "../CommonErrors.ts";
import type * as Page from "../Page.ts";
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyName,
  ApiKeyNameFilter,
  Credential,
} from "./ApiKey.ts";
import * as Authentication from "./internal/Authentication.ts";
import * as KeyManagement from "./internal/KeyManagement.ts";

export type { Credential } from "./ApiKey.ts";

/**
 * API keys, `qm_<keyId>_<secret>`. Storage has only a SHA-256 of the secret.
 *
 * Creating, listing and deleting keys requires the Admin role and a principal without projects
 * (`Forbidden`), and covers only keys up to the principal's own role.
 */
export class Keys extends Context.Service<
  Keys,
  {
    /**
     * Creates a key and returns it with `key`, which no other method returns.
     *
     * Fails with `Forbidden` for a role above the principal's, `InvalidRequest` for an agent's key
     * with `userId` or another role than Viewer and Editor, or a Metrics key with `projects`, `agentId`
     * or `userId`, and `UnknownReference` for an agent, user or project
     * that the host's directory does not know.
     *
     * @example
     * ```ts
     * import { Keys } from "@quartermaster/core";
     * import { Effect, Redacted } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const keys = yield* Keys.Keys;
     *   const created = yield* keys.create({ name: "Agent ops", role: "Editor", agentId: "ops" });
     *   const { principal } = yield* keys.authenticate(Redacted.make(created.key));
     *   return [principal.type, principal.id]; // ["Agent","ops"]
     * });
     * ```
     */
    create(
      input: typeof ApiKeyCreate.Encoded,
    ): Effect.Effect<
      ApiKeyCreated,
      Forbidden | InvalidRequest | StorageError | UnknownReference,
      CurrentPrincipal
    >;
    /** Returns a page of the keys, newest first by default. */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<ApiKey>,
      Forbidden | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /**
     * Returns the names of the keys with these ids, 1 to 100, in their order, for any Viewer. A key
     * without a user acts under its own id, which issues, comments and events contain. Omits ids of
     * unknown and deleted keys.
     *
     * @example
     * ```ts
     * import { Keys } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const keys = yield* Keys.Keys;
     *   const { id } = yield* keys.create({ name: "Deploy bot", role: "Editor" });
     *   return (yield* keys.names({ id: [id] })).map(({ name }) => name); // ["Deploy bot"]
     * });
     * ```
     */
    names(
      filter: ApiKeyNameFilter,
    ): Effect.Effect<
      ReadonlyArray<ApiKeyName>,
      Forbidden | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /**
     * Deletes a key and ends its sessions immediately. Fails with `LastOwnerKey` for the last Owner
     * key that has not expired.
     */
    remove(
      keyId: string,
    ): Effect.Effect<void, Forbidden | LastOwnerKey | NotFound | StorageError, CurrentPrincipal>;
    /** Returns the principal of a presented key, and stores the time of use to the minute. */
    authenticate(
      key: Redacted.Redacted<string>,
    ): Effect.Effect<Credential, Unauthenticated | StorageError>;
    /**
     * Returns the principal of the key with this id; `Unauthenticated` if it expired or was
     * deleted.
     */
    credential(keyId: string): Effect.Effect<Credential, Unauthenticated | StorageError>;
    /**
     * Creates an Owner key if no key exists, and returns whether it did. `save` gets the key inside
     * the transaction: if `save` fails, no key is created. `save` may run more than once, like the
     * transaction, each time with another key. Only the last key is valid, and none if `bootstrap`
     * returns false.
     */
    bootstrap<E, R>(
      save: (key: Redacted.Redacted<string>) => Effect.Effect<void, E, R>,
    ): Effect.Effect<boolean, E | StorageError, R>;
  }
>()("@quartermaster/core/keys/Keys") {
  static readonly layerNoDeps = Layer.effect(
    Keys,
    Effect.gen(function* () {
      return Keys.of({ ...(yield* KeyManagement.make), ...(yield* Authentication.make) });
    }),
  );
}
