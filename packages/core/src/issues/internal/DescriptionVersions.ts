import { Effect } from "effect";
import type { Actor } from "../../Actor.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import type { IssueRow } from "../Issue.ts";
import { IssueView } from "../IssueView.ts";
import * as Mentioning from "../Mentioning.ts";
import type { DescriptionVersion } from "../Version.ts";
import { type VersionRow, VersionStore } from "../VersionStore.ts";

/** The versions of an issue's description. */
export const make = Effect.gen(function* () {
  const store = yield* VersionStore;
  const view = yield* IssueView;
  const mention = yield* Mentioning.make;

  /** Stores the description of `after` and its mentions, if it differs, inside the transaction of the change. */
  const record = Effect.fnUntraced(function* (before: IssueRow, after: IssueRow, actor: Actor) {
    if (before.description === after.description) return;
    yield* mention({
      issueId: after.id,
      textId: after.id,
      before: before.description,
      after: after.description,
      actor,
      at: after.updatedAt,
    });
    const stored = yield* store.list(before.id, { limit: 1, order: "desc", after: null });
    yield* store.append([
      ...(stored.length === 0 ? [firstOf(before)] : []),
      { ...firstOf(after), version: after.version, actor, createdAt: after.updatedAt },
    ]);
  });

  const versions = Span.fn("Issues.versions")(function* (
    issueId: string,
    request: Page.PageRequest = {},
  ) {
    const page = yield* Page.read(
      { ...request, defaultOrder: "asc", query: ["versions", issueId] },
      Effect.fnUntraced(function* (slice: Page.Slice) {
        const issue = yield* view.row(issueId);
        const rows = yield* store.list(issueId, slice);
        const isUnchanged = rows.length === 0 && slice.after === null;
        return isUnchanged ? [{ ...firstOf(issue), seq: 0 }] : rows;
      }),
    );
    return Page.map(page, toVersion);
  });

  return { record, versions };
});

/** The description of an issue as the version that it was created with. */
const firstOf = (issue: IssueRow): Omit<VersionRow, "seq"> => ({
  issueId: issue.id,
  textId: issue.id,
  version: 1,
  content: issue.description,
  actor: issue.createdBy,
  createdAt: issue.createdAt,
});

const toVersion = ({ actor, content, createdAt, version }: VersionRow): DescriptionVersion => ({
  version,
  description: content,
  actor,
  createdAt,
});
