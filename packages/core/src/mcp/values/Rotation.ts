import { Context, Effect, Layer, Option } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { Transactor } from "../../Transactor.ts";
import type { SecretRow } from "../InstalledServer.ts";
import { McpServerStore } from "../McpServerStore.ts";

/** Values of a server that cannot be opened. */
export interface Unreadable {
  readonly serverId: string;
  readonly serverName: string;
  readonly variables: ReadonlyArray<string>;
}

/** Secrets that are kept already, under whatever master key. */
export class Rotation extends Context.Service<
  Rotation,
  {
    /**
     * Seals everything anew that is not kept under the newest master key, some at a time, each
     * whole; what cannot be opened stays as it is. Answers how many were, and the servers that
     * have one that cannot be opened.
     */
    readonly rotate: Effect.Effect<
      { readonly rotated: number; readonly failed: ReadonlyArray<string> },
      StorageError
    >;
    /** The ids of the master keys, other than the newest, that something is kept under. */
    readonly olderKeyIds: Effect.Effect<ReadonlySet<string>, StorageError>;
    /** What no key opens. */
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

      type Step = (row: SecretRow) => Effect.Effect<void, StorageError>;

      /** Some of the secrets that are not kept under the newest key; answers the last one. */
      const some = Effect.fnUntraced(function* (after: SecretRow | null, f: Step) {
        const rows = yield* store.secretsNotUnder(yield* box.newestKeyId, after, 100);
        yield* Effect.forEach(rows, f, { discard: true });
        return rows.at(-1) ?? null;
      }, transact);

      const eachOlder = Effect.fnUntraced(function* (f: Step) {
        let after = yield* some(null, f);
        while (after !== null) after = yield* some(after, f);
      });

      const rotate = Effect.gen(function* () {
        const failed = new Set<string>();
        let rotated = 0;
        yield* eachOlder(
          Effect.fnUntraced(function* (row) {
            const value = yield* Effect.option(box.open(row, row));
            if (Option.isNone(value)) {
              failed.add(row.serverId);
              return;
            }
            const sealed = yield* box.seal(row, value.value);
            yield* store.putSecrets([{ serverId: row.serverId, name: row.name, ...sealed }]);
            rotated++;
          }),
        );
        return { rotated, failed: [...failed] };
      }).pipe(Effect.withSpan("Rotation.rotate"));

      const olderKeyIds = Effect.gen(function* () {
        const found = new Set<string>();
        yield* eachOlder(({ keyId }) =>
          Effect.sync(() => {
            found.add(keyId);
          }),
        );
        return found;
      });

      const unreadable = Effect.gen(function* () {
        const found: Array<Unreadable> = [];
        for (const { id, name } of yield* store.list) {
          const variables: Array<string> = [];
          for (const row of yield* store.secrets(id)) {
            if (Option.isNone(yield* Effect.option(box.open(row, row)))) variables.push(row.name);
          }
          if (variables.length > 0) found.push({ serverId: id, serverName: name, variables });
        }
        return found;
      }).pipe(Effect.withSpan("Rotation.unreadable"));

      return Rotation.of({ rotate, olderKeyIds, unreadable });
    }),
  );

  static readonly layer = Layer.provide(Rotation.layerNoDeps, SecretBox.layer);
}
