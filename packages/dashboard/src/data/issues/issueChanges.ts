import type { BriefIssue, Issue, IssueUpdate } from "@quartermaster/client";
import type { Data } from "../live/data.ts";
import { undoStore } from "../live/undo.ts";
import { saves, type Seen } from "./saves.ts";
import { beforeOf, type Made, reasonOf, titleOf } from "./undoing.ts";

/** The part of an issue that a change needs: its id, and its version for `If-Match`. */
export type Target = Pick<Issue, "id" | "version">;

/** The fields that a change sets, shown until the server responds. */
export type Fields = IssueUpdate & Partial<BriefIssue>;

/** A change of one of several issues. */
export interface Change {
  readonly issue: Target;
  readonly fields: Fields;
}

/** The words for statuses that end the work on an issue. Such a change waits until the user can no longer take it back. */
const endings: Readonly<Partial<Record<BriefIssue["status"], string>>> = {
  Resolved: "Resolving",
  Closed: "Closing",
};

/** The issues as the page shows them. */
interface Shown {
  /** The issue as the user saw it. */
  readonly seenOf: (issue: Target) => Seen;
  /** Shows fields while a change is sent, and the saved issue after it. */
  readonly show: (
    target: Target,
    shown: Partial<BriefIssue>,
    send: (seen: Seen) => Promise<Issue | void>,
  ) => Promise<Issue | null>;
}

/** Changes of issues that the user can take back. */
export const issueChanges = (data: Data, { seenOf, show }: Shown) => {
  const { api } = data;
  const save = data.store(saves);
  const undo = data.store(undoStore);

  /** Holds a change back, in words such as `Resolving SHOP-12…`. */
  const hold = (verb: string, issues: ReadonlyArray<Target>) => {
    const [first] = issues;
    const key = first === undefined ? undefined : seenOf(first).key;
    const subject = issues.length === 1 ? (key ?? "the issue") : `${issues.length} issues`;
    return undo.hold(
      `${verb} ${subject}…`,
      issues.map(({ id }) => id),
    );
  };

  /** Takes changes back. Rejects with who changed an issue in the meantime. */
  const takeBack = async (made: ReadonlyArray<Made>): Promise<void> => {
    const results = await Promise.allSettled(
      made.map((one) =>
        show(one.issue, one.before as Partial<BriefIssue>, (seen) =>
          save.decide(seen, (ifMatch) =>
            api.issues.update({ issueId: seen.id, ...one.before }, { ifMatch }),
          ),
        ).catch(async (error: unknown) => Promise.reject(await reasonOf(data, one, error))),
      ),
    );
    const refused = results.find(({ status }) => status === "rejected");
    if (refused?.status === "rejected") throw refused.reason;
  };

  /** Makes changes. After all have finished it rejects with the first failure. */
  const changeAll = async (changes: ReadonlyArray<Change>): Promise<void> => {
    for (const { issue } of changes) undo.sendNow(issue.id);
    const ends = changes.flatMap(({ fields, issue }) =>
      endings[fields.status ?? "Open"] === undefined ? [] : [{ fields, issue }],
    );
    const [first] = ends;
    const isReview = ends.every(({ issue }) => seenOf(issue).status === "PendingReview");
    const word = endings[first?.fields.status ?? "Open"] ?? "";
    const later =
      first === undefined
        ? null
        : hold(
            isReview && word === "Resolving" ? "Approving" : word,
            ends.map(({ issue }) => issue),
          );
    const results = await Promise.allSettled(
      changes.map(async ({ fields, issue }): Promise<Made | null> => {
        const before = beforeOf(seenOf(issue), fields);
        const saved = await show(issue, fields, (seen) =>
          later === null || endings[fields.status ?? "Open"] === undefined
            ? save.fields(seen, fields)
            : later(() => save.fields(seen, fields)),
        );
        return saved === null || before === null ? null : { issue: saved, before };
      }),
    );
    const made = results.flatMap((one) => (one.status === "fulfilled" ? (one.value ?? []) : []));
    if (made.length > 0) undo.offer(titleOf(made), () => takeBack(made));
    const refused = results.find(({ status }) => status === "rejected");
    if (refused?.status === "rejected") throw refused.reason;
  };

  return {
    hold,
    /**
     * Changes fields. Resolving and closing wait for 5 s, and reject with `Undone` if the user takes them back; labels
     * and assignments are offered to be taken back.
     */
    change: (issue: Target, fields: Fields): Promise<void> => changeAll([{ issue, fields }]),
    changeAll,
    /** Sends a review back after 5 s: adds the comment, then opens the issue. */
    requestChanges: async (issue: Target, comment: () => Promise<unknown>): Promise<void> => {
      undo.sendNow(issue.id);
      const later = hold("Requesting changes to", [issue]);
      await show(issue, { status: "Open" }, (seen) =>
        later(async (isLeaving) => {
          const commented = comment();
          if (!isLeaving) await commented;
          return save.fields(seen, { status: "Open" });
        }),
      );
    },
  };
};
