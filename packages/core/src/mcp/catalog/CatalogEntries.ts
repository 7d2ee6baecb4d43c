import { Context, Effect, Layer, Option, Struct } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { AuditLog } from "../../audit/AuditLog.ts";
import {
  type IdempotencyMismatch,
  InvalidRequest,
  NotFound,
  type StorageError,
} from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import {
  type CatalogEntry,
  type CatalogEntrySummary,
  type Category,
  isStdio,
  summarize,
  WrittenEntry,
} from "../CatalogEntry.ts";
import { CatalogStore } from "../CatalogStore.ts";
import { EntryIdTaken, EntryInUse } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { PackageStore } from "../PackageStore.ts";
import { canonical } from "../Tool.ts";
import { Catalog } from "./Catalog.ts";
import { ownProblems, problems } from "./internal/EntryProblems.ts";

type Change<A, E = never> = Effect.Effect<
  A,
  Forbidden | InvalidRequest | StorageError | E,
  Principal.CurrentPrincipal
>;

/**
 * The servers that can be installed: the host's `Catalog`, then the entries of Owners, oldest
 * first. An entry of the host hides an Owner's entry with the same id. A change needs an Owner that
 * is bound to no project. An installed server keeps its copy of the entry.
 */
export class CatalogEntries extends Context.Service<
  CatalogEntries,
  {
    readonly all: Effect.Effect<ReadonlyArray<CatalogEntry>, StorageError>;
    list(category?: Category): Effect.Effect<ReadonlyArray<CatalogEntrySummary>, StorageError>;
    get(id: string): Effect.Effect<CatalogEntry, NotFound | StorageError>;
    /**
     * Creates an entry, which is never `verified`.
     *
     * @example
     * ```ts
     * import { CatalogEntries } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const catalog = yield* CatalogEntries.CatalogEntries;
     *   const { source } = yield* catalog.create({
     *     id: "tickets",
     *     name: "Tickets",
     *     description: "The tickets of the help desk",
     *     category: "saas",
     *     transport: "http",
     *     runtime: "none",
     *     installInstructions: "Nothing to do.",
     *     manifest: { url: "https://tickets.example/mcp" },
     *   });
     *   return source; // "own"
     * });
     * ```
     */
    create(
      input: typeof WrittenEntry.Encoded,
    ): Change<CatalogEntry, EntryIdTaken | NotFound | IdempotencyMismatch>;
    /** Replaces an entry. Its servers update to it with `version: "catalog"`. */
    put(
      id: string,
      input: typeof WrittenEntry.Encoded,
    ): Change<CatalogEntry, NotFound | EntryInUse>;
    /** Removes an entry from which no server is installed. */
    remove(id: string): Change<void, NotFound | EntryInUse>;
  }
>()("@quartermaster/core/mcp/catalog/CatalogEntries") {
  static readonly layerNoDeps = Layer.effect(
    CatalogEntries,
    Effect.gen(function* () {
      const host = yield* Catalog;
      const store = yield* CatalogStore;
      const servers = yield* McpServerStore;
      const events = yield* EventLog;
      const audit = yield* AuditLog;
      const idempotency = yield* Idempotency;
      const { transact } = yield* Transactor;
      const { isAllowedPath } = yield* PackageStore;
      const decode = Input.decoder(WrittenEntry);

      for (const { id } of yield* store.list) {
        if (!host.byId.has(id)) continue;
        yield* Effect.logWarning(
          `The catalog entry ${id} that an Owner created is hidden by a built-in or file entry with the same id`,
        );
      }

      const all = Effect.map(store.list, (own) => [
        ...host.all,
        ...own.filter(({ id }) => !host.byId.has(id)),
      ]);

      const get = Span.fn("CatalogEntries.get")(function* (id: string) {
        const entry = host.byId.get(id) ?? Option.getOrUndefined(yield* store.get(id));
        return entry ?? (yield* new NotFound({ resource: "catalogEntry", id }));
      });

      const list = Effect.fnUntraced(function* (category?: Category) {
        const entries = yield* all;
        return entries
          .filter((entry) => category === undefined || entry.category === category)
          .map(summarize);
      });

      const read = Effect.fnUntraced(function* (input: unknown) {
        const entry: CatalogEntry = { ...(yield* decode(input)), verified: false, source: "own" };
        const found = [...problems(entry), ...(yield* ownProblems(entry, isAllowedPath))];
        if (found.length === 0) return entry;
        return yield* new InvalidRequest({
          errors: found.map(([path, message]) => ({ path, message })),
        });
      });

      /** The Owner's entry with this id. Entries of the host cannot be changed. */
      const changeable = Effect.fnUntraced(function* (id: string) {
        const entry = yield* get(id);
        if (entry.source === "own") return entry;
        return yield* new EntryInUse({ why: "it is built in or from a file of the host" });
      });

      const record = Effect.fnUntraced(function* (
        principal: Principal.Principal,
        { id, name }: CatalogEntry,
        change: "created" | "updated" | "deleted",
        changes: ReadonlyArray<string> = [],
      ) {
        const actor = Principal.actorOf(principal);
        yield* events.record([
          {
            kind: "mcp.catalogChanged",
            projectId: null,
            relatedProjectId: null,
            subjectId: id,
            actor,
            data: { name, change },
          },
        ]);
        const subject = { type: "catalogEntry", id, name } as const;
        yield* audit.record([{ action: `catalogEntry.${change}`, actor, subject, changes }]);
      });

      const create = Span.fn("CatalogEntries.create")(function* (
        input: typeof WrittenEntry.Encoded,
      ) {
        const principal = yield* Principal.requireUnbound("Owner");
        const entry = yield* read(input);
        const make = Effect.gen(function* () {
          if (host.byId.has(entry.id) || Option.isSome(yield* store.get(entry.id))) {
            return yield* new EntryIdTaken({ entryId: entry.id });
          }
          const locked = lockedAsOf(entry, yield* Timestamp.now);
          yield* store.put(locked);
          yield* record(principal, locked, "created");
          return locked;
        });
        return yield* transact(idempotency.once({ make, find: get }));
      });

      const put = Span.fn("CatalogEntries.put")(function* (
        id: string,
        input: typeof WrittenEntry.Encoded,
      ) {
        const principal = yield* Principal.requireUnbound("Owner");
        const entry = yield* read(input);
        const replace = Effect.gen(function* () {
          const former = yield* changeable(id);
          if (entry.id !== id) {
            return yield* InvalidRequest.at(
              "id",
              `must be ${id}: the id of an entry cannot change`,
            );
          }
          const locked = lockedAsOf(entry, lockOf(former, entry) ?? (yield* Timestamp.now));
          yield* store.put(locked);
          yield* record(principal, locked, "updated", differing(former, locked));
          return locked;
        });
        return yield* transact(replace);
      });

      const remove = Span.fn("CatalogEntries.remove")(function* (id: string) {
        const principal = yield* Principal.requireUnbound("Owner");
        const drop = Effect.gen(function* () {
          const entry = yield* changeable(id);
          if ((yield* servers.list).some((server) => server.entry.id === id)) {
            return yield* new EntryInUse({ why: "a server is installed from it" });
          }
          yield* store.remove(id);
          yield* record(principal, entry, "deleted");
        });
        yield* transact(drop);
      });

      return CatalogEntries.of({ all, list, get, create, put, remove });
    }),
  );
}

/** The fields that differ. */
const differing = (former: CatalogEntry, entry: CatalogEntry): ReadonlyArray<string> =>
  Struct.keys(entry).filter((name) => canonical(former[name]) !== canonical(entry[name]));

/**
 * The entry with the time as of which its dependencies are resolved, unless it already has one or
 * has no package.
 */
const lockedAsOf = (entry: CatalogEntry, lockedAt: string): CatalogEntry => {
  const { manifest } = entry;
  const isUnlocked = isStdio(manifest) && manifest.package !== null && manifest.lockedAt === null;
  return isUnlocked ? { ...entry, manifest: { ...manifest, lockedAt } } : entry;
};

/**
 * The locked versions of a replaced entry, if the new entry has the same version of its package.
 */
const lockOf = (former: CatalogEntry, entry: CatalogEntry): string | null =>
  isStdio(former.manifest) &&
  isStdio(entry.manifest) &&
  former.manifest.package === entry.manifest.package &&
  former.manifest.version === entry.manifest.version
    ? former.manifest.lockedAt
    : null;
