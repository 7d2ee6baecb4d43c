import { Context, Effect, Layer } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import type { CurrentPrincipal } from "../access/Principal.ts";
import type { NoRun, RunEnded } from "../agents/AgentErrors.ts";
import type {
  ConfirmationRequired,
  IdempotencyMismatch,
  InvalidRequest,
  LimitExceeded,
  NotFound,
  PreconditionFailed,
  StorageError,
  UnknownReference,
} from "../CommonErrors.ts";
import type * as Page from "../Page.ts";
import type { Activity } from "./Activity.ts";
import type { BriefIssue } from "./BriefIssue.ts";
import * as DescriptionVersions from "./internal/DescriptionVersions.ts";
import * as IssueChanges from "./internal/IssueChanges.ts";
import * as IssueCreation from "./internal/IssueCreation.ts";
import * as IssueDeletion from "./internal/IssueDeletion.ts";
import * as IssueGraphs from "./internal/IssueGraphs.ts";
import * as IssuePlan from "./internal/IssuePlan.ts";
import * as IssueQueries from "./internal/IssueQueries.ts";
import type { Issue, SavedIssue } from "./Issue.ts";
import type { Precondition } from "./IssueAccess.ts";
import type {
  Blocked,
  DependencyCycle,
  ExternalRefTaken,
  Held,
  NotExecuting,
  NotPaused,
  OpenDependents,
  Paused,
} from "./IssueErrors.ts";
import type { IssueFilter } from "./IssueFilter.ts";
import type { IssueGraph, IssueGraphRequest } from "./IssueGraph.ts";
import type { IssueCreate, IssueUpdate } from "./IssueInput.ts";
import type { FoundPage } from "./IssueStore.ts";
import type { CreatedIssue, Plan } from "./Plan.ts";
import type { Readiness } from "./Readiness.ts";
import type { DescriptionVersion } from "./Version.ts";

type AcrossRequest = typeof IssueFilter.Encoded &
  Page.PageRequest & { readonly projectId?: ReadonlyArray<string> | undefined };
type ReadError = NotFound | StorageError;
type WriteError = Forbidden | NotFound | StorageError;
/** The errors that only agents and calls that act for a run get. */
type NotForAgents = Paused | Held | RunEnded;

/**
 * Issues, from their creation to their deletion.
 *
 * Every argument and field that takes the id of an issue also takes its key, such as `SHOP-142`, in
 * any letter case. That holds for the other services too.
 *
 * Every method acts for the `CurrentPrincipal`. Changes require the Editor role (`Forbidden`). An
 * issue or project that the principal may not see is `NotFound`, like one that does not exist. A
 * call that acts for a run (`CurrentRun`) changes nothing once the run has ended or has to stop
 * (`RunEnded`, see `Fence`).
 *
 * An agent's principal can neither update `status`, `assignedAgentId` or `notBefore` of a paused
 * issue, nor resume, close or delete it (`Paused`). While a live run that the call does not act for
 * holds the issue, it can do none of that, nor pause the issue (`Held`). Only people end reviews,
 * unless `agentsMay` of the project is `approve`: an agent's principal neither changes the status of
 * an issue in review, nor closes, deletes or blocks it (`Forbidden`).
 */
export class Issues extends Context.Service<
  Issues,
  {
    /**
     * Creates an issue. With `blockedByIssueId` the issue is linked to that blocker and waits for
     * it (`WaitingOnDependency`); otherwise it is `Open`. An assigned agent that is not registered
     * yet is registered, unless the principal is bound to projects, or rejected with
     * `CoreOptions.strictAgents`.
     *
     * Fails with `InvalidRequest` for a value out of its bounds, `UnknownReference` for an
     * assignee, goal or blocker that the directory or the principal does not know, and
     * `LimitExceeded` if the blocker has `CoreOptions.maxLinks` links or the agent would exceed
     * `CoreOptions.maxAgents`, and `ExternalRefTaken` if another issue of the project has
     * `externalRef`.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const design = yield* issues.create("shop", { title: "Design the schema" });
     *   const build = yield* issues.create("shop", { title: "Build", blockedByIssueId: design.id });
     *   return build.status; // "WaitingOnDependency"
     * });
     * ```
     */
    create(
      projectId: string,
      input: typeof IssueCreate.Encoded,
    ): Effect.Effect<
      SavedIssue,
      | WriteError
      | InvalidRequest
      | UnknownReference
      | LimitExceeded
      | IdempotencyMismatch
      | RunEnded
      | ExternalRefTaken,
      CurrentPrincipal
    >;
    /**
     * Creates up to 500 issues, which may wait for each other, in one transaction. `blockedBy`
     * names issues of the plan by `ref`, including later ones, and other issues by id. Returns them
     * in the order of the plan.
     *
     * Fails as `create` does, with the path of the field, and with `InvalidRequest` for a `ref` that is
     * unknown or not unique, `DependencyCycle` with the refs of issues that wait for each other, and
     * `LimitExceeded` also for more than `CoreOptions.maxLinks` links in the plan.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const created = yield* issues.plan("shop", {
     *     issues: [
     *       { ref: "build", title: "Build", blockedBy: ["design"] },
     *       { ref: "design", title: "Design the schema" },
     *     ],
     *   });
     *   return created.map(({ ref, issue }) => [ref, issue.status]); // [["build","WaitingOnDependency"],["design","Open"]]
     * });
     * ```
     */
    plan(
      projectId: string,
      input: typeof Plan.Encoded,
    ): Effect.Effect<
      ReadonlyArray<CreatedIssue>,
      | WriteError
      | InvalidRequest
      | UnknownReference
      | LimitExceeded
      | IdempotencyMismatch
      | RunEnded
      | ExternalRefTaken
      | DependencyCycle,
      CurrentPrincipal
    >;
    /** Returns an issue with its first 100 links. */
    get(issueId: string): Effect.Effect<Issue, ReadError, CurrentPrincipal>;
    /** Returns an issue in brief, with its live run and its counts. */
    getBrief(issueId: string): Effect.Effect<BriefIssue, ReadError, CurrentPrincipal>;
    /**
     * Returns a page of a project's issues, newest first by default; all filters must match. `sort`
     * is `created`, `updated` or `priority`: most urgent first. The page of a project without
     * issues is empty, unless the host's directory does not know the project.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   yield* issues.create("shop", { title: "Rotate the keys", priority: "high" });
     *   const page = yield* issues.list("shop", { priority: "high", q: "keys", limit: 10 });
     *   return page.items.map((issue) => issue.title); // ["Rotate the keys"]
     * });
     * ```
     */
    list(
      projectId: string,
      request?: typeof IssueFilter.Encoded & Page.PageRequest,
    ): Effect.Effect<FoundPage<Issue>, ReadError | InvalidRequest, CurrentPrincipal>;
    /**
     * Lists issues of all projects that the principal may see, or of the projects in `projectId`,
     * otherwise like `list`. A project that the principal may not see has no issues.
     */
    listAcross(
      request?: AcrossRequest,
    ): Effect.Effect<FoundPage<Issue>, InvalidRequest | StorageError, CurrentPrincipal>;
    /** Lists the same issues as `listAcross`, in brief. */
    listAcrossBrief(
      request?: AcrossRequest,
    ): Effect.Effect<FoundPage<BriefIssue>, InvalidRequest | StorageError, CurrentPrincipal>;
    /** Lists the same issues as `list`, in brief. */
    listBrief(
      projectId: string,
      request?: typeof IssueFilter.Encoded & Page.PageRequest,
    ): Effect.Effect<FoundPage<BriefIssue>, ReadError | InvalidRequest, CurrentPrincipal>;
    /**
     * Returns a page of the issues that are assigned to the agent of the current principal, in all
     * projects that it may see. Empty for a principal that is not an agent.
     */
    assigned(
      request?: typeof IssueFilter.Encoded & Page.PageRequest,
    ): Effect.Effect<FoundPage<BriefIssue>, InvalidRequest | StorageError, CurrentPrincipal>;
    /**
     * Changes fields and, if given, the status, in one transaction. An omitted field does not
     * change; null clears a field, except `title`, `status` and `priority`, where null is ignored.
     * `labels` and `metadata` are replaced whole. The status `Resolved` or `Closed` frees
     * dependents without another open blocker. If the agent whose run holds the issue sets
     * `PendingReview`, `Resolved` or `Open`, that finishes the run, or fails with `RunEnded` if the
     * run has to stop. `handedInAs` is the status that was stored for `Resolved` in a project where
     * agents can only hand in for review.
     *
     * Fails with `PreconditionFailed` if `ifMatch` does not include the issue's version, `NoRun`
     * for `InProgress` by an agent without a run of the issue, `LimitExceeded` if the agent would
     * exceed `CoreOptions.maxAgents`, `Blocked` if open blockers forbid the status (or
     * `WaitingOnDependency` has none to wait for), and `OpenDependents` if open dependents forbid
     * `Closed`, and `ExternalRefTaken` as in `create`.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const { id, version } = yield* issues.create("shop", { title: "Design the schema" });
     *   const issue = yield* issues.update(id, { status: "Resolved" }, { ifMatch: [version] });
     *   return [issue.status, issue.version]; // ["Resolved",2]
     * });
     * ```
     */
    update(
      issueId: string,
      input: typeof IssueUpdate.Encoded,
      precondition?: Precondition,
    ): Effect.Effect<
      SavedIssue,
      | WriteError
      | InvalidRequest
      | PreconditionFailed
      | UnknownReference
      | LimitExceeded
      | Blocked
      | OpenDependents
      | ExternalRefTaken
      | NotForAgents
      | NoRun,
      CurrentPrincipal
    >;
    /**
     * Closes an issue; a closed issue stays as it is. Open dependents forbid it (`OpenDependents`)
     * unless `force` is true; dependents without another open blocker become `Open` then.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const design = yield* issues.create("shop", { title: "Design the schema" });
     *   const build = yield* issues.create("shop", { title: "Build", blockedByIssueId: design.id });
     *   yield* issues.close(design.id, { force: true });
     *   return (yield* issues.get(build.id)).status; // "Open"
     * });
     * ```
     */
    close(
      issueId: string,
      options?: Precondition & { readonly force?: boolean | undefined },
    ): Effect.Effect<
      Issue,
      WriteError | PreconditionFailed | OpenDependents | NotForAgents,
      CurrentPrincipal
    >;
    /**
     * Pauses an issue that is `InProgress` (otherwise `NotExecuting`): it becomes `Open` and
     * paused, its run stops at the next turn, and no heartbeat picks it up until it is resumed.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const { id } = yield* issues.create("shop", { title: "Design the schema" });
     *   yield* issues.update(id, { status: "InProgress" });
     *   const { status, paused } = yield* issues.pause(id);
     *   return [status, paused]; // ["Open",true]
     * });
     * ```
     */
    pause(
      issueId: string,
      precondition?: Precondition,
    ): Effect.Effect<
      Issue,
      WriteError | PreconditionFailed | NotExecuting | NotForAgents,
      CurrentPrincipal
    >;
    /**
     * Resumes a paused issue (otherwise `NotPaused`): it becomes `InProgress`, and its agent picks it
     * up at the next heartbeat before other issues. Open blockers forbid it (`Blocked`).
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const { id } = yield* issues.create("shop", { title: "Design the schema" });
     *   yield* issues.update(id, { status: "InProgress" });
     *   yield* issues.pause(id);
     *   const { status, paused } = yield* issues.resume(id);
     *   return [status, paused]; // ["InProgress",false]
     * });
     * ```
     */
    resume(
      issueId: string,
      precondition?: Precondition,
    ): Effect.Effect<
      Issue,
      WriteError | PreconditionFailed | NotPaused | Blocked | NotForAgents,
      CurrentPrincipal
    >;
    /**
     * Permanently deletes an issue with its comments, attachments, links and timeline. `confirm`
     * must be true (`ConfirmationRequired`). Its run has to stop, and dependents without another
     * open blocker become `Open`.
     */
    remove(
      issueId: string,
      options: Precondition & { readonly confirm: boolean },
    ): Effect.Effect<
      void,
      WriteError | ConfirmationRequired | PreconditionFailed | NotForAgents,
      CurrentPrincipal
    >;
    /**
     * Returns whether the next heartbeat would pick the issue up, and every reason why it would
     * not.
     */
    readiness(issueId: string): Effect.Effect<Readiness, ReadError, CurrentPrincipal>;
    /**
     * Returns an issue with its transitive blockers and dependents, up to `depth` links away (1 to
     * 50, default 10) and up to 500 issues. Omits issues that the principal may not see, and issues
     * that are reachable only through those.
     *
     * @example
     * ```ts
     * import { Issues } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const design = yield* issues.create("shop", { title: "Design the schema" });
     *   const build = yield* issues.create("shop", { title: "Build", blockedByIssueId: design.id });
     *   const { edges, nodes } = yield* issues.graph(design.id);
     *   return [nodes.length, edges[0]?.to === build.id]; // [2,true]
     * });
     * ```
     */
    graph(
      issueId: string,
      request?: typeof IssueGraphRequest.Encoded,
    ): Effect.Effect<IssueGraph, ReadError | InvalidRequest, CurrentPrincipal>;
    /**
     * Returns the issues of a project, open and newest issues first, with their transitive
     * blockers and dependents in other projects; otherwise as `graph`.
     */
    projectGraph(
      projectId: string,
      request?: typeof IssueGraphRequest.Encoded,
    ): Effect.Effect<IssueGraph, ReadError | InvalidRequest, CurrentPrincipal>;
    /** Returns a page of the issue's timeline, oldest first by default. */
    activity(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<Page.Page<Activity>, ReadError | InvalidRequest, CurrentPrincipal>;
    /**
     * Returns a page of the descriptions that the issue has and had, oldest first by default. An issue
     * whose description never changed has one version.
     */
    versions(
      issueId: string,
      request?: Page.PageRequest,
    ): Effect.Effect<Page.Page<DescriptionVersion>, ReadError | InvalidRequest, CurrentPrincipal>;
  }
>()("@quartermaster/core/issues/Issues") {
  static readonly layerNoDeps = Layer.effect(
    Issues,
    Effect.gen(function* () {
      const { taken } = yield* IssueKeys;
      const reads = yield* IssueQueries.make;
      const graphs = yield* IssueGraphs.make;
      const changes = yield* IssueChanges.make;
      const { remove } = yield* IssueDeletion.make;
      const { versions } = yield* DescriptionVersions.make;
      return Issues.of({
        ...reads,
        get: taken(reads.get),
        getBrief: taken(reads.getBrief),
        readiness: taken(reads.readiness),
        activity: taken(reads.activity),
        ...graphs,
        graph: taken(graphs.graph),
        ...(yield* IssueCreation.make),
        ...(yield* IssuePlan.make),
        update: taken(changes.update),
        close: taken(changes.close),
        pause: taken(changes.pause),
        resume: taken(changes.resume),
        remove: taken(remove),
        versions: taken(versions),
      });
    }),
  );
}
