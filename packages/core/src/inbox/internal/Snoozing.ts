import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import { InvalidRequest, LimitExceeded } from "../../CommonErrors.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { idOf, type InboxKind, type InboxSnooze, maxSnoozed } from "../InboxItem.ts";
import { type Snooze, SnoozeStore } from "../SnoozeStore.ts";
import * as Entries from "./Entries.ts";
import type { Entry } from "./Items.ts";

/** Items that a principal does not want to see for a time. */

const longestSeconds = 30 * 86_400;

const keyOf = (kind: InboxKind, id: string) => `${kind} ${id}`;

const ownerOf = ({ id, type }: Principal.Principal) => `${type} ${id}`;

export const make = Effect.gen(function* () {
  const store = yield* SnoozeStore;
  const { transact } = yield* Transactor;
  const entries = yield* Entries.make;

  /** Returns whether the principal sees an entry now. */
  const awake = Effect.fnUntraced(function* (principal: Principal.Principal, now: string) {
    const snoozes = yield* store.list(ownerOf(principal), now);
    const since = new Map(snoozes.map((row) => [keyOf(row.kind, row.itemId), row.since]));
    return ({ item }: Entry) => item.since > (since.get(keyOf(item.kind, idOf(item))) ?? "");
  });

  /** The newest `since` of each wanted item that the query finds. */
  const sinceOf = Effect.fnUntraced(function* (
    wanted: InboxSnooze["items"],
    query: Entries.ReaderQuery,
  ) {
    const missing = new Set(wanted.map(({ id, kind }) => keyOf(kind, id)));
    const since = new Map<string, string>();
    yield* entries.filtered(
      wanted.map(({ kind }) => kind),
      query,
      { limit: 500, order: "asc", after: null },
      ({ item }) => {
        const key = keyOf(item.kind, idOf(item));
        if (missing.has(key) && item.since > (since.get(key) ?? "")) since.set(key, item.since);
        return false;
      },
    );
    return since;
  });

  const snooze = Effect.fnUntraced(function* (
    { items, until }: InboxSnooze,
    query: Entries.ReaderQuery,
  ) {
    const principal = ownerOf(yield* Principal.CurrentPrincipal);
    const { now } = query;
    if (until !== null && until <= now) {
      return yield* InvalidRequest.at("until", "must be later than now, or null");
    }
    if (until !== null && until > Timestamp.addSeconds(now, longestSeconds)) {
      return yield* InvalidRequest.at("until", "must be at most 30 days from now");
    }
    const since = until === null ? new Map<string, string>() : yield* sinceOf(items, query);
    const rows = items.flatMap(({ id: itemId, kind }): ReadonlyArray<Snooze> => {
      const found = since.get(keyOf(kind, itemId));
      return found === undefined || until === null
        ? []
        : [{ principal, kind, itemId, since: found, until }];
    });
    yield* transact(
      Effect.gen(function* () {
        if (until === null) {
          for (const { id: itemId, kind } of items) {
            yield* store.remove({ principal, kind, itemId });
          }
          return;
        }
        for (const row of rows) yield* store.put(row);
        const { length } = yield* store.list(principal, now);
        if (length > maxSnoozed) yield* new LimitExceeded({ limit: maxSnoozed });
      }),
    );
  });

  return { awake, snooze };
});
