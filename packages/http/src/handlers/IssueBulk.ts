import {
  type Bulk,
  Errors,
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
    ): Effect.Effect<unknown, Refusal.Refusal, Principal.CurrentPrincipal> => {
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

/** The id of an issue, and its key if the request named it by the key. A key that finds no issue stands for both. */
const nameOf = (issues: Issues.Issues["Service"], issueId: string) =>
  IssueKeys.isKey(issueId)
    ? Effect.match(issues.get(issueId), {
        onSuccess: ({ id }) => ({ issueId: id, issueKey: issueId }),
        onFailure: () => ({ issueId, issueKey: issueId }),
      })
    : Effect.succeed({ issueId });

export const run = Effect.fnUntraced(function* (issues: Issues.Issues["Service"], bulk: Bulk.Bulk) {
  if (bulk.change.action === "delete" && bulk.confirm !== true) {
    return yield* new Errors.ConfirmationRequired({});
  }
  const { make, status } = changeOf(issues, bulk);
  return yield* Effect.forEach(
    bulk.items,
    Effect.fnUntraced(function* ({ issueId, version }) {
      const named = yield* nameOf(issues, issueId);
      const ifMatch = version === undefined ? "*" : [version];
      return yield* Effect.match(make(named.issueId, { ifMatch }), {
        onSuccess: () => ({ ...named, status }),
        onFailure: (refusal) => {
          const problem = Refused.documentOf(Refusal.toProblem(refusal));
          return { ...named, status: problem.status, problem };
        },
      });
    }),
  );
});
