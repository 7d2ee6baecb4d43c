import { Context, Effect, Layer, Option } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import type { Actor } from "../Actor.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  StorageError,
  UnknownReference,
} from "../CommonErrors.ts";
import { LimitExceeded, NotFound } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import * as Id from "../Id.ts";
import { Idempotency } from "../idempotency/Idempotency.ts";
import * as Input from "../internal/Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { IssueView } from "./internal/IssueView.ts";
import { References } from "./internal/References.ts";
import { type NewActivity, Timeline } from "./internal/Timeline.ts";
import { Transitions } from "./internal/Transitions.ts";
import type { IssueRow } from "./Issue.ts";
import { DependencyCycle, LinkExists, SelfLink } from "./IssueErrors.ts";
import * as IssueLifecycle from "./IssueLifecycle.ts";
import {
  type IssueLink,
  LinkCreate,
  type LinkRow,
  otherProject,
  relationOf,
  seenFrom,
} from "./IssueLink.ts";
import { IssueStore } from "./IssueStore.ts";
import { LinkStore } from "./LinkStore.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

/** Links between issues. A dependency is never a cycle, and an issue with an open blocker waits. */
export class Links extends Context.Service<
  Links,
  {
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
      | IdempotencyMismatch,
      CurrentPrincipal
    >;
    /** Both directions, seen from the issue; oldest first unless told otherwise. */
    list(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<IssueLink>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    remove(
      linkId: string,
    ): Effect.Effect<void, Forbidden | NotFound | StorageError, CurrentPrincipal>;
    /** Links an issue that was just made to its blocker, in the transaction around it; answers the issue. */
    blockAtCreation(issue: IssueRow, blocker: IssueRow): Effect.Effect<IssueRow, StorageError>;
    /** Writes on the timelines at the other ends that the links of a deleted issue go. */
    unlinkAtDeletion(issue: IssueRow, actor: Actor): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/Links") {
  static readonly layerNoDeps = Layer.effect(
    Links,
    Effect.gen(function* () {
      const store = yield* LinkStore;
      const issues = yield* IssueStore;
      const view = yield* IssueView;
      const references = yield* References;
      const transitions = yield* Transitions;
      const timeline = yield* Timeline;
      const idempotency = yield* Idempotency;
      const { maxLinks } = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;
      const decodeCreate = Input.decoder(LinkCreate);

      const insert = Effect.fnUntraced(function* (
        source: IssueRow,
        target: IssueRow,
        relation: LinkRow["relation"],
        createdBy: Actor,
      ) {
        const row = yield* store.insert({
          id: yield* newId("lnk"),
          relation,
          sourceId: source.id,
          sourceProjectId: source.projectId,
          targetId: target.id,
          targetProjectId: target.projectId,
          createdBy,
          createdAt: yield* Timestamp.now,
        });
        yield* timeline.record(createdBy, [
          entry("linked", row, source.id),
          entry("linked", row, target.id),
        ]);
        return row;
      });

      /** What a new blocker does to an issue. `target` is as it was before the link. */
      const block = Effect.fnUntraced(function* (
        target: IssueRow,
        blocker: IssueRow,
        actor: Actor,
      ) {
        const now = yield* Timestamp.now;
        const facts = yield* Effect.flatMap(issues.facts(target.id, now), Effect.fromOption).pipe(
          Effect.catchTag("NoSuchElementError", Effect.die),
        );
        const change = IssueLifecycle.blockerLinked(facts, blocker.status, now);
        return yield* transitions.apply(facts, change, actor);
      });

      const find = Effect.fnUntraced(function* (linkId: string) {
        const principal = yield* Principal.CurrentPrincipal;
        const row = yield* store.get(linkId);
        return Option.isSome(row) &&
          Principal.sees(principal, row.value.sourceProjectId) &&
          Principal.sees(principal, row.value.targetProjectId)
          ? row.value
          : yield* new NotFound({ resource: "link", id: linkId });
      });

      const create = Span.fn("Links.create")(function* (
        issueId: string,
        input: typeof LinkCreate.Encoded,
      ) {
        const principal = yield* Principal.require("Editor");
        const body = yield* decodeCreate(input);
        const make = Effect.gen(function* () {
          const issue = yield* view.row(issueId);
          const other = yield* references.issue("targetIssueId", body.targetIssueId);
          if (issue.id === other.id) return yield* new SelfLink();
          if (issue.linkCount >= maxLinks || other.linkCount >= maxLinks) {
            return yield* new LimitExceeded({ limit: maxLinks });
          }
          const { relation, sourceId, targetId } = relationOf(issueId, body);
          // What points both ways, or would be absurd to, stands once between two issues.
          const existing = [
            yield* store.find(relation, sourceId, targetId),
            relation === "Blocks" ? Option.none() : yield* store.find(relation, targetId, sourceId),
          ].find(Option.isSome);
          if (existing !== undefined) {
            return yield* new LinkExists({ linkId: existing.value.id });
          }
          const [source, target] = sourceId === issue.id ? [issue, other] : [other, issue];
          if (relation === "Blocks") {
            const path = yield* store.path(targetId, sourceId);
            if (Option.isSome(path)) {
              const round = issueId === targetId ? path.value : rotate(path.value, issueId);
              return yield* new DependencyCycle({
                cycle: yield* visibleCycle(principal, [...round, issueId]),
              });
            }
          }
          const actor = Principal.actorOf(principal);
          const row = yield* insert(source, target, relation, actor);
          if (relation === "Blocks") yield* block(target, source, actor);
          return seenFrom(row, issueId);
        });
        return yield* transact(
          idempotency.once({
            make,
            find: (id) => Effect.map(find(id), (row) => seenFrom(row, issueId)),
          }),
        );
      });

      /** At most 100 ids of a cycle, none of an issue that the principal may not see. */
      const visibleCycle = (principal: Principal.Principal, cycle: ReadonlyArray<string>) =>
        principal.projects === null
          ? Effect.succeed(cycle.slice(0, 100))
          : Effect.filter(cycle.slice(0, 100), (id) =>
              Effect.map(issues.get(id), (row) =>
                Option.exists(row, ({ projectId }) => Principal.sees(principal, projectId)),
              ),
            );

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
        yield* Effect.gen(function* () {
          const row = yield* find(linkId);
          yield* store.remove(linkId);
          yield* timeline.record(actor, [
            entry("unlinked", row, row.sourceId),
            entry("unlinked", row, row.targetId),
          ]);
          if (row.relation !== "Blocks") return;
          const now = yield* Timestamp.now;
          const facts = yield* issues.facts(row.targetId, now);
          if (Option.isNone(facts)) return;
          const change = IssueLifecycle.blockerUnlinked(facts.value, now);
          yield* transitions.apply(facts.value, change, actor);
        }).pipe(transact);
      });

      const blockAtCreation = Effect.fnUntraced(function* (issue: IssueRow, blocker: IssueRow) {
        yield* insert(blocker, issue, "Blocks", issue.createdBy);
        const blocked = yield* block(issue, blocker, issue.createdBy);
        if (blocked.version === issue.version) return blocked;
        const created = { ...blocked, version: issue.version };
        yield* issues.move([created]);
        return created;
      });

      const unlinkAtDeletion = Effect.fnUntraced(function* (issue: IssueRow, actor: Actor) {
        let after: number | null = null;
        do {
          const rows: ReadonlyArray<LinkRow> = yield* store.list(issue.id, null, {
            limit: 500,
            order: "asc",
            after,
          });
          yield* timeline.record(
            actor,
            rows.map((row) =>
              entry("unlinked", row, row.sourceId === issue.id ? row.targetId : row.sourceId),
            ),
          );
          after = rows.at(-1)?.seq ?? null;
        } while (after !== null);
      });

      return Links.of({ create, list, remove, blockAtCreation, unlinkAtDeletion });
    }),
  );
}

/** The timeline entry of a link at one of its ends. */
const entry = (kind: "linked" | "unlinked", row: LinkRow, issueId: string): NewActivity => {
  const link = seenFrom(row, issueId);
  return {
    kind,
    issue: {
      id: issueId,
      projectId: row.sourceId === issueId ? row.sourceProjectId : row.targetProjectId,
    },
    relatedProjectId: otherProject(row, issueId),
    data: {
      linkId: link.id,
      targetIssueId: link.targetIssueId,
      linkType: link.linkType,
      direction: link.direction,
    },
  };
};

/** The same cycle, beginning with `first`. */
const rotate = (cycle: ReadonlyArray<string>, first: string): ReadonlyArray<string> => {
  const at = cycle.indexOf(first);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
};
