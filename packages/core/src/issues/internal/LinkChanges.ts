import { Context, Effect, Layer, Option } from "effect";
import type { Actor } from "../../Actor.ts";
import type { StorageError } from "../../CommonErrors.ts";
import * as Id from "../../Id.ts";
import * as Timestamp from "../../Timestamp.ts";
import { type InsertedIssue, isOpen, type IssueRow } from "../Issue.ts";
import { type LinkRow, otherProject, type Relation, seenFrom } from "../IssueLink.ts";
import { IssueStore } from "../IssueStore.ts";
import { LinkStore } from "../LinkStore.ts";
import * as IssueLifecycle from "../rules/IssueLifecycle.ts";
import { type NewActivity, Timeline } from "../Timeline.ts";
import { Transitions } from "../Transitions.ts";

/**
 * Links and their effects on the issues at both ends: the timelines of both, and the status of a
 * blocked issue. Every method runs in the current transaction.
 */
export class LinkChanges extends Context.Service<
  LinkChanges,
  {
    /** Links two issues. With `Blocks` the target waits while the source is open. */
    link(
      relation: Relation,
      source: IssueRow,
      target: IssueRow,
      actor: Actor,
    ): Effect.Effect<LinkRow, StorageError>;
    /**
     * Links an issue that was created as waiting to its blockers. It becomes `Open`, still at version 1, if
     * all of them are done.
     */
    blockAtCreation(
      issue: InsertedIssue,
      blockers: ReadonlyArray<InsertedIssue>,
    ): Effect.Effect<void, StorageError>;
    /** Removes a link. A target without another open blocker becomes `Open`. */
    unlink(link: LinkRow, actor: Actor): Effect.Effect<void, StorageError>;
    /**
     * Records on the timelines of the other ends that the deletion of an issue removed its links.
     */
    unlinkAtDeletion(issue: IssueRow, actor: Actor): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/issues/internal/LinkChanges") {
  static readonly layerNoDeps = Layer.effect(
    LinkChanges,
    Effect.gen(function* () {
      const store = yield* LinkStore;
      const issues = yield* IssueStore;
      const transitions = yield* Transitions;
      const timeline = yield* Timeline;
      const newId = yield* Id.generator;

      const insert = Effect.fnUntraced(function* (
        relation: Relation,
        source: InsertedIssue,
        target: InsertedIssue,
        createdBy: Actor,
      ) {
        return yield* store.insert({
          id: yield* newId("lnk"),
          relation,
          sourceId: source.id,
          sourceProjectId: source.projectId,
          targetId: target.id,
          targetProjectId: target.projectId,
          createdBy,
          createdAt: yield* Timestamp.now,
        });
      });

      /** Records entries with the keys of their issues, which are gone when the issues are. */
      const record = Effect.fnUntraced(function* (
        actor: Actor,
        entries: ReadonlyArray<NewActivity>,
        known: ReadonlyArray<InsertedIssue> = [],
      ) {
        const rows = new Map(known.map((issue) => [issue.id, issue]));
        const withKeys = yield* Effect.forEach(entries, ({ issue, ...rest }) =>
          Effect.gen(function* () {
            const row = rows.get(issue.id) ?? Option.getOrNull(yield* issues.get(issue.id));
            return { ...rest, issue: { ...issue, key: row?.key ?? null } };
          }),
        );
        yield* timeline.record(actor, withKeys);
      });

      const recordLinked = (
        rows: ReadonlyArray<LinkRow>,
        actor: Actor,
        known: ReadonlyArray<InsertedIssue>,
      ) =>
        record(
          actor,
          rows.flatMap((row) => [
            entry("linked", row, row.sourceId),
            entry("linked", row, row.targetId),
          ]),
          known,
        );

      /** Applies a new blocker to an issue. Returns the issue after that. */
      const block = Effect.fnUntraced(function* (
        target: InsertedIssue,
        blocker: InsertedIssue,
        actor: Actor,
      ) {
        const now = yield* Timestamp.now;
        const facts = yield* Effect.flatMap(issues.facts(target.id, now), Effect.fromOption).pipe(
          Effect.catchTag("NoSuchElementError", Effect.die),
        );
        const change = IssueLifecycle.blockerLinked(facts, blocker.status, now);
        return yield* transitions.apply(facts, change, actor);
      });

      const link = Effect.fnUntraced(function* (
        relation: Relation,
        source: IssueRow,
        target: IssueRow,
        actor: Actor,
      ) {
        const row = yield* insert(relation, source, target, actor);
        yield* recordLinked([row], actor, [source, target]);
        if (relation === "Blocks") yield* block(target, source, actor);
        return row;
      });

      const blockAtCreation = Effect.fnUntraced(function* (
        issue: InsertedIssue,
        blockers: ReadonlyArray<InsertedIssue>,
      ) {
        const { createdBy } = issue;
        const rows = yield* Effect.forEach(blockers, (blocker) =>
          insert("Blocks", blocker, issue, createdBy),
        );
        yield* recordLinked(rows, createdBy, [issue, ...blockers]);
        const last = blockers.at(-1);
        if (last === undefined || blockers.some(({ status }) => isOpen(status))) return;
        const opened = yield* block(issue, last, createdBy);
        yield* issues.move([{ ...opened, version: issue.version }]);
      });

      const unlink = Effect.fnUntraced(function* (row: LinkRow, actor: Actor) {
        yield* store.remove(row.id);
        yield* record(actor, [
          entry("unlinked", row, row.sourceId),
          entry("unlinked", row, row.targetId),
        ]);
        if (row.relation !== "Blocks") return;
        const now = yield* Timestamp.now;
        const facts = yield* issues.facts(row.targetId, now);
        if (Option.isNone(facts)) return;
        const change = IssueLifecycle.blockerUnlinked(facts.value, now);
        yield* transitions.apply(facts.value, change, actor);
      });

      const unlinkAtDeletion = Effect.fnUntraced(function* (issue: IssueRow, actor: Actor) {
        let after: number | null = null;
        do {
          const rows: ReadonlyArray<LinkRow> = yield* store.list(issue.id, null, {
            limit: 500,
            order: "asc",
            after,
          });
          yield* record(
            actor,
            rows.map((row) =>
              entry("unlinked", row, row.sourceId === issue.id ? row.targetId : row.sourceId),
            ),
          );
          after = rows.at(-1)?.seq ?? null;
        } while (after !== null);
      });

      return LinkChanges.of({ link, blockAtCreation, unlink, unlinkAtDeletion });
    }),
  );
}

/** The timeline entry of a link at one of its ends. */
const entry = (kind: "linked" | "unlinked", row: LinkRow, issueId: string): NewActivity => {
  const { id, targetIssueId, linkType, direction } = seenFrom(row, issueId);
  const projectId = row.sourceId === issueId ? row.sourceProjectId : row.targetProjectId;
  return {
    kind,
    issue: { id: issueId, projectId },
    relatedProjectId: otherProject(row, issueId),
    data: { linkId: id, targetIssueId, linkType, direction },
  };
};
