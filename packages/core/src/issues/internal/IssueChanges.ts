import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import * as RunEnd from "../../agents/RunEnd.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { type ChangedIssue, noSideEffects, type SideEffects } from "../Issue.ts";
import { checkVersion, type Precondition, visibleIds } from "../IssueAccess.ts";
import { Blocked, OpenDependents } from "../IssueErrors.ts";
import { IssueUpdate } from "../IssueInput.ts";
import { type IssueFacts, type IssueRef, IssueStore } from "../IssueStore.ts";
import { IssueView } from "../IssueView.ts";
import { LeaseExpiry } from "../LeaseExpiry.ts";
import { QuestionExpiry } from "../QuestionExpiry.ts";
import * as AgentRules from "../rules/AgentRules.ts";
import * as IssueLifecycle from "../rules/IssueLifecycle.ts";
import { Transitions } from "../Transitions.ts";
import * as Acting from "./Acting.ts";
import * as DescriptionVersions from "./DescriptionVersions.ts";
import * as Moving from "./Moving.ts";
import { References } from "./References.ts";

/** The outcome of an agent's change that was carried out otherwise than requested. */
type Report = Pick<ChangedIssue, "handedInAs" | "questionIds"> & Partial<SideEffects>;

/** A change, with the run that it hands in. */
type Decision = IssueLifecycle.Change & {
  readonly handIn?: AgentRules.HandIn | null;
  readonly report?: Report;
};

type Decide<E, R> = (facts: IssueFacts, now: string) => Effect.Effect<Decision, E, R>;

/** A change in its transaction, by the rules of agents. */
const guarded = Effect.gen(function* () {
  const view = yield* IssueView;
  const transitions = yield* Transitions;
  const expiry = yield* LeaseExpiry;
  const end = yield* RunEnd.make;
  const { transact } = yield* Transactor;
  const questions = yield* QuestionExpiry;
  const descriptions = yield* DescriptionVersions.make;
  const { fence, fenced, mayHandIn, permit } = yield* Acting.make;

  /**
   * In one transaction: reads the facts, checks run and version, applies the change that `decide`
   * returns, and ends the run that the change hands in. `intent` is null for a change without rules.
   */
  const inTransaction = Effect.fnUntraced(function* <E, R>(
    principal: Principal.Principal,
    issueId: string,
    intent: AgentRules.Intent | null,
    precondition: Precondition,
    decide: Decide<E, R>,
  ) {
    const now = yield* Timestamp.now;
    const found = yield* Effect.tapErrorTag(view.facts(issueId, now), "NotFound", () =>
      fence("writes"),
    );
    const facts = yield* questions.settle(yield* expiry.settle(found, now), now);
    yield* fenced(principal, facts, intent);
    yield* checkVersion(found.issue, precondition);
    const { handIn = null, report = {}, ...decision } = yield* decide(facts, now);
    const by = Principal.actorOf(principal);
    const row = yield* transitions.apply(facts, decision, by);
    yield* descriptions.record(facts.issue, row, by);
    if (handIn !== null) {
      // Writes the issue before its run: see `Turns`.
      const { outcome, run } = handIn;
      const reason = outcome === "resolved" ? "resolved" : "statusChanged";
      yield* end(run, { reason, outcome }, now);
    }
    return { ...(yield* view.render(row)), ...report };
  });

  const change = <E, R>(...parts: Parameters<typeof inTransaction<E, R>>) =>
    transact(inTransaction(...parts));

  /** The intent of an update of status, agent or deferral, for the rules of agents. */
  const move = Effect.fnUntraced(function* (
    principal: Principal.Principal,
    facts: IssueFacts,
    update: AgentRules.Update,
    now: string,
  ) {
    const actor = yield* permit(principal, facts, update);
    const status = AgentRules.statusIn(actor, update.status);
    const handIn = yield* Effect.fromResult(AgentRules.handIn(actor, facts, status, now));
    if (handIn !== null) yield* mayHandIn(handIn.run);
    return { status, handIn };
  });

  return { change, move, permit };
});

type Checks = References["Service"];
type Moves = Effect.Success<typeof Moving.make>;
type Update = Parameters<typeof IssueLifecycle.update>[1];

/** An update that was checked outside of its transaction. */
interface Wish extends Pick<Update, "fields" | "notBefore"> {
  readonly principal: Principal.Principal;
  readonly assignment: Effect.Success<ReturnType<Checks["check"]>>;
  readonly clearable: Parameters<Checks["check"]>[0] & Pick<IssueUpdate, "externalRef">;
  readonly target: Effect.Success<ReturnType<Moves["check"]>>;
  readonly intent: AgentRules.Update | null;
  readonly wanted: Update["status"];
}

/** The changes of `Issues` by the rules of `IssueLifecycle`: update, close, pause, resume. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const references = yield* References;
  const moving = yield* Moving.make;
  const { change, move, permit } = yield* guarded;
  const decode = Input.decoder(IssueUpdate);
  const openDependents = (issueId: string) => store.openDependents(issueId, 100);

  /** The change by an update. */
  const decided = Effect.fnUntraced(function* (wish: Wish, found: IssueFacts, now: string) {
    const { assignment, clearable, fields, intent, notBefore, principal, target, wanted } = wish;
    const agent = yield* references.assign(assignment);
    const { externalRef = found.issue.externalRef } = clearable;
    const to = (yield* Effect.fromResult(target)) ?? found.issue.projectId;
    const { created, facts, isMoved } = yield* moving.move(principal, found, to, externalRef);
    yield* references.unusedExternalRef(to, clearable.externalRef, found.issue.id);
    const { handIn, status } =
      intent === null
        ? { handIn: null, status: wanted }
        : yield* move(principal, facts, intent, now);
    const dependents = status === "Closed" ? yield* openDependents(found.issue.id) : [];
    const isByUser = principal.type === "User";
    const change = yield* Effect.fromResult(
      IssueLifecycle.update(
        facts,
        { fields, status, notBefore, isByUser, handIn, isMoved },
        idsOf(dependents),
        now,
      ),
    ).pipe(
      Effect.catchTags({
        Blocked: blockedFor(principal, facts),
        OpenDependents: dependentsFor(principal, dependents),
      }),
    );
    const effects = {
      created: { project: created, agent },
      warnings: yield* references.warnings(clearable),
    };
    const report = { ...reportOf(handIn, status !== wanted), ...effects };
    return { ...change, handIn, report };
  });

  const update = Span.fn("Issues.update")(function* (
    issueId: string,
    input: typeof IssueUpdate.Encoded,
    precondition: Precondition = {},
  ) {
    const principal = yield* Principal.require("Editor");
    const { title, priority, status, notBefore, labels, metadata, projectId, ...clearable } =
      yield* decode(input);
    const fields = {
      ...clearable,
      ...(title == null ? {} : { title }),
      ...(priority == null ? {} : { priority }),
      ...(labels === undefined ? {} : { labels: labels ?? [] }),
      ...(metadata === undefined ? {} : { metadata: metadata ?? {} }),
    };
    const assignment = yield* references.check(clearable);
    const target = yield* moving.check(principal, projectId);
    const isStatusOnly = clearable.assignedAgentId === undefined && notBefore === undefined;
    const wanted = status ?? undefined;
    const intent: AgentRules.Update | null =
      wanted === undefined && isStatusOnly
        ? null
        : { kind: "update", status: wanted, isStatusOnly };
    const wish = { assignment, clearable, fields, intent, notBefore, principal, target, wanted };
    const changed = yield* change(principal, issueId, intent, precondition, (found, now) =>
      decided(wish, found, now),
    );
    return { ...noSideEffects, ...changed };
  });

  const close = Span.fn("Issues.close")(function* (
    issueId: string,
    {
      force = false,
      ...precondition
    }: Precondition & { readonly force?: boolean | undefined } = {},
  ) {
    const principal = yield* Principal.require("Editor");
    return yield* change(principal, issueId, { kind: "close" }, precondition, (facts, now) =>
      Effect.gen(function* () {
        yield* permit(principal, facts, { kind: "close" });
        const dependents = force ? [] : yield* openDependents(issueId);
        return yield* Effect.fromResult(IssueLifecycle.close(facts, idsOf(dependents), now)).pipe(
          Effect.catchTag("OpenDependents", dependentsFor(principal, dependents)),
        );
      }),
    );
  });

  const pause = Span.fn("Issues.pause")(function* (
    issueId: string,
    precondition: Precondition = {},
  ) {
    const principal = yield* Principal.require("Editor");
    return yield* change(principal, issueId, { kind: "pause" }, precondition, (facts, now) =>
      Effect.andThen(
        permit(principal, facts, { kind: "pause" }),
        Effect.fromResult(IssueLifecycle.pause(facts, now)),
      ),
    );
  });

  const resume = Span.fn("Issues.resume")(function* (
    issueId: string,
    precondition: Precondition = {},
  ) {
    const principal = yield* Principal.require("Editor");
    return yield* change(principal, issueId, { kind: "resume" }, precondition, (facts, now) =>
      Effect.andThen(
        permit(principal, facts, { kind: "resume" }),
        Effect.fromResult(IssueLifecycle.resume(facts, now)).pipe(
          Effect.catchTag("Blocked", blockedFor(principal, facts)),
        ),
      ),
    );
  });

  return { update, close, pause, resume };
});

const reportOf = (handIn: AgentRules.HandIn | null, isReview: boolean): Report => {
  if (handIn !== null && handIn.questionIds.length > 0) {
    return { handedInAs: "released", questionIds: handIn.questionIds };
  }
  return isReview ? { handedInAs: "review" } : {};
};

const idsOf = (refs: ReadonlyArray<IssueRef>) => refs.map((ref) => ref.id);

// A refusal names only issues that the caller may see.
const blockedFor = (principal: Principal.Principal, facts: IssueFacts) => () =>
  new Blocked({ blockers: visibleIds(principal, facts.openBlockers) });

const dependentsFor = (principal: Principal.Principal, dependents: ReadonlyArray<IssueRef>) => () =>
  new OpenDependents({ dependents: visibleIds(principal, dependents) });
