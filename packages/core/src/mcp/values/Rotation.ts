import { Context, Effect, Layer, Option } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { Transactor } from "../../Transactor.ts";
import type { SecretRow } from "../InstalledServer.ts";
import { McpServerStore } from "../McpServerStore.ts";

/** The variables of a server whose values no master key can open. */
export interface Unreadable {
  readonly serverId: string;
  readonly serverName: string;
  readonly variables: ReadonlyArray<string>;
}

/** Re-seals stored secrets under the newest master key, and finds secrets that no key can open. */
export class Rotation extends Context.Service<
  Rotation,
  {
    /**
     * Re-seals every secret that is stored under an older master key, at most 100 per transaction.
     * Does not change a secret that no key can open. Returns the number of re-sealed secrets, and
     * the ids of servers with a secret that it could not open.
     */
    readonly rotate: Effect.Effect<
      { readonly rotated: number; readonly failed: ReadonlyArray<string> },
      StorageError
    >;
    /** The ids of the master keys, other than the newest, under which secrets are stored. */
    readonly olderKeyIds: Effect.Effect<ReadonlySet<string>, StorageError>;
    /** The secrets that no key can open, by server. */
    readonly unreadable: Effect.Effect<ReadonlyArray<Unreadable>, StorageError>;
  }
>()("@quartermaster/core/mcp/values/Rotation") {
  static readonly layerNoDeps: Layer.Layer<
    Rotation,
    never,
    McpServerStore | SecretBox | Transactor
  > = Layer.effect(
    Rotation,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const box = yield* SecretBox;
      const { transact } = yield* Transactor;

      /**
       * Applies `step` to every secret that is stored under an older key, a page per transaction,
       * and collects the results. If the storage reruns a page's transaction, the results of that
       * page start over.
       */
      const eachOlder = Effect.fnUntraced(function* <A>(
        step: (row: SecretRow) => Effect.Effect<A, StorageError>,
      ) {
        const results: Array<A> = [];
        let after: SecretRow | null = null;
        do {
          const page: Page<A> = yield* transact(
            Effect.gen(function* () {
              const rows = yield* store.secretsNotUnder(yield* box.newestKeyId, after, pageSize);
              return { last: rows.at(-1) ?? null, results: yield* Effect.forEach(rows, step) };
            }),
          );
          results.push(...page.results);
          after = page.last;
        } while (after !== null);
        return results;
      });

      const rotateOne = Effect.fnUntraced(function* (row: SecretRow) {
        const value = yield* Effect.option(box.open(row, row));
        if (Option.isNone(value)) return { serverId: row.serverId, opened: false };
        const sealed = yield* box.seal(row, value.value);
        yield* store.putSecrets([{ serverId: row.serverId, name: row.name, ...sealed }]);
        return { serverId: row.serverId, opened: true };
      });

      const rotate = Effect.gen(function* () {
        const secrets = yield* eachOlder(rotateOne);
        const failed = secrets.filter(({ opened }) => !opened).map(({ serverId }) => serverId);
        return { rotated: secrets.length - failed.length, failed: [...new Set(failed)] };
      }).pipe(Effect.withSpan("Rotation.rotate"));

      const olderKeyIds = Effect.map(
        eachOlder(({ keyId }) => Effect.succeed(keyId)),
        (keyIds) => new Set(keyIds),
      );

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

/** Secrets per transaction. */
const pageSize = 100;

interface Page<A> {
  /** The last secret of the page; null when there are no more. */
  readonly last: SecretRow | null;
  readonly results: ReadonlyArray<A>;
}
