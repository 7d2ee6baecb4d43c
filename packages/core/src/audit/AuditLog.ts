import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { CurrentClient } from "../access/CurrentClient.ts";
import { CurrentKey } from "../access/CurrentKey.ts";
import * as Principal from "../access/Principal.ts";
import type { InvalidRequest, StorageError } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import type { AuditEntry, AuditFilter, AuditRow } from "./AuditEntry.ts";
import { AuditStore } from "./AuditStore.ts";

const agentCharacters = 200;

/** An entry to record. */
export interface NewEntry extends Pick<AuditEntry, "action" | "actor" | "subject"> {
  /** Default: none. */
  readonly changes?: ReadonlyArray<string>;
  /** Default: the key of the current call. */
  readonly keyId?: string | null;
}

/**
 * The record of who changed keys, sessions, access, servers and settings. Each entry is written in the
 * transaction of the change.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Records changes of the current call in the current transaction. */
    record(entries: ReadonlyArray<NewEntry>): Effect.Effect<void, StorageError>;
    /**
     * Returns a page of the entries that match the filter, newest first by default. Requires the Admin
     * role and a principal without projects.
     *
     * @example
     * ```ts
     * import { AuditLog, Keys } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const keys = yield* Keys.Keys;
     *   const audit = yield* AuditLog.AuditLog;
     *   yield* keys.create({ name: "Deploy bot", role: "Editor" });
     *   const { items } = yield* audit.list();
     *   return items.map(({ action, subject }) => [action, subject.name]); // [["key.created","Deploy bot"]]
     * });
     * ```
     */
    list(
      request?: Page.PageRequest & AuditFilter,
    ): Effect.Effect<
      Page.Page<AuditEntry>,
      Forbidden | InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /** Removes entries older than `CoreOptions.auditDays`, at most 5,000, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/audit/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const store = yield* AuditStore;
      const { auditDays } = yield* CoreOptions;

      const record = Effect.fnUntraced(function* (entries: ReadonlyArray<NewEntry>) {
        if (entries.length === 0) return;
        const { address, userAgent } = yield* CurrentClient;
        const from = {
          at: yield* Timestamp.now,
          keyId: yield* CurrentKey,
          address,
          userAgent: userAgent === null ? null : userAgent.slice(0, agentCharacters),
          changes: [],
        };
        yield* store.append(entries.map((entry) => ({ ...from, ...entry })));
      });

      const list = Span.fn("AuditLog.list")(function* (
        request: Page.PageRequest & AuditFilter = {},
      ) {
        yield* Principal.requireUnbound("Admin");
        const { action = null, actor = null, from = null, to = null } = request;
        const query = { actions: action, actor, from, to };
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["audit", query] },
          (slice) => store.list(query, slice),
        );
        return Page.map(page, withoutSeq);
      });

      const prune = Effect.flatMap(Timestamp.now, (now) =>
        store.prune(Timestamp.addSeconds(now, -auditDays * 86_400), 5_000),
      );

      return AuditLog.of({ record, list, prune });
    }),
  );
}

const withoutSeq = ({ seq: _, ...entry }: AuditRow): AuditEntry => entry;
