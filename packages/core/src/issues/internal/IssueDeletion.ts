import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { ConfirmationRequired } from "../../CommonErrors.ts";
import { EventLog } from "../../events/EventLog.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { Attachments } from "../Attachments.ts";
import { isOpen } from "../Issue.ts";
import { checkVersion, type Precondition } from "../IssueAccess.ts";
import { IssueStore } from "../IssueStore.ts";
import { IssueView } from "../IssueView.ts";
import { Transitions } from "../Transitions.ts";
import * as Acting from "./Acting.ts";
import { LinkChanges } from "./LinkChanges.ts";

/** The deletion of an issue with its comments, attachments, links and timeline. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const view = yield* IssueView;
  const links = yield* LinkChanges;
  const transitions = yield* Transitions;
  const runs = yield* RunStore;
  const attachments = yield* Attachments;
  const events = yield* EventLog;
  const { fence, permit } = yield* Acting.make;
  const { transact } = yield* Transactor;

  const remove = Span.fn("Issues.remove")(function* (
    issueId: string,
    { confirm, ...precondition }: Precondition & { readonly confirm: boolean },
  ) {
    const principal = yield* Principal.require("Editor");
    const by = Principal.actorOf(principal);
    if (!confirm) return yield* new ConfirmationRequired();
    yield* transact(
      Effect.gen(function* () {
        yield* fence("writes");
        const now = yield* Timestamp.now;
        const facts = yield* view.facts(issueId, now);
        const { issue, liveRun } = facts;
        yield* checkVersion(issue, precondition);
        yield* permit(principal, facts, { kind: "delete" });
        // Locks the issue before its run and its dependents: see `Transactor`.
        yield* store.move([issue]);
        if (liveRun?.status === "active") {
          yield* runs.update([{ ...liveRun, status: "stopping", stopReason: "deleted" }]);
        }
        if (isOpen(issue.status)) yield* transitions.notify(issueId, "blockerDeleted", by);
        yield* transitions.withdrawQuestions(issue, by);
        yield* links.unlinkAtDeletion(issue, by);
        yield* store.remove(issueId);
        yield* events.record([
          {
            kind: "issue.deleted",
            projectId: issue.projectId,
            relatedProjectId: null,
            subjectId: issueId,
            issueKey: issue.key,
            actor: by,
            data: { title: issue.title },
          },
        ]);
      }),
    );
    yield* attachments.removeDiscarded;
  });

  return { remove };
});
