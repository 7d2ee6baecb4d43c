import { Context, Effect, Layer, Option } from "effect";
import { CurrentPrincipal, sees } from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import { type StorageError, UnknownReference } from "../../CommonErrors.ts";
import { Directory } from "../../Directory.ts";
import type { IssueRow } from "../Issue.ts";
import { IssueStore } from "../IssueStore.ts";

/** Checks what the body of a request names. */
export class References extends Context.Service<
  References,
  {
    /** An issue that the current principal may see. */
    issue(
      field: string,
      id: string,
    ): Effect.Effect<IssueRow, UnknownReference | StorageError, CurrentPrincipal>;
    /**
     * Asks the host's directory for assignees and goal, as far as they are named. It may take its
     * time, so this is before the transaction; what it answers is for within: it refuses what is
     * not known, and registers an agent that is named for the first time.
     */
    assignment(named: {
      readonly assignedAgentId?: string | null | undefined;
      readonly assigneeUserId?: string | null | undefined;
      readonly goalId?: string | null | undefined;
    }): Effect.Effect<
      Effect.Effect<void, UnknownReference | StorageError, CurrentPrincipal>,
      never,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/issues/internal/References") {
  static readonly layerNoDeps = Layer.effect(
    References,
    Effect.gen(function* () {
      const store = yield* IssueStore;
      const directory = yield* Directory;
      const agents = yield* Agents;

      const issue = Effect.fnUntraced(function* (field: string, id: string) {
        const principal = yield* CurrentPrincipal;
        const found = yield* store.get(id);
        return Option.isSome(found) && sees(principal, found.value.projectId)
          ? found.value
          : yield* new UnknownReference({ field, id });
      });

      const kinds = { assignedAgentId: "agent", assigneeUserId: "user", goalId: "goal" } as const;

      type Named = { readonly [field in keyof typeof kinds]?: string | null | undefined };

      const known = Effect.fnUntraced(function* (named: Named) {
        for (const field of ["assignedAgentId", "assigneeUserId", "goalId"] as const) {
          const id = named[field];
          if (id != null && !(yield* directory.knows(kinds[field], id))) {
            return yield* new UnknownReference({ field, id });
          }
        }
      });

      const assignment = (named: Named) =>
        Effect.map(Effect.exit(known(named)), (judged) =>
          named.assignedAgentId == null
            ? judged
            : Effect.andThen(judged, agents.ensure(named.assignedAgentId)),
        );

      return References.of({ issue, assignment });
    }),
  );
}
