import { Context, Effect, Layer, Option } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import type { EffectSlot } from "../../effects/EffectSlot.ts";
import { EffectStore } from "../../effects/EffectStore.ts";
import * as SealedResult from "../../effects/SealedResult.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { Transactor } from "../../Transactor.ts";
import { ownerOf as ownerOfWebhook, type WebhookSecretRow } from "../../webhooks/Webhook.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import { type CallBody, CallBodyStore, ownerOf } from "../CallBodyStore.ts";
import type { SecretRow } from "../InstalledServer.ts";
import { McpServerStore } from "../McpServerStore.ts";

/** The variables of a server whose values no master key can open. */
export interface Unreadable {
  readonly serverId: string;
  readonly serverName: string;
  readonly variables: ReadonlyArray<string>;
}

/**
 * Re-seals stored secrets, results of effects, recorded arguments and results of calls, and the URLs and secrets of
 * webhooks under the newest master key, and finds secrets that no key can open.
 */
export class Rotation extends Context.Service<
  Rotation,
  {
    /**
     * Re-seals everything that is stored under an older master key, at most 100 values per transaction.
     * Does not change a value that no key can open. Returns the number of re-sealed values, and
     * the ids of servers and webhooks with a secret that it could not open.
     */
    readonly rotate: Effect.Effect<
      { readonly rotated: number; readonly failed: ReadonlyArray<string> },
      StorageError
    >;
    /** The ids of the master keys, other than the newest, under which something is stored. */
    readonly olderKeyIds: Effect.Effect<ReadonlySet<string>, StorageError>;
    /** The secrets that no key can open, by server. */
    readonly unreadable: Effect.Effect<ReadonlyArray<Unreadable>, StorageError>;
  }
>()("@quartermaster/core/mcp/values/Rotation") {
  static readonly layerNoDeps: Layer.Layer<
    Rotation,
    never,
    CallBodyStore | EffectStore | McpServerStore | SecretBox | Transactor | WebhookStore
  > = Layer.effect(
    Rotation,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const effects = yield* EffectStore;
      const bodies = yield* CallBodyStore;
      const webhooks = yield* WebhookStore;
      const box = yield* SecretBox;
      const { transact } = yield* Transactor;

      /**
       * Applies `step` to every row that is stored under an older key, a page per transaction,
       * and collects the results. If the storage reruns a page's transaction, the results of that
       * page start over.
       */
      const eachOlder = Effect.fnUntraced(function* <Row, A>(
        rowsAfter: (
          newestKeyId: string,
          after: Row | null,
        ) => Effect.Effect<ReadonlyArray<Row>, StorageError>,
        step: (row: Row) => Effect.Effect<A, StorageError>,
      ) {
        const results: Array<A> = [];
        let after: Row | null = null;
        do {
          const page: Page<Row, A> = yield* transact(
            Effect.gen(function* () {
              const rows = yield* rowsAfter(yield* box.newestKeyId, after);
              return { last: rows.at(-1) ?? null, results: yield* Effect.forEach(rows, step) };
            }),
          );
          results.push(...page.results);
          after = page.last;
        } while (after !== null);
        return results;
      });
      const secretsAfter = (keyId: string, after: SecretRow | null) =>
        store.secretsNotUnder(keyId, after, pageSize);
      const effectsAfter = (keyId: string, after: EffectSlot | null) =>
        effects.notUnder(keyId, after?.callId ?? "", pageSize);
      const bodiesAfter = (keyId: string, after: CallBody | null) =>
        bodies.notUnder(keyId, after, pageSize);
      const webhooksAfter = (keyId: string, after: WebhookSecretRow | null) =>
        webhooks.secretsNotUnder(keyId, after, pageSize);

      const rotateOne = Effect.fnUntraced(function* (row: SecretRow) {
        const value = yield* Effect.option(box.open(row, row));
        if (Option.isNone(value)) return { serverId: row.serverId, opened: false };
        const sealed = yield* box.seal(row, value.value);
        yield* store.putSecrets([{ serverId: row.serverId, name: row.name, ...sealed }]);
        return { serverId: row.serverId, opened: true };
      });

      const rotateResult = Effect.fnUntraced(function* (slot: EffectSlot) {
        const { callId, result, serverId } = slot;
        if (result === null) return { serverId, opened: true };
        const owner = SealedResult.ownerOf(slot);
        const value = yield* Effect.option(box.open(owner, SealedResult.read(result)));
        if (Option.isNone(value)) return { serverId, opened: false };
        const sealed = SealedResult.write(yield* box.seal(owner, value.value));
        yield* effects.replace(callId, { ...slot, result: sealed });
        return { serverId, opened: true };
      });

      const rotateWebhook = Effect.fnUntraced(function* (row: WebhookSecretRow) {
        const { name, webhookId } = row;
        const owner = ownerOfWebhook(row);
        const value = yield* Effect.option(box.open(owner, row));
        if (Option.isNone(value)) return { serverId: webhookId, opened: false };
        yield* webhooks.putSecrets([{ webhookId, name, ...(yield* box.seal(owner, value.value)) }]);
        return { serverId: webhookId, opened: true };
      });

      /** Returns whether a key opened the body. Other bodies expire under their key. */
      const rotateBody = Effect.fnUntraced(function* (body: CallBody) {
        const value = yield* Effect.option(box.open(ownerOf(body), body));
        if (Option.isNone(value)) return false;
        const sealed = yield* box.seal(ownerOf(body), value.value);
        yield* bodies.put([{ ...body, ...sealed, bytes: sealed.sealed.length }]);
        return true;
      });

      const rotate = Effect.gen(function* () {
        const secrets = [
          ...(yield* eachOlder(secretsAfter, rotateOne)),
          ...(yield* eachOlder(effectsAfter, rotateResult)),
          ...(yield* eachOlder(webhooksAfter, rotateWebhook)),
        ];
        const failed = secrets.filter(({ opened }) => !opened).map(({ serverId }) => serverId);
        const resealed = (yield* eachOlder(bodiesAfter, rotateBody)).filter(Boolean);
        const rotated = secrets.length - failed.length + resealed.length;
        return { rotated, failed: [...new Set(failed)] };
      }).pipe(Effect.withSpan("Rotation.rotate"));

      const olderKeyIds = Effect.gen(function* () {
        const ofSecrets = yield* eachOlder(secretsAfter, ({ keyId }) => Effect.succeed(keyId));
        const ofResults = yield* eachOlder(effectsAfter, ({ result }) =>
          Effect.succeed(result === null ? [] : [SealedResult.read(result).keyId]),
        );
        const ofBodies = yield* eachOlder(bodiesAfter, ({ keyId }) => Effect.succeed(keyId));
        const ofWebhooks = yield* eachOlder(webhooksAfter, ({ keyId }) => Effect.succeed(keyId));
        return new Set([...ofSecrets, ...ofResults.flat(), ...ofBodies, ...ofWebhooks]);
      });
      const unreadable = Effect.gen(function* () {
        const servers: Array<Unreadable> = [];
        for (const { id, name } of yield* store.list) {
          const variables: Array<string> = [];
          for (const row of yield* store.secrets(id)) {
            if (Option.isNone(yield* Effect.option(box.open(row, row)))) variables.push(row.name);
          }
          if (variables.length > 0) servers.push({ serverId: id, serverName: name, variables });
        }
        return servers;
      }).pipe(Effect.withSpan("Rotation.unreadable"));

      return Rotation.of({ rotate, olderKeyIds, unreadable });
    }),
  );

  static readonly layer = Layer.provide(Rotation.layerNoDeps, SecretBox.layer);
}

/** Rows per transaction. */
const pageSize = 100;

interface Page<Row, A> {
  /** The last row of the page; null when there are no more. */
  readonly last: Row | null;
  readonly results: ReadonlyArray<A>;
}
