import { Effect, Option } from "effect";
import { CurrentPrincipal, type Principal, sees } from "../../access/Principal.ts";
import { getOrNotFound, type NotFound, PreconditionFailed } from "../../CommonErrors.ts";
import type { IssueRow } from "../Issue.ts";
import type { IssueRef } from "../IssueStore.ts";

/** Who may see an issue, and what a caller may demand of it before it is changed. */

/** Versions that the caller accepts, as `If-Match` has them. */
export type IfMatch = "*" | ReadonlyArray<number>;

export interface Precondition {
  readonly ifMatch?: IfMatch | undefined;
}

/** As `getOrNotFound`, and `NotFound` also if the current principal may not see the project. */
export const visible = <A, E, R>(
  resource: string,
  id: string,
  find: Effect.Effect<Option.Option<A>, E, R>,
  projectOf: (value: A) => string,
): Effect.Effect<A, E | NotFound, R | CurrentPrincipal> =>
  Effect.flatMap(CurrentPrincipal, (principal) =>
    getOrNotFound(
      resource,
      id,
      Effect.map(
        find,
        Option.filter((value) => sees(principal, projectOf(value))),
      ),
    ),
  );

/** Refuses if the issue is not at a version that the caller accepts. */
export const checkVersion = (
  issue: IssueRow,
  { ifMatch = "*" }: Precondition,
): Effect.Effect<void, PreconditionFailed> =>
  ifMatch === "*" || ifMatch.includes(issue.version)
    ? Effect.void
    : Effect.fail(new PreconditionFailed({ version: issue.version }));

/** The ids of those issues that the principal may see. */
export const visibleIds = (
  principal: Principal,
  refs: ReadonlyArray<IssueRef>,
): ReadonlyArray<string> =>
  refs.filter((ref) => sees(principal, ref.projectId)).map((ref) => ref.id);
