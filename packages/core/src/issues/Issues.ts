import { Context, Effect, Layer, Option } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import { RunStore } from "../agents/RunStore.ts";
import type {
  IdempotencyMismatch,
  InvalidRequest,
  PreconditionFailed,
  StorageError,
  UnknownReference,
} from "../CommonErrors.ts";
import { ConfirmationRequired, LimitExceeded, NotFound } from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import { Directory } from "../Directory.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import { Idempotency } from "../idempotency/Idempotency.ts";
import * as Input from "../internal/Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import type { Activity } from "./Activity.ts";
import { ActivityStore } from "./ActivityStore.ts";
import { Attachments } from "./Attachments.ts";
import { checkVersion, type Precondition, visibleIds } from "./internal/IssueAccess.ts";
import { IssueView } from "./internal/IssueView.ts";
import { References } from "./internal/References.ts";
import { Timeline } from "./internal/Timeline.ts";
import { Transitions } from "./internal/Transitions.ts";
import * as Issue from "./Issue.ts";
import type { NotExecuting, NotPaused } from "./IssueErrors.ts";
import { Blocked, OpenDependents } from "./IssueErrors.ts";
import * as IssueLifecycle from "./IssueLifecycle.ts";
import { type IssueFacts, type IssueRef, IssueStore } from "./IssueStore.ts";
import { Links } from "./Links.ts";
import type { Readiness } from "./Readiness.ts";
import * as SearchText from "./SearchText.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;
type Denied = Forbidden | NotFound | StorageError;

/** An agent is silent when it has sent no heartbeat for so many seconds. */
const silentSeconds = 600;

/** Issues, from their creation to their deletion. */
export class Issues extends Context.Service<
  Issues,
  {
    create(
      projectId: string,
      input: typeof Issue.IssueCreate.Encoded,
    ): Effect.Effect<
      Issue.Issue,
      Denied | InvalidRequest | UnknownReference | LimitExceeded | IdempotencyMismatch,
      CurrentPrincipal
    >;
    get(issueId: string): Effect.Effect<Issue.Issue, NotFound | StorageError, CurrentPrincipal>;
    /** Newest first unless told otherwise. A project that has none is empty. */
    list(
      projectId: string,
      request?: typeof Issue.IssueFilter.Encoded & Page.PageRequest,
    ): Effect.Effect<
      Page.Page<Issue.Issue>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
    update(
      issueId: string,
      input: typeof Issue.IssueUpdate.Encoded,
      precondition?: Precondition,
    ): Effect.Effect<
      Issue.Issue,
      Denied | InvalidRequest | PreconditionFailed | UnknownReference | Blocked | OpenDependents,
      CurrentPrincipal
    >;
    /** Idempotent. Open dependents block it unless it is forced; then they are freed. */
    close(
      issueId: string,
      options?: Precondition & { readonly force?: boolean | undefined },
    ): Effect.Effect<Issue.Issue, Denied | PreconditionFailed | OpenDependents, CurrentPrincipal>;
    pause(
      issueId: string,
      precondition?: Precondition,
    ): Effect.Effect<Issue.Issue, Denied | PreconditionFailed | NotExecuting, CurrentPrincipal>;
    resume(
      issueId: string,
      precondition?: Precondition,
    ): Effect.Effect<
      Issue.Issue,
      Denied | PreconditionFailed | NotPaused | Blocked,
      CurrentPrincipal
    >;
    /** Removes the issue with its comments, attachments, links and timeline. */
    remove(
      issueId: string,
      options: Precondition & { readonly confirm: boolean },
    ): Effect.Effect<void, Denied | ConfirmationRequired | PreconditionFailed, CurrentPrincipal>;
    /** Why it is, or is not, being worked on. */
    readiness(issueId: string): Effect.Effect<Readiness, NotFound | StorageError, CurrentPrincipal>;
    /** The timeline, oldest first unless told otherwise. */
    activity(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<
      Page.Page<Activity>,
      NotFound | InvalidRequest | StorageError,
      CurrentPrincipal
    >;
  }
>()("@quartermaster/core/issues/Issues") {
  static readonly layerNoDeps = Layer.effect(
    Issues,
    Effect.gen(function* () {
      const store = yield* IssueStore;
      const view = yield* IssueView;
      const links = yield* Links;
      const references = yield* References;
      const transitions = yield* Transitions;
      const timeline = yield* Timeline;
      const activities = yield* ActivityStore;
      const agents = yield* AgentStore;
      const runs = yield* RunStore;
      const attachments = yield* Attachments;
      const events = yield* EventLog;
      const idempotency = yield* Idempotency;
      const directory = yield* Directory;
      const options = yield* CoreOptions;
      const { transact } = yield* Transactor;
      const newId = yield* Id.generator;

      const decodeCreate = Input.decoder(Issue.IssueCreate);
      const decodeUpdate = Input.decoder(Issue.IssueUpdate);
      const decodeFilter = Input.decoder(Issue.IssueFilter);
      const decodeProjectId = Input.decoder(Id.ProjectId, "projectId");

      const project = Effect.fnUntraced(function* (id: string) {
        const principal = yield* Principal.CurrentPrincipal;
        const projectId = yield* decodeProjectId(id);
        if (
          !Principal.sees(principal, projectId) ||
          !(yield* directory.knows("project", projectId))
        ) {
          return yield* new NotFound({ resource: "project", id });
        }
        return projectId;
      });

      const get = Effect.fnUntraced(function* (issueId: string) {
        return yield* view.render(yield* view.row(issueId));
      });

      const create = Span.fn("Issues.create")(function* (
        id: string,
        input: typeof Issue.IssueCreate.Encoded,
      ) {
        const principal = yield* Principal.require("Editor");
        const body = yield* decodeCreate(input);
        const projectId = yield* project(id);
        const assign = yield* references.assignment(body);
        const make = Effect.gen(function* () {
          yield* assign;
          const blocker =
            body.blockedByIssueId == null
              ? null
              : yield* references.issue("blockedByIssueId", body.blockedByIssueId);
          if (blocker !== null && blocker.linkCount >= options.maxLinks) {
            return yield* new LimitExceeded({ limit: options.maxLinks });
          }
          const createdBy = Principal.actorOf(principal);
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
            paused: false,
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
          yield* timeline.record(createdBy, [
            { issue, kind: "created", data: { status: issue.status } },
          ]);
          if (blocker === null) return yield* view.render(issue);
          return yield* view.render(yield* links.blockAtCreation(issue, blocker));
        });
        return yield* transact(idempotency.once({ make, find: get }));
      });

      const list = Span.fn("Issues.list")(function* (
        id: string,
        request: typeof Issue.IssueFilter.Encoded & Page.PageRequest = {},
      ) {
        const { limit, cursor, order, ...given } = request;
        const { q = "", ...filter } = yield* decodeFilter(given);
        const words = [...new Set(SearchText.words(q))];
        const findsNothing = q.trim() !== "" && words.length === 0;
        const page = yield* Page.read(
          {
            limit,
            cursor,
            order,
            defaultOrder: "desc",
            query: ["issues", id, filter, words, findsNothing],
          },
          (slice) =>
            Effect.flatMap(project(id), (projectId) =>
              findsNothing
                ? Effect.succeed([])
                : store.list({ ...filter, projectId, words }, slice),
            ),
        );
        return { items: yield* view.renderAll(page.items), next: page.next };
      });

      /** Reads the facts, checks what the caller demands, and applies what is decided on them. */
      const change = <E, R>(
        issueId: string,
        precondition: Precondition,
        decide: (
          facts: IssueFacts,
          now: string,
          principal: Principal.Principal,
        ) => Effect.Effect<IssueLifecycle.Change, E, R>,
      ) =>
        Effect.gen(function* () {
          const principal = yield* Principal.require("Editor");
          const now = yield* Timestamp.now;
          const facts = yield* view.facts(issueId, now);
          yield* checkVersion(facts.issue, precondition);
          const decided = yield* decide(facts, now, principal);
          const actor = Principal.actorOf(principal);
          return yield* view.render(yield* transitions.apply(facts, decided, actor));
        }).pipe(transact);

      const openDependents = (issueId: string) => store.openDependents(issueId, 100);
      const ids = (refs: ReadonlyArray<IssueRef>) => refs.map((ref) => ref.id);

      const update = Span.fn("Issues.update")(function* (
        issueId: string,
        input: typeof Issue.IssueUpdate.Encoded,
        precondition: Precondition = {},
      ) {
        yield* Principal.require("Editor");
        const { title, priority, status, ...clearable } = yield* decodeUpdate(input);
        const fields = {
          ...clearable,
          ...(title == null ? {} : { title }),
          ...(priority == null ? {} : { priority }),
        };
        const assign = yield* references.assignment(clearable);
        return yield* change(issueId, precondition, (facts, now, principal) =>
          Effect.gen(function* () {
            yield* assign;
            const dependents = status === "Closed" ? yield* openDependents(issueId) : [];
            return yield* Effect.fromResult(
              IssueLifecycle.update(facts, fields, status ?? undefined, ids(dependents), now),
            ).pipe(
              Effect.catchTags({
                Blocked: blockedFor(principal, facts),
                OpenDependents: dependentsFor(principal, dependents),
              }),
            );
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
        return yield* change(issueId, precondition, (facts, now, principal) =>
          Effect.flatMap(force ? Effect.succeed([]) : openDependents(issueId), (dependents) =>
            Effect.fromResult(IssueLifecycle.close(facts, ids(dependents), now)).pipe(
              Effect.catchTag("OpenDependents", dependentsFor(principal, dependents)),
            ),
          ),
        );
      });

      const pause = Span.fn("Issues.pause")(function* (
        issueId: string,
        precondition: Precondition = {},
      ) {
        return yield* change(issueId, precondition, (facts, now) =>
          Effect.fromResult(IssueLifecycle.pause(facts, now)),
        );
      });

      const resume = Span.fn("Issues.resume")(function* (
        issueId: string,
        precondition: Precondition = {},
      ) {
        return yield* change(issueId, precondition, (facts, now, principal) =>
          Effect.fromResult(IssueLifecycle.resume(facts, now)).pipe(
            Effect.catchTag("Blocked", blockedFor(principal, facts)),
          ),
        );
      });

      const remove = Span.fn("Issues.remove")(function* (
        issueId: string,
        { confirm, ...precondition }: Precondition & { readonly confirm: boolean },
      ) {
        const principal = yield* Principal.require("Editor");
        if (!confirm) return yield* new ConfirmationRequired();
        const actor = Principal.actorOf(principal);
        yield* Effect.gen(function* () {
          const now = yield* Timestamp.now;
          const { issue, liveRun } = yield* view.facts(issueId, now);
          yield* checkVersion(issue, precondition);
          if (liveRun?.status === "active") {
            yield* runs.update([{ ...liveRun, status: "stopping", stopReason: "deleted" }]);
          }
          if (Issue.isOpen(issue.status)) {
            yield* transitions.notify(issueId, "blockerDeleted", actor);
          }
          yield* links.unlinkAtDeletion(issue, actor);
          yield* store.remove(issueId);
          yield* events.record([
            {
              kind: "issue.deleted",
              projectId: issue.projectId,
              relatedProjectId: null,
              subjectId: issueId,
              actor,
              data: { title: issue.title },
            },
          ]);
        }).pipe(transact);
        yield* attachments.removeDiscarded;
      });

      const readiness = Span.fn("Issues.readiness")(function* (issueId: string) {
        const now = yield* Timestamp.now;
        const facts = yield* view.facts(issueId, now);
        const obstacles = IssueLifecycle.obstacles(facts);
        const ready = obstacles.length === 0;
        const agentId = facts.issue.assignedAgentId;
        if (agentId === null) return { ready, reasons: obstacles };
        const agent = Option.getOrNull(yield* agents.get(agentId));
        const last = agent?.lastHeartbeatAt ?? null;
        const silent = last === null || last < Timestamp.addSeconds(now, -silentSeconds);
        const detail =
          last === null
            ? `The agent ${agentId} has never sent a heartbeat.`
            : `The agent ${agentId} sent its last heartbeat at ${last}.`;
        return {
          ready,
          reasons: silent ? [...obstacles, { code: "agentSilent" as const, detail }] : obstacles,
        };
      });

      const activity = Span.fn("Issues.activity")(function* (
        issueId: string,
        request: Page.PageRequest = {},
      ) {
        const principal = yield* Principal.CurrentPrincipal;
        const page = yield* Page.read(
          { ...request, defaultOrder: "asc", query: ["activity", issueId] },
          (slice) =>
            Effect.andThen(view.row(issueId), activities.list(issueId, principal.projects, slice)),
        );
        return Page.map(page, ({ id, issueId, kind, actor, data, createdAt }) => ({
          id,
          issueId,
          kind,
          actor,
          data,
          createdAt,
        }));
      });

      return Issues.of({
        create,
        get,
        list,
        update,
        close,
        pause,
        resume,
        remove,
        readiness,
        activity,
      });
    }),
  );
}

const blockedFor = (principal: Principal.Principal, facts: IssueFacts) => () =>
  new Blocked({ blockers: visibleIds(principal, facts.openBlockers) });

const dependentsFor = (principal: Principal.Principal, dependents: ReadonlyArray<IssueRef>) => () =>
  new OpenDependents({ dependents: visibleIds(principal, dependents) });
