import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import { LimitExceeded } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import * as Id from "../../Id.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { IssueCreate } from "../Issue.ts";
import { IssueStore } from "../IssueStore.ts";
import { IssueView } from "./IssueView.ts";
import { LinkChanges } from "./LinkChanges.ts";
import { References } from "./References.ts";
import { Timeline } from "./Timeline.ts";

/** How `Issues` creates an issue. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const view = yield* IssueView;
  const links = yield* LinkChanges;
  const references = yield* References;
  const timeline = yield* Timeline;
  const idempotency = yield* Idempotency;
  const { maxLinks } = yield* CoreOptions;
  const { transact } = yield* Transactor;
  const newId = yield* Id.generator;
  const decode = Input.decoder(IssueCreate);

  const find = (issueId: string) => Effect.flatMap(view.row(issueId), view.render);

  /** The issue that the new one waits for, if the body names one and it takes another link. */
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
    const insert = Effect.gen(function* () {
      yield* references.assign(assignment);
      const blocker = yield* blockerOf(body);
      const now = yield* Timestamp.now;
      const issue = yield* store.insert({
        id: yield* newId("iss"),
        projectId,
        title: body.title,
        description: body.description ?? null,
        status: blocker === null ? "Open" : "WaitingOnDependency",
        priority: body.priority ?? "normal",
        assignedAgentId: body.assignedAgentId ?? null,
        assigneeUserId: body.assigneeUserId ?? null,
        goalId: body.goalId ?? null,
        pausedBecause: null,
        attempts: 0,
        notBefore: body.notBefore ?? null,
        version: 1,
        createdBy,
        createdAt: now,
        updatedAt: now,
        startedAt: null,
        resolvedAt: null,
        closedAt: null,
        resumed: false,
        linkCount: 0,
      });
      const { notBefore, status } = issue;
      yield* timeline.record(createdBy, [
        { issue, kind: "created", data: { status } },
        ...(notBefore === null ? [] : [{ issue, kind: "deferred" as const, data: { notBefore } }]),
      ]);
      return yield* view.render(
        blocker === null ? issue : yield* links.blockAtCreation(issue, blocker),
      );
    });
    return yield* transact(idempotency.once({ make: insert, find }));
  });

  return { create };
});
