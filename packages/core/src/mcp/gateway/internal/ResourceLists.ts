import { Clock, Deferred, Effect, Exit, Option } from "effect";
import * as Timestamp from "../../../Timestamp.ts";
import { Connections, keyOf } from "../../connections/Connections.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import type { ResourceKind } from "../../McpConnector.ts";
import * as Outage from "../../Outage.ts";
import type { ResourceListing } from "../../untrusted/Resource.ts";

/**
 * Lists of servers' resources, in the memory of this node. Requests to servers run in the
 * background, at most one per server, and a list waits a few seconds for each. If a server does not
 * respond in time, the list contains its previous resources or none, and no list waits for it again
 * until its request has ended.
 */

interface Known {
  /** The previous list; null before the first. */
  listing: ResourceListing | null;
  /** The request that is in flight. */
  request: { readonly started: number; readonly done: Deferred.Deferred<void> } | null;
}

/** The number of lists that stay in memory. */
const maxKnown = 256;

/** The longest time that a list waits for a server. */
const waitSeconds = 5;

/** The list, and the reason why it may be incomplete; null if it is complete. */
export interface Found {
  readonly listing: ResourceListing | null;
  readonly note: string | null;
}

export const make = Effect.gen(function* () {
  const connections = yield* Connections;
  const scope = yield* Effect.scope;
  const lists = new Map<string, Known>();

  const knownOf = (server: InstalledServerRow, agentId: string, kind: ResourceKind): Known => {
    const name = JSON.stringify([keyOf(server, agentId), kind]);
    const known = lists.get(name) ?? { listing: null, request: null };
    // The most recently used list is the last one.
    lists.delete(name);
    lists.set(name, known);
    if (lists.size > maxKnown) lists.delete(lists.keys().next().value ?? "");
    return known;
  };

  const request = Effect.fnUntraced(function* (
    known: Known,
    server: InstalledServerRow,
    agentId: string,
    kind: ResourceKind,
    started: number,
  ) {
    const done = Deferred.makeUnsafe<void>();
    known.request = { started, done };
    yield* connections
      .use(server, agentId, (connection) => connection.listResources(kind))
      .pipe(
        Effect.tap((listing) =>
          Effect.sync(() => {
            known.listing = listing;
          }),
        ),
        Effect.ignore,
        Effect.ensuring(
          Effect.sync(() => {
            known.request = null;
            Deferred.doneUnsafe(done, Exit.void);
          }),
        ),
        Effect.forkIn(scope, { startImmediately: true }),
      );
    return { started, done };
  });

  /** The server's list. `isNext`: for a page after the first, which uses the list in memory. */
  return Effect.fnUntraced(function* (
    server: InstalledServerRow,
    agentId: string,
    kind: ResourceKind,
    isNext: boolean,
  ): Effect.fn.Return<Found> {
    const known = knownOf(server, agentId, kind);
    if (isNext && known.listing !== null) return { listing: known.listing, note: null };
    if (server.status === "error") {
      const now = yield* Timestamp.now;
      const note = server.outage === null ? "out" : Outage.describe(server.outage, now);
      return { listing: known.listing, note: `It is ${note}.` };
    }
    const now = yield* Clock.currentTimeMillis;
    const before = known.listing;
    const { done, started } = known.request ?? (yield* request(known, server, agentId, kind, now));
    const left = Math.max(0, started + waitSeconds * 1_000 - now);
    const inTime = Option.isSome(yield* Effect.timeoutOption(Deferred.await(done), left));
    const { listing } = known;
    return { listing, note: listing === before ? missed(inTime) : noteOf(listing) };
  });
});

const missed = (inTime: boolean): string =>
  inTime ? "It failed to list them." : `It did not list them within ${waitSeconds} s.`;

const noteOf = (listing: ResourceListing | null): string | null => {
  if (listing === null) return null;
  const { cutAt, invalid, items } = listing;
  const notes = [
    invalid > 0 && `${invalid} that clients could not read are left out.`,
    cutAt !== null && `Only the first ${items.length} of ${cutAt} or more are used.`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : notes.join(" ");
};
