import { Context, Effect, Layer } from "effect";
import { CurrentPrincipal } from "../access/Principal.ts";
import type { NotFound, StorageError } from "../CommonErrors.ts";
import * as Snippet from "../search/Snippet.ts";
import * as Timestamp from "../Timestamp.ts";
import { type BriefIssue, toBrief } from "./BriefIssue.ts";
import { type InsertedIssue, type Issue, type IssueRow, toIssue } from "./Issue.ts";
import { visible } from "./IssueAccess.ts";
import { seenFrom } from "./IssueLink.ts";
import { type IssueFacts, IssueStore } from "./IssueStore.ts";
import { LinkStore } from "./LinkStore.ts";

/** The words of a search, and the issues whose keys it found. */
export interface Searched {
  readonly words: ReadonlyArray<string>;
  readonly keyed: ReadonlySet<string>;
}

/** Issues in the view of the current principal; `NotFound` in a project that it may not see. */
export class IssueView extends Context.Service<
  IssueView,
  {
    /** Returns an issue without its links. */
    row(issueId: string): Effect.Effect<IssueRow, NotFound | StorageError, CurrentPrincipal>;
    /** Returns the facts that the rules need about an issue. */
    facts(
      issueId: string,
      now: Timestamp.Timestamp,
    ): Effect.Effect<IssueFacts, NotFound | StorageError, CurrentPrincipal>;
    /** Returns the issue with its first 100 links. */
    render(row: InsertedIssue): Effect.Effect<Issue, StorageError, CurrentPrincipal>;
    /** Returns each issue with its first 100 links. */
    renderAll(
      rows: ReadonlyArray<IssueRow>,
    ): Effect.Effect<ReadonlyArray<Issue>, StorageError, CurrentPrincipal>;
    /**
     * Returns each issue without its description and links. With the words of a search, also where
     * they were found.
     */
    briefAll(
      rows: ReadonlyArray<IssueRow>,
      searched?: Searched,
    ): Effect.Effect<ReadonlyArray<BriefIssue>, StorageError, CurrentPrincipal>;
  }
>()("@quartermaster/core/issues/IssueView") {
  static readonly layer = Layer.effect(
    IssueView,
    Effect.gen(function* () {
      const store = yield* IssueStore;
      const links = yield* LinkStore;

      const row = (issueId: string) =>
        visible("issue", issueId, store.get(issueId), (found) => found.projectId);

      const facts = (issueId: string, now: Timestamp.Timestamp) =>
        visible("issue", issueId, store.facts(issueId, now), ({ issue }) => issue.projectId);

      const render = (row: InsertedIssue) =>
        row.linkCount === 0
          ? Effect.succeed(toIssue(row, []))
          : Effect.flatMap(CurrentPrincipal, ({ projects }) =>
              Effect.map(
                links.list(row.id, projects, { limit: 100, order: "asc", after: null }),
                (found) =>
                  toIssue(
                    row,
                    found.map((link) => seenFrom(link, row.id)),
                  ),
              ),
            );

      const renderAll = (rows: ReadonlyArray<IssueRow>) => Effect.forEach(rows, render);

      const briefAll = Effect.fnUntraced(function* (
        rows: ReadonlyArray<IssueRow>,
        { keyed, words }: Searched = { words: [], keyed: new Set() },
      ) {
        const { projects } = yield* CurrentPrincipal;
        const now = yield* Timestamp.now;
        const ids = rows.map(({ id }) => id);
        const found = yield* store.surroundings(ids, projects, now);
        const texts = words.length === 0 ? [] : yield* store.texts(rows);
        return rows.map((row, index) =>
          toBrief(
            row,
            found[index] ?? alone,
            texts[index] && Snippet.of(texts[index], words, keyed.has(row.id)),
          ),
        );
      });

      return IssueView.of({ row, facts, render, renderAll, briefAll });
    }),
  );
}

/** The counts of an issue that was deleted in the meantime. */
const alone = { blockedByCount: 0, blocksCount: 0, openQuestions: 0, liveRun: null };
