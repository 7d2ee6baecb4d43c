import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys, isKey } from "../access/IssueKeys.ts";
import * as Principal from "../access/Principal.ts";
import * as Role from "../access/Role.ts";
import type { InvalidRequest, LimitExceeded, NotFound, StorageError } from "../CommonErrors.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import { IssueView } from "../issues/IssueView.ts";
import { MentionStore } from "../issues/MentionStore.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import {
  InboxFilter,
  type InboxGroup,
  type InboxItem,
  InboxKind,
  InboxSnooze,
} from "./InboxItem.ts";
import type { InboxKey } from "./InboxStore.ts";
import * as Entries from "./internal/Entries.ts";
import * as Grouping from "./internal/Grouping.ts";
import * as Order from "./internal/Order.ts";
import * as Snoozing from "./internal/Snoozing.ts";

export const { compare } = Entries;

type Request = typeof InboxFilter.Encoded & Page.PageRequest;

/** The number of items that are grouped. */
const mostGrouped = 5_000;

/** The items that need a person. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Returns a page of the items that need a person, by priority, then by the number of open issues
     * that wait for their issue (counted for the first 500 items), `since` and id. An item exists as
     * long as its cause does.
     *
     * Issues that the principal may not see count toward no item. Servers and webhooks are listed only for an
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
      request?: Request,
    ): Effect.Effect<
      Page.Page<InboxItem>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Returns a page of groups of items that one action answers, in the order of their first items:
     * failures with the same first line, silent agents, and runners that are halted for the same
     * reason. Any other item is a group of one. Groups the first 5,000 items by priority and `since`.
     */
    groups(
      request?: Request,
    ): Effect.Effect<
      Page.Page<InboxGroup>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Hides items from the current principal's lists until a time, or until their `since` changes. Null shows them
     * again. Items that are gone are ignored.
     *
     * Fails with `InvalidRequest` for a time that is over or more than 30 days away, and with `LimitExceeded` if the
     * principal would have more than 1,000 snoozed items.
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
     *   const until = new Date(Date.now() + 3_600_000).toISOString();
     *   yield* inbox.snooze({ items: [{ kind: "review", id }], until });
     *   return (yield* inbox.list()).items.length; // 0
     * });
     * ```
     */
    snooze(
      request: typeof InboxSnooze.Encoded,
    ): Effect.Effect<
      void,
      Forbidden | InvalidRequest | LimitExceeded | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Removes the caller's item of an issue that mentions the caller, until the next mention. A comment of the caller
     * on the issue does the same. Succeeds also without such an item.
     */
    dismiss(
      issueId: string,
    ): Effect.Effect<void, NotFound | StorageError, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/core/inbox/Inbox") {
  static readonly layerNoDeps = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const entries = yield* Entries.make;
      const ordered = yield* Order.make;
      const grouping = yield* Grouping.make;
      const snoozing = yield* Snoozing.make;
      const mentions = yield* MentionStore;
      const view = yield* IssueView;
      const { idOf, taken } = yield* IssueKeys;
      const { transact } = yield* Transactor;
      const decode = Input.decoder(InboxFilter);
      const decodeSnooze = Input.decoder(InboxSnooze);

      /** The entries that the principal sees, and what they depend on. */
      const shown = Effect.fnUntraced(function* (filter: typeof InboxFilter.Encoded) {
        const principal = yield* Principal.CurrentPrincipal;
        const { kind = InboxKind.literals, mine = false, projectId } = yield* decode(filter);
        const isShown = (name: InboxKind) =>
          !isOfServer(name) || (projectId === undefined && seesServers(principal));
        const kinds = kind.filter((name) => isShown(name) && (!mine || isOfIssue(name)));
        const projects =
          projectId === undefined
            ? principal.projects
            : [...new Set(projectId)].filter((id) => Principal.sees(principal, id));
        const now = yield* Timestamp.now;
        const query = { projects, now, mine: mine ? principal.id : null, reader: principal };
        const awake = yield* snoozing.awake(principal, now);
        return {
          principal,
          projects,
          read: (slice: Page.Slice<InboxKey>) => entries.filtered(kinds, query, slice, awake),
          query: [projectId, kind.toSorted(), mine],
        };
      });

      const list = Span.fn("Inbox.list")(function* (request: Request = {}) {
        const { limit, cursor, order, ...filter } = request;
        const { projects, query, read } = yield* shown(filter);
        const page = yield* Page.readBy(
          Order.keyset,
          { limit, cursor, order, defaultOrder: "asc", query: ["inbox", ...query] },
          (slice) => ordered.slice(read, projects, slice),
        );
        return Page.map(page, ({ entry }) => entry.item);
      });

      const groups = Span.fn("Inbox.groups")(function* (request: Request = {}) {
        const { limit, cursor, order, ...filter } = request;
        const { principal, projects, query, read } = yield* shown(filter);
        const all = yield* grouping.group(
          yield* ordered.slice(read, projects, { limit: mostGrouped, order: "asc", after: null }),
        );
        const page = yield* Page.readBy(
          Grouping.keyset,
          { limit, cursor, order, defaultOrder: "asc", query: ["groups", ...query] },
          (slice) => Effect.succeed(grouping.sliceOf(all, slice)),
        );
        const items = yield* Effect.forEach(page.items, (each) => grouping.render(principal, each));
        return { items, next: page.next };
      });

      const snooze = Span.fn("Inbox.snooze")(function* (request: typeof InboxSnooze.Encoded) {
        const principal = yield* Principal.require("Editor");
        const { items, until } = yield* decodeSnooze(request);
        const visible = items.filter(({ kind }) => !isOfServer(kind) || seesServers(principal));
        const shown = yield* Effect.forEach(visible, ({ id, kind }) =>
          isOfIssue(kind) && isKey(id)
            ? Effect.map(idOf(id), (issueId) => ({ kind, id: issueId }))
            : Effect.succeed({ kind, id }),
        );
        const now = yield* Timestamp.now;
        const query = { projects: principal.projects, now, reader: principal };
        yield* snoozing.snooze({ items: shown, until }, query);
      });

      const dismiss = Span.fn("Inbox.dismiss")(function* (issueId: string) {
        const { id, type } = yield* Principal.CurrentPrincipal;
        const removed = type === "User" ? mentions.remove({ issueId, names: [id] }) : Effect.void;
        yield* transact(Effect.andThen(view.row(issueId), removed));
      });

      return Inbox.of({ list, groups, snooze, dismiss: taken(dismiss) });
    }),
  );
}

const isOfServer = (kind: InboxKind): kind is "serverError" | "toolsChanged" | "webhookFailing" =>
  kind === "serverError" || kind === "toolsChanged" || kind === "webhookFailing";

const isOfIssue = (kind: InboxKind): boolean =>
  !isOfServer(kind) && kind !== "agentSilent" && kind !== "runnerHalted";

const seesServers = ({ projects, role }: Principal.Principal): boolean =>
  projects === null && Role.includes(role, "Admin");
