import { Effect, Metric } from "effect";
import * as Principal from "../../access/Principal.ts";
import { finishedWith } from "../../agents/FinishedRuns.ts";
import { RunStore } from "../../agents/RunStore.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { Blocked, OpenDependents } from "../IssueErrors.ts";
import { IssueUpdate } from "../IssueInput.ts";
import { type IssueFacts, type IssueRef, IssueStore } from "../IssueStore.ts";
import * as AgentRules from "../rules/AgentRules.ts";
import * as IssueLifecycle from "../rules/IssueLifecycle.ts";
import { checkVersion, type Precondition, visibleIds } from "./IssueAccess.ts";
import { IssueView } from "./IssueView.ts";
import { LeaseExpiry } from "./LeaseExpiry.ts";
import { QuestionExpiry } from "./QuestionExpiry.ts";
import { References } from "./References.ts";
import { Transitions } from "./Transitions.ts";

/** A change, with the run that it hands in. */
type Decision = IssueLifecycle.Change & { readonly handIn?: AgentRules.HandIn | null };

/** The changes of `Issues` by the rules of `IssueLifecycle`: update, close, pause, resume. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const view = yield* IssueView;
  const references = yield* References;
  const transitions = yield* Transitions;
  const expiry = yield* LeaseExpiry;
  const runs = yield* RunStore;
  const { afterCommit, transact } = yield* Transactor;
  const questions = yield* QuestionExpiry;
  const decode = Input.decoder(IssueUpdate);

  /**
   * In one transaction: reads the facts, checks the version, applies the change that `decide`
   * returns, and ends the run that the change hands in.
   */
  const change = <E, R>(
    principal: Principal.Principal,
    issueId: string,
    precondition: Precondition,
    decide: (facts: IssueFacts, now: string) => Effect.Effect<Decision, E, R>,
  ) =>
    transact(
      Effect.gen(function* () {
        const now = yield* Timestamp.now;
        const found = yield* view.facts(issueId, now);
        yield* checkVersion(found.issue, precondition);
        const facts = yield* questions.settle(yield* expiry.settle(found, now), now);
        const { handIn = null, ...decision } = yield* decide(facts, now);
        const row = yield* transitions.apply(facts, decision, Principal.actorOf(principal));
        if (handIn !== null) {
          // Writes the issue before its run: see `Turns`.
          yield* runs.update([AgentRules.ended(handIn, now)]);
          yield* afterCommit(Metric.update(finishedWith(handIn.outcome), 1));
        }
        return yield* view.render(row);
      }),
    );

  const openDependents = (issueId: string) => store.openDependents(issueId, 100);

  const update = Span.fn("Issues.update")(function* (
    issueId: string,
    input: typeof IssueUpdate.Encoded,
    precondition: Precondition = {},
  ) {
    const principal = yield* Principal.require("Editor");
    const { title, priority, status, notBefore, labels, metadata, ...clearable } =
      yield* decode(input);
    const fields = {
      ...clearable,
      ...(title == null ? {} : { title }),
      ...(priority == null ? {} : { priority }),
      ...(labels === undefined ? {} : { labels: labels ?? [] }),
      ...(metadata === undefined ? {} : { metadata: metadata ?? {} }),
    };
    const assignment = yield* references.check(clearable);
    const isGuarded =
      status != null || clearable.assignedAgentId !== undefined || notBefore !== undefined;
    return yield* change(principal, issueId, precondition, (facts, now) =>
      Effect.gen(function* () {
        yield* references.assign(assignment);
        const { projectId } = facts.issue;
        yield* references.unusedExternalRef(projectId, clearable.externalRef, issueId);
        const handIn = isGuarded
          ? yield* Effect.fromResult(AgentRules.mayMove(principal, facts, status ?? undefined))
          : null;
        const dependents = status === "Closed" ? yield* openDependents(issueId) : [];
        const isByUser = principal.type === "User";
        const change = yield* Effect.fromResult(
          IssueLifecycle.update(
            facts,
            { fields, status: status ?? undefined, notBefore, isByUser, handIn },
            idsOf(dependents),
            now,
          ),
        ).pipe(
          Effect.catchTags({
            Blocked: blockedFor(principal, facts),
            OpenDependents: dependentsFor(principal, dependents),
          }),
        );
        return { ...change, handIn };
      }),
    );
  });

  const close = Span.fn("Issues.close")(function* (
    issueId: string,
    {
      force = false,
      ...precondition
    }: Precondition & { readonly force?: boolean | undefined } = {},
  ) {
    const principal = yield* Principal.require("Editor");
    return yield* change(principal, issueId, precondition, (facts, now) =>
      Effect.gen(function* () {
        yield* Effect.fromResult(AgentRules.mayChange(principal, facts));
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
    return yield* change(principal, issueId, precondition, (facts, now) =>
      Effect.andThen(
        Effect.fromResult(AgentRules.notHeld(principal, facts)),
        Effect.fromResult(IssueLifecycle.pause(facts, now)),
      ),
    );
  });

  const resume = Span.fn("Issues.resume")(function* (
    issueId: string,
    precondition: Precondition = {},
  ) {
    const principal = yield* Principal.require("Editor");
    return yield* change(principal, issueId, precondition, (facts, now) =>
      Effect.andThen(
        Effect.fromResult(AgentRules.mayChange(principal, facts)),
        Effect.fromResult(IssueLifecycle.resume(facts, now)).pipe(
          Effect.catchTag("Blocked", blockedFor(principal, facts)),
        ),
      ),
    );
  });

  return { update, close, pause, resume };
});

const idsOf = (refs: ReadonlyArray<IssueRef>) => refs.map((ref) => ref.id);

// A refusal names only issues that the caller may see.
const blockedFor = (principal: Principal.Principal, facts: IssueFacts) => () =>
  new Blocked({ blockers: visibleIds(principal, facts.openBlockers) });

const dependentsFor = (principal: Principal.Principal, dependents: ReadonlyArray<IssueRef>) => () =>
  new OpenDependents({ dependents: visibleIds(principal, dependents) });
