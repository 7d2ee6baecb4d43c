import {
  type Bulk,
  Errors,
  type IssueAccess,
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

export const run = Effect.fnUntraced(function* (issues: Issues.Issues["Service"], bulk: Bulk.Bulk) {
  if (bulk.change.action === "delete" && bulk.confirm !== true) {
    return yield* new Errors.ConfirmationRequired({});
  }
  const { make, status } = changeOf(issues, bulk);
  return yield* Effect.forEach(bulk.items, ({ issueId, version }) =>
    Effect.match(make(issueId, { ifMatch: version === undefined ? "*" : [version] }), {
      onSuccess: () => ({ issueId, status }),
      onFailure: (refusal) => {
        const problem = Refused.documentOf(Refusal.toProblem(refusal));
        return { issueId, status: problem.status, problem };
      },
    }),
  );
});
