import { Effect } from "effect";
import type { Principal } from "../../access/Principal.ts";
import { haltedSince } from "../../agents/Agent.ts";
import type { StorageError } from "../../CommonErrors.ts";
import { IssuePriority } from "../../issues/Issue.ts";
import { silentSince } from "../../issues/Readiness.ts";
import { McpServerStore } from "../../mcp/McpServerStore.ts";
import type * as Page from "../../Page.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import type { InboxKind } from "../InboxItem.ts";
import { type InboxKey, type InboxQuery, InboxStore } from "../InboxStore.ts";
import * as Items from "./Items.ts";

/** The entries of the inbox by kind. */

const priorities = IssuePriority.literals;

const text = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The order of the inbox. */
export const compare = (a: InboxKey, b: InboxKey): number =>
  priorities.indexOf(a.priority) - priorities.indexOf(b.priority) ||
  text(a.since, b.since) ||
  text(a.id, b.id);

type Slice = Page.Slice<InboxKey>;

export interface ReaderQuery extends InboxQuery {
  /** The caller: mentions are listed for a user only. */
  readonly reader: Pick<Principal, "id" | "type">;
}

export type Entries = Effect.Effect<ReadonlyArray<Items.Entry>, StorageError>;

export const make = Effect.gen(function* () {
  const store = yield* InboxStore;
  const servers = yield* McpServerStore;
  const webhooks = yield* WebhookStore;

  /** The entries of a slice, where all are known. */
  const sliceOf = (entries: ReadonlyArray<Items.Entry>, { after, order }: Slice) => {
    const sign = order === "asc" ? 1 : -1;
    return entries.filter(({ key }) => after === null || compare(key, after) * sign > 0);
  };

  /** Reads all servers, since there are few. */
  const ofServers = (kind: "serverError" | "toolsChanged", slice: Slice): Entries =>
    Effect.map(servers.list, (rows) =>
      sliceOf(
        rows
          .filter((row) => (kind === "serverError" ? row.status === "error" : row.toolsChanged))
          .map((row) => Items.ofServer(kind, row)),
        slice,
      ),
    );

  const ofWebhooks = (slice: Slice): Entries =>
    Effect.map(webhooks.list, (rows) =>
      sliceOf(rows.filter(({ status }) => status === "failing").map(Items.ofWebhook), slice),
    );

  const ofKind = (kind: InboxKind, query: ReaderQuery, slice: Slice): Entries => {
    const { now, reader } = query;
    switch (kind) {
      case "question":
        return Effect.map(store.questions(query, slice), (rows) => rows.map(Items.ofQuestion));
      case "effectUnknown":
        return Effect.map(store.unknownEffects(query, slice), (rows) => rows.map(Items.ofEffect));
      case "review":
        return Effect.map(store.reviews(query, slice), (rows) => rows.map(Items.ofReview));
      case "mentioned":
        return reader.type === "User"
          ? Effect.map(store.mentions({ ...query, name: reader.id }, slice), (rows) =>
              rows.map(Items.ofMention),
            )
          : Effect.succeed([]);
      case "failed":
      case "tooManyAttempts":
        return Effect.map(store.paused(kind, query, slice), (rows) =>
          rows.map((row) => Items.ofPaused(kind, row)),
        );
      case "blockedChain":
        return Effect.map(store.roots(query, slice), (rows) =>
          rows.map((row) => Items.ofRoot(row, now)),
        );
      case "agentSilent":
        return Effect.map(
          store.silentAgents({ ...query, silentSince: silentSince(now) }, slice),
          (rows) => rows.map((row) => Items.ofAgent(row, now)),
        );
      case "runnerHalted":
        return Effect.map(
          store.haltedAgents({ ...query, haltedSince: haltedSince(now) }, slice),
          (rows) => rows.map(Items.ofHalted),
        );
      case "serverError":
      case "toolsChanged":
        return ofServers(kind, slice);
      case "webhookFailing":
        return ofWebhooks(slice);
    }
  };

  /** A slice of the entries of some kinds, in the order of the inbox. */
  const ofKinds = (kinds: ReadonlyArray<InboxKind>, query: ReaderQuery, slice: Slice): Entries =>
    Effect.map(
      Effect.forEach(new Set(kinds), (kind) => ofKind(kind, query, slice)),
      (found) => {
        const sign = slice.order === "asc" ? 1 : -1;
        return found
          .flat()
          .toSorted((a, b) => compare(a.key, b.key) * sign)
          .slice(0, slice.limit);
      },
    );

  /** A slice of the entries that `isShown` accepts. */
  const filtered = Effect.fnUntraced(function* (
    kinds: ReadonlyArray<InboxKind>,
    query: ReaderQuery,
    slice: Slice,
    isShown: (entry: Items.Entry) => boolean,
  ) {
    const shown: Array<Items.Entry> = [];
    let { after } = slice;
    while (true) {
      const found = yield* ofKinds(kinds, query, { ...slice, after });
      shown.push(...found.filter(isShown));
      if (found.length < slice.limit || shown.length >= slice.limit) {
        return shown.slice(0, slice.limit);
      }
      after = found.at(-1)?.key ?? null;
    }
  });

  return { filtered };
});
