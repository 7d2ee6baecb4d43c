import {
  ActivityStore,
  AgentStore,
  AttachmentContent,
  AttachmentStore,
  CommentStore,
  type Errors,
  EventStore,
  IdempotencyStore,
  IssueStore,
  KeyStore,
  LinkStore,
  McpServerStore,
  RunStore,
  SessionStore,
  ToolCallStore,
  Transactor,
} from "@quartermaster/core";
import { type Context, Effect, Layer } from "effect";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqlClient, SqlError } from "effect/sql";
import { Migrations, SqliteClient, Storage } from "../../src/index.ts";

/** A folder that is removed with the scope. */
export const tempFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "quartermaster-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
);

/** Storage in a folder of its own. */
export const layer: Layer.Layer<Storage.Ports, Errors.StorageError> = Layer.unwrap(
  Effect.map(tempFolder, (dataDir) => Storage.layer({ dataDir, durability: "normal" })),
);

const writes = new Set([
  "append",
  "forget",
  "heartbeat",
  "insert",
  "move",
  "prune",
  "put",
  "putAccess",
  "putSecrets",
  "putTools",
  "register",
  "remove",
  "removeSecrets",
  "rename",
  "slide",
  "update",
  "used",
]);

/** Each write of a port in a transaction: joined to the one around it, its own without. */
const transacting = <Id, Service extends object>(
  key: Context.Key<Id, Service>,
): Layer.Layer<Id, never, Id | Transactor.Transactor> =>
  Layer.effect(
    key,
    Effect.gen(function* () {
      const service = yield* key;
      const { transact } = yield* Transactor.Transactor;
      return new Proxy(service, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== "function" || !writes.has(String(name))) return member;
          return (...args: ReadonlyArray<unknown>) => transact(Reflect.apply(member, target, args));
        },
      });
    }),
  );

/** For suites that call ports without a transaction around them: this storage refuses such writes. */
export const layerTransacting: Layer.Layer<Storage.Ports, Errors.StorageError> = Layer.mergeAll(
  transacting(ActivityStore.ActivityStore),
  transacting(AgentStore.AgentStore),
  transacting(AttachmentStore.AttachmentStore),
  transacting(CommentStore.CommentStore),
  transacting(EventStore.EventStore),
  transacting(IdempotencyStore.IdempotencyStore),
  transacting(IssueStore.IssueStore),
  transacting(KeyStore.KeyStore),
  transacting(LinkStore.LinkStore),
  transacting(McpServerStore.McpServerStore),
  transacting(RunStore.RunStore),
  transacting(SessionStore.SessionStore),
  transacting(ToolCallStore.ToolCallStore),
  Layer.effect(AttachmentContent.AttachmentContent, AttachmentContent.AttachmentContent),
).pipe(Layer.provideMerge(layer));

/** The client alone, its database migrated, and its file. */
export const layerClient = (
  filename: string,
): Layer.Layer<SqlClient.SqlClient, Errors.StorageError | SqlError.SqlError> =>
  Layer.effectDiscard(Migrations.run).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename, durability: "normal" })),
  );
