import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import { LimitExceeded } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { Transactor } from "../../Transactor.ts";
import { IssueCreate } from "../IssueInput.ts";
import { IssueView } from "../IssueView.ts";
import { LinkChanges } from "./LinkChanges.ts";
import * as NewIssues from "./NewIssues.ts";
import { References } from "./References.ts";

/** The creation of an issue. */
export const make = Effect.gen(function* () {
  const view = yield* IssueView;
  const fence = yield* Fence.make;
  const links = yield* LinkChanges;
  const references = yield* References;
  const idempotency = yield* Idempotency;
  const { maxLinks } = yield* CoreOptions;
  const { transact } = yield* Transactor;
  const insert = yield* NewIssues.make;
  const decode = Input.decoder(IssueCreate);

  const find = (issueId: string) => Effect.flatMap(view.row(issueId), view.render);

  /** The blocker that the body names, if any and if it can take another link. */
  const blockerOf = Effect.fnUntraced(function* ({ blockedByIssueId }: IssueCreate) {
    if (blockedByIssueId == null) return null;
    const blocker = yield* references.issue("blockedByIssueId", blockedByIssueId);
    return blocker.linkCount < maxLinks ? blocker : yield* new LimitExceeded({ limit: maxLinks });
  });

  const create = Span.fn("Issues.create")(function* (
    id: string,
    input: typeof IssueCreate.Encoded,
  ) {
    const createdBy = Principal.actorOf(yield* Principal.require("Editor"));
    const body = yield* decode(input);
    const projectId = yield* references.project(id);
    const assignment = yield* references.check(body);
    const insertOne = Effect.gen(function* () {
      yield* fence("writes");
      yield* references.assign(assignment);
      const blocker = yield* blockerOf(body);
      const isBlocked = blocker !== null;
      const issue = yield* insert(body, { projectId, createdBy, isBlocked });
      if (blocker === null) return yield* view.render(issue);
      yield* links.blockAtCreation(issue, [blocker]);
      return yield* find(issue.id);
    });
    return yield* transact(idempotency.once({ make: insertOne, find }));
  });

  return { create };
});
