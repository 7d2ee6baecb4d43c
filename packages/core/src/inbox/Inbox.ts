import { Context, Effect, Layer } from "effect";
import * as Principal from "../access/Principal.ts";
import * as Role from "../access/Role.ts";
import { haltedSince } from "../agents/Agent.ts";
import type { InvalidRequest, StorageError } from "../CommonErrors.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import { IssuePriority } from "../issues/Issue.ts";
import { silentSince } from "../issues/Readiness.ts";
import { McpServerStore } from "../mcp/McpServerStore.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { InboxFilter, type InboxItem, InboxKind } from "./InboxItem.ts";
import { type InboxKey, type InboxQuery, InboxStore } from "./InboxStore.ts";
import * as Items from "./internal/Items.ts";

const priorities = IssuePriority.literals;

const keyset: Page.Keyset<Items.Entry, InboxKey> = {
  keyOf: ({ key }) => key,
  toText: ({ id, priority, since }) => `${priorities.indexOf(priority)} ${since} ${id}`,
  fromText: (text) => {
    const [rank, since = "", id = ""] = text.split(" ");
    const priority = priorities[Number(rank)];
    return priority === undefined ? undefined : { priority, since, id };
  },
};

const text = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The order of the inbox. */
export const compare = (a: InboxKey, b: InboxKey): number =>
  priorities.indexOf(a.priority) - priorities.indexOf(b.priority) ||
  text(a.since, b.since) ||
  text(a.id, b.id);

/** The items that need a person. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Returns a page of the items that need a person, by priority, then `since`, then id. An item
     * exists as long as its cause does.
     *
     * Issues that the principal may not see count toward no item. Servers are listed only for an
     * Admin that is bound to no project. Fails with `InvalidRequest` for an unknown kind.
     *
     * @example
     * ```ts
     * import { Inbox, Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const inbox = yield* Inbox.Inbox;
     *   const { id } = yield* issues.create("shop", { title: "Rotate the keys" });
     *   yield* issues.update(id, { status: "PendingReview" });
     *   const { items } = yield* inbox.list();
     *   return items.map(({ kind, title }) => [kind, title]); // [["review","Rotate the keys"]]
     * });
     * ```
     */
    list(
      request?: typeof InboxFilter.Encoded & Page.PageRequest,
    ): Effect.Effect<
      Page.Page<InboxItem>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
  }
>()("@quartermaster/core/inbox/Inbox") {
  static readonly layerNoDeps = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const store = yield* InboxStore;
      const servers = yield* McpServerStore;
      const decode = Input.decoder(InboxFilter);

      /** Reads all servers, since there are few. */
      const serverEntries = Effect.fnUntraced(function* (
        kind: "serverError" | "toolsChanged",
        { after, order }: Page.Slice<InboxKey>,
      ) {
        const sign = order === "asc" ? 1 : -1;
        return (yield* servers.list)
          .filter((row) => (kind === "serverError" ? row.status === "error" : row.toolsChanged))
          .map((row) => Items.ofServer(kind, row))
          .filter(({ key }) => after === null || compare(key, after) * sign > 0);
      });

      type Query = InboxQuery & { readonly silentSince: Timestamp.Timestamp };
      type Entries = Effect.Effect<ReadonlyArray<Items.Entry>, StorageError>;

      const entriesOf = (kind: InboxKind, query: Query, slice: Page.Slice<InboxKey>): Entries => {
        const { now } = query;
        switch (kind) {
          case "question":
            return Effect.map(store.questions(query, slice), (rows) => rows.map(Items.ofQuestion));
          case "effectUnknown":
            return Effect.map(store.unknownEffects(query, slice), (rows) =>
              rows.map(Items.ofEffect),
            );
          case "review":
            return Effect.map(store.reviews(query, slice), (rows) => rows.map(Items.ofReview));
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
            return Effect.map(store.silentAgents(query, slice), (rows) =>
              rows.map((row) => Items.ofAgent(row, now)),
            );
          case "runnerHalted":
            return Effect.map(
              store.haltedAgents({ ...query, haltedSince: haltedSince(now) }, slice),
              (rows) => rows.map(Items.ofHalted),
            );
          case "serverError":
          case "toolsChanged":
            return serverEntries(kind, slice);
        }
      };

      const list = Span.fn("Inbox.list")(function* (
        request: typeof InboxFilter.Encoded & Page.PageRequest = {},
      ) {
        const principal = yield* Principal.CurrentPrincipal;
        const { limit, cursor, order, ...filter } = request;
        const { kind = InboxKind.literals, projectId } = yield* decode(filter);
        const kinds = kind.filter((name) => projectId === undefined || !isOfServer(name));
        const shown = seesServers(principal) ? kinds : kinds.filter((name) => !isOfServer(name));
        const projects =
          projectId === undefined
            ? principal.projects
            : [...new Set(projectId)].filter((id) => Principal.sees(principal, id));
        const now = yield* Timestamp.now;
        const query = { projects, now, silentSince: silentSince(now) };
        const page = yield* Page.readBy(
          keyset,
          {
            limit,
            cursor,
            order,
            defaultOrder: "asc",
            query: ["inbox", projectId, kind.toSorted()],
          },
          (slice) =>
            Effect.map(
              Effect.forEach(new Set(shown), (name) => entriesOf(name, query, slice)),
              (found) => {
                const sign = slice.order === "asc" ? 1 : -1;
                return found
                  .flat()
                  .toSorted((a, b) => compare(a.key, b.key) * sign)
                  .slice(0, slice.limit);
              },
            ),
        );
        return Page.map(page, ({ item }) => item);
      });

      return Inbox.of({ list });
    }),
  );
}

const isOfServer = (kind: InboxKind): kind is "serverError" | "toolsChanged" =>
  kind === "serverError" || kind === "toolsChanged";

const seesServers = ({ projects, role }: Principal.Principal): boolean =>
  projects === null && Role.includes(role, "Admin");
