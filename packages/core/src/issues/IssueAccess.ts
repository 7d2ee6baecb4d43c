import { Effect, Option } from "effect";
import { CurrentPrincipal, type Principal, sees } from "../access/Principal.ts";
import { getOrNotFound, type NotFound, PreconditionFailed } from "../CommonErrors.ts";
import type { IssueRef } from "./IssueStore.ts";

/** Visibility of issues, and the version that a caller requires before a change. */

/** The versions that the caller accepts; `*` for any. */
export type IfMatch = "*" | ReadonlyArray<number>;

/** The conditions of a change. */
export interface Precondition {
  readonly ifMatch?: IfMatch | undefined;
}

/** Like `getOrNotFound`, but also `NotFound` if the current principal may not see the project. */
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

/** Fails if the issue or comment is not at a version that the caller accepts. */
export const checkVersion = (
  { version }: { readonly version: number },
  { ifMatch = "*" }: Precondition,
): Effect.Effect<void, PreconditionFailed> =>
  ifMatch === "*" || ifMatch.includes(version)
    ? Effect.void
    : Effect.fail(new PreconditionFailed({ version, names: null }));

/** The ids of the issues that the principal may see. */
export const visibleIds = (
  principal: Principal,
  refs: ReadonlyArray<IssueRef>,
): ReadonlyArray<string> =>
  refs.filter((ref) => sees(principal, ref.projectId)).map((ref) => ref.id);
