import { Context, Effect, Layer, Option } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import * as Principal from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import * as Fence from "../agents/Fence.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  StorageError,
  UnknownReference,
} from "../CommonErrors.ts";
import { LimitExceeded, NotFound } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import { Idempotency } from "../idempotency/Idempotency.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import { Transactor } from "../Transactor.ts";
import { LinkChanges } from "./internal/LinkChanges.ts";
import { References } from "./internal/References.ts";
import type { IssueRow } from "./Issue.ts";
import { DependencyCycle, LinkExists, namedCycle, SelfLink } from "./IssueErrors.ts";
import { type IssueLink, LinkCreate, type Relation, relationOf, seenFrom } from "./IssueLink.ts";
import { IssueStore } from "./IssueStore.ts";
import { IssueView } from "./IssueView.ts";
import { LinkStore } from "./LinkStore.ts";
import { ProjectStore } from "./ProjectStore.ts";
import * as AgentRules from "./rules/AgentRules.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

/** Links between issues. Dependencies form no cycle, and an issue with an open blocker waits. */
export class Links extends Context.Service<
  Links,
  {
    /**
     * Links an issue to another one. `BlockedBy` makes the issue wait for the other, `Blocks` the
     * other for the issue; `RelatedTo` and `DuplicateOf` change no status. Requires the Editor
     * role.
     *
     * Fails with `UnknownReference` if the principal does not see the target, `SelfLink`,
     * `LinkExists` if the two have this relation (in either direction, except for `Blocks`),
     * `DependencyCycle`, and `LimitExceeded` if an end has `CoreOptions.maxLinks` links.
     *
     * @example
     * ```ts
     * import { Issues, Links } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const links = yield* Links.Links;
     *   const design = yield* issues.create("shop", { title: "Design the schema" });
     *   const build = yield* issues.create("shop", { title: "Build the API" });
     *   const targetIssueId = design.id;
     *   yield* links.create(build.id, { targetIssueId, linkType: "BlockedBy" });
     *   return (yield* issues.get(build.id)).status; // "WaitingOnDependency"
     * });
     * ```
     */
    create(
      issueId: string,
      input: typeof LinkCreate.Encoded,
    ): Effect.Effect<
      IssueLink,
      | Forbidden
      | NotFound
      | StorageError
      | InvalidRequest
      | UnknownReference
      | SelfLink
      | LimitExceeded
      | LinkExists
      | DependencyCycle
      | IdempotencyMismatch
      | RunEnded,
      CurrentPrincipal
    >;
    /**
     * Returns a page of the links at either end of the issue, as seen from it, oldest first by
     * default. Omits links to issues that the principal may not see.
     */
    list(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<IssueLink>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    /**
     * Removes a link; the principal must see both ends. An issue without another open blocker
     * becomes `Open`. Requires the Editor role.
     */
    remove(
      linkId: string,
    ): Effect.Effect<void, Forbidden | NotFound | StorageError | RunEnded, CurrentPrincipal>;
  }
>()("@quartermaster/core/issues/Links") {
  static readonly layerNoDeps = Layer.effect(
    Links,
    Effect.gen(function* () {
      const store = yield* LinkStore;
      const fence = yield* Fence.make;
      const issues = yield* IssueStore;
      const view = yield* IssueView;
      const references = yield* References;
      const changes = yield* LinkChanges;
      const projects = yield* ProjectStore;
      const idempotency = yield* Idempotency;
      const { maxLinks } = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const { taken } = yield* IssueKeys;
      const decodeCreate = Input.decoder(LinkCreate);

      const find = Effect.fnUntraced(function* (linkId: string) {
        const principal = yield* Principal.CurrentPrincipal;
        const row = yield* store.get(linkId);
        return Option.isSome(row) &&
          Principal.sees(principal, row.value.sourceProjectId) &&
          Principal.sees(principal, row.value.targetProjectId)
          ? row.value
          : yield* new NotFound({ resource: "link", id: linkId });
      });

      /** Two issues can block each other only in a cycle; every other relation exists once. */
      const checkNew = Effect.fnUntraced(function* (
        relation: Relation,
        sourceId: string,
        targetId: string,
      ) {
        const existing = [
          yield* store.find(relation, sourceId, targetId),
          relation === "Blocks" ? Option.none() : yield* store.find(relation, targetId, sourceId),
        ].find(Option.isSome);
        if (existing !== undefined) return yield* new LinkExists({ linkId: existing.value.id });
      });

      /** At most 100 ids of a cycle, only of issues that the principal may see. */
      const visibleCycle = Effect.fnUntraced(function* (cycle: ReadonlyArray<string>) {
        const principal = yield* Principal.CurrentPrincipal;
        const first = namedCycle(cycle);
        if (principal.projects === null) return first;
        return yield* Effect.filter(first, (id) =>
          Effect.map(
            issues.get(id),
            Option.exists(({ projectId }) => Principal.sees(principal, projectId)),
          ),
        );
      });

      /** Fails if the target already blocks the source. The cycle starts and stops at `issueId`. */
      const checkAcyclic = Effect.fnUntraced(function* (
        issueId: string,
        sourceId: string,
        targetId: string,
      ) {
        const path = yield* store.path(targetId, sourceId);
        if (Option.isNone(path)) return;
        const cycle = yield* visibleCycle([...rotate(path.value, issueId), issueId]);
        return yield* new DependencyCycle({ cycle });
      });

      /** Only people end reviews, so an agent's link may not end one. */
      const mayBlock = Effect.fnUntraced(function* (
        { agentId }: Principal.Principal,
        target: IssueRow,
      ) {
        if (agentId === null) return;
        const agentsMay = yield* projects.agentsMay(target.projectId);
        yield* Effect.fromResult(AgentRules.mayBlock({ agentId, agentsMay }, target));
      });

      const create = Span.fn("Links.create")(function* (
        issueId: string,
        input: typeof LinkCreate.Encoded,
      ) {
        const principal = yield* Principal.require("Editor");
        const actor = Principal.actorOf(principal);
        const body = yield* decodeCreate(input);
        const make = Effect.gen(function* () {
          yield* fence("writes");
          const issue = yield* view.row(issueId);
          const other = yield* references.issue("targetIssueId", body.targetIssueId);
          if (issue.id === other.id) return yield* new SelfLink();
          if (issue.linkCount >= maxLinks || other.linkCount >= maxLinks) {
            return yield* new LimitExceeded({ limit: maxLinks });
          }
          const { relation, sourceId, targetId } = relationOf(issueId, {
            ...body,
            targetIssueId: other.id,
          });
          yield* checkNew(relation, sourceId, targetId);
          if (relation === "Blocks") yield* checkAcyclic(issueId, sourceId, targetId);
          const [source, target] = sourceId === issue.id ? [issue, other] : [other, issue];
          if (relation === "Blocks") yield* mayBlock(principal, target);
          const row = yield* changes.link(relation, source, target, actor);
          return seenFrom(row, issueId);
        });
        const findLink = (id: string) => Effect.map(find(id), (row) => seenFrom(row, issueId));
        return yield* transact(idempotency.once({ make, find: findLink }));
      });

      const list = Span.fn("Links.list")(function* (
        issueId: string,
        request: Page.PageRequest = {},
      ) {
        const { projects } = yield* Principal.CurrentPrincipal;
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["links", issueId] },
          (slice) => Effect.andThen(view.row(issueId), store.list(issueId, projects, slice)),
        );
        return Page.map(page, (row) => seenFrom(row, issueId));
      });

      const remove = Span.fn("Links.remove")(function* (linkId: string) {
        const actor = Principal.actorOf(yield* Principal.require("Editor"));
        yield* transact(
          Effect.gen(function* () {
            yield* fence("writes");
            yield* changes.unlink(yield* find(linkId), actor);
          }),
        );
      });

      return Links.of({ create: taken(create), list: taken(list), remove });
    }),
  );
}

/** The same cycle, starting at `first`. */
const rotate = (cycle: ReadonlyArray<string>, first: string): ReadonlyArray<string> => {
  const start = cycle.indexOf(first);
  return [...cycle.slice(start), ...cycle.slice(0, start)];
};
