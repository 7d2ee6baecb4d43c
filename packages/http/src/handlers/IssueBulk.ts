import {
  type Bulk,
  Errors,
  type Issue,
  type IssueAccess,
  IssueKeys,
  type Issues,
  type Principal,
} from "@quartermaster/core";
import { Effect } from "effect";
import * as Refusal from "../api/Refusal.ts";
import * as Refused from "../request/Refused.ts";

/** The same change to many issues: each is made as by the request that changes one issue. */

/** The statuses that end a review. */
const reviewed = { approve: "Resolved", changes: "Open" } as const;

/** The change of one issue, and the status of its success. */
const changeOf = (issues: Issues.Issues["Service"], { change, force }: Bulk.Bulk) => {
  const { action, review, ...fields } = change;
  const input = review === undefined ? fields : { status: reviewed[review] };
  return {
    status: action === undefined ? 200 : 204,
    make: (
      issueId: string,
      precondition: IssueAccess.Precondition,
    ): Effect.Effect<Issue.Issue | void, Refusal.Refusal, Principal.CurrentPrincipal> => {
      switch (action) {
        case undefined:
          return issues.update(issueId, input, precondition);
        case "close":
          return issues.close(issueId, { ...precondition, force });
        case "delete":
          return issues.remove(issueId, { ...precondition, confirm: true });
        default:
          return issues[action](issueId, precondition);
      }
    },
  };
};

/** The id of the issue with a key; the key itself if it finds no issue. */
const idOf = (issues: Issues.Issues["Service"], key: string) =>
  Effect.match(issues.get(key), { onSuccess: ({ id }) => id, onFailure: () => key });

export const run = Effect.fnUntraced(function* (issues: Issues.Issues["Service"], bulk: Bulk.Bulk) {
  const isDeletion = bulk.change.action === "delete";
  if (isDeletion && bulk.confirm !== true) {
    return yield* new Errors.ConfirmationRequired({});
  }
  const { make, status } = changeOf(issues, bulk);
  return yield* Effect.forEach(
    bulk.items,
    Effect.fnUntraced(function* ({ issueId, version }) {
      const isKey = IssueKeys.isKey(issueId);
      // Once it is deleted, an issue has no key.
      const known = isKey && isDeletion ? yield* idOf(issues, issueId) : undefined;
      const ifMatch = version === undefined ? "*" : [version];
      const { changed, problem } = yield* Effect.match(make(issueId, { ifMatch }), {
        onSuccess: (issue) => ({ changed: issue?.id, problem: undefined }),
        onFailure: (refusal) => ({
          changed: undefined,
          problem: Refused.documentOf(Refusal.toProblem(refusal)),
        }),
      });
      const id = changed ?? known ?? (isKey ? yield* idOf(issues, issueId) : issueId);
      return {
        issueId: id,
        ...(isKey ? { issueKey: issueId } : {}),
        status: problem?.status ?? status,
        ...(problem === undefined ? {} : { problem }),
      };
    }),
  );
});
