import { Effect } from "effect";
import { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import { getOrNotFound, InvalidRequest, LimitExceeded } from "../../CommonErrors.ts";
import * as Id from "../../Id.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { isOpen } from "../Issue.ts";
import { QuestionClosed } from "../IssueErrors.ts";
import { IssueView } from "../IssueView.ts";
import { maxOpen, QuestionCreate, type QuestionRow, toQuestion } from "../Question.ts";
import { QuestionExpiry } from "../QuestionExpiry.ts";
import { QuestionStore } from "../QuestionStore.ts";
import { Timeline } from "../Timeline.ts";

/** The asking part of `Questions`. */
export const make = Effect.gen(function* () {
  const store = yield* QuestionStore;
  const fence = yield* Fence.make;
  const view = yield* IssueView;
  const expiry = yield* QuestionExpiry;
  const timeline = yield* Timeline;
  const idempotency = yield* Idempotency;
  const { transact } = yield* Transactor;
  const newId = yield* Id.generator;
  const decode = Input.decoder(QuestionCreate);

  const put = Effect.fnUntraced(function* (
    issueId: string,
    body: QuestionCreate,
    principal: Principal.Principal,
  ) {
    const acting = yield* fence("writes");
    const now = yield* Timestamp.now;
    const { issue, liveRun, openQuestions } = yield* expiry.settle(
      yield* view.facts(issueId, now),
      now,
    );
    if (!isOpen(issue.status)) return yield* new QuestionClosed({ reason: "issueDone" });
    const isBlocking = body.blocking ?? true;
    if (!mayAsk(principal, issue.assignedAgentId, isBlocking)) {
      return yield* new Forbidden({
        requiredRole: null,
        explanation: `${askers(issue.assignedAgentId)} may ask a blocking question on this issue. Set blocking to false, or comment.`,
      });
    }
    const same = openQuestions.find(({ key }) => key !== null && key === body.key);
    if (same !== undefined) return { row: same, isNew: false, now };
    if (openQuestions.length >= maxOpen) return yield* new LimitExceeded({ limit: maxOpen });
    const isOwnRun =
      liveRun !== null && (liveRun.agentId === principal.agentId || liveRun.id === acting?.run.id);
    const seconds = body.expiresInSeconds ?? null;
    const askedBy = Principal.actorOf(principal);
    const row = yield* store.insert({
      id: yield* newId("qst"),
      issueId,
      issueKey: issue.key,
      projectId: issue.projectId,
      runId: isOwnRun ? liveRun.id : null,
      askedBy,
      kind: body.kind ?? "text",
      prompt: body.prompt,
      options: body.options ?? null,
      blocking: isBlocking,
      status: "open",
      answer: null,
      answeredBy: null,
      createdAt: now,
      expiresAt: seconds === null ? null : Timestamp.addSeconds(now, seconds),
      answeredAt: null,
      onExpiry: body.onExpiry ?? "continue",
      key: body.key ?? null,
    });
    yield* timeline.record(askedBy, [{ issue, kind: "asked", data: { questionId: row.id } }]);
    return { row, isNew: true, now };
  });

  return Span.fn("Questions.ask")(function* (
    issueId: string,
    input: typeof QuestionCreate.Encoded,
  ) {
    const principal = yield* Principal.require("Editor");
    const body = yield* decode(input);
    if ((body.kind === "choice") !== (body.options != null)) {
      return yield* InvalidRequest.at(
        "options",
        "are required for the kind `choice`, and only allowed for it",
      );
    }
    const asked = yield* transact(
      idempotency.once({
        make: Effect.map(put(issueId, body, principal), withId),
        find: (id) =>
          Effect.andThen(
            view.row(issueId),
            Effect.gen(function* () {
              const row = yield* getOrNotFound("question", id, store.get(id));
              return withId({ row, isNew: true, now: yield* Timestamp.now });
            }),
          ),
      }),
    );
    return { question: toQuestion(asked.row, asked.now), isNew: asked.isNew };
  });
});

const withId = <A extends { readonly row: QuestionRow }>(asked: A) => ({
  ...asked,
  id: asked.row.id,
});

const askers = (assignedAgentId: string | null): string =>
  assignedAgentId === null
    ? "No agent is assigned, so only people"
    : `Only agent ${assignedAgentId}`;

/** Agents can ask blocking questions only on issues that are assigned to them. */
const mayAsk = (
  { agentId }: Principal.Principal,
  assignedAgentId: string | null,
  isBlocking: boolean,
): boolean => agentId === null || !isBlocking || agentId === assignedAgentId;
