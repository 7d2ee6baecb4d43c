import type { Errors } from "@quartermaster/core";
import * as Problem from "./Problem.ts";

/** The refusals of core, each as its problem. */

/** What to do about a tool that cannot be called. What its server said of it is for Admins alone. */
const toolAdvice: Record<Errors.ToolUnavailable["reason"], string> = {
  unknownTool: "Call a tool by a name of the agent's list: there is none of this name.",
  notGranted: "Ask an Admin to grant this tool to the agent.",
  notEnabled: "Ask an Admin to enable the tool's server.",
  failing: "Ask an Admin to verify the tool's server, which tells why it fails.",
  withheld: "Ask an Admin to look at the tool, which has changed, and to accept it.",
  timeout: "Look whether the call took effect before it is repeated: there was no answer in time.",
  crashed: "Look whether the call took effect before it is repeated: its server went away.",
};

const problems = {
  InvalidRequest: (error: Errors.InvalidRequest) =>
    new Problem.InvalidRequest({
      detail: "Correct the values that `errors` names and send the request again.",
      errors: error.errors,
    }),
  ConfirmationRequired: (_: Errors.ConfirmationRequired) =>
    new Problem.ConfirmationRequired({
      detail: "Add `?confirm=true` to delete this issue for good.",
    }),
  Unauthenticated: (_: Errors.Unauthenticated) =>
    new Problem.Unauthenticated({
      detail: "Send a valid API key as `Authorization: Bearer <key>`.",
    }),
  Forbidden: (error: Errors.Forbidden) =>
    new Problem.Forbidden({
      detail:
        error.requiredRole === null
          ? "Use another kind of key: this one may not do this, whatever its role."
          : `Use a key whose role is ${error.requiredRole} or above.`,
      requiredRole: error.requiredRole,
    }),
  NotFound: (error: Errors.NotFound) =>
    new Problem.NotFound({
      detail:
        error.id === null
          ? "Check the path: this server has no such route."
          : `Check the id: there is no such ${error.resource} that you may see.`,
      resource: error.resource,
      id: error.id,
    }),
  OpenDependents: (error: Errors.OpenDependents) =>
    new Problem.OpenDependents({
      detail: "Resolve or close the open dependents first, or close with `?force=true`.",
      dependents: error.dependents,
    }),
  Blocked: (error: Errors.Blocked) =>
    new Problem.Blocked({
      detail: error.message,
      blockers: error.blockers,
    }),
  DependencyCycle: (error: Errors.DependencyCycle) =>
    new Problem.DependencyCycle({
      detail: error.message,
      cycle: error.cycle,
    }),
  LinkExists: (error: Errors.LinkExists) =>
    new Problem.LinkExists({
      detail: error.message,
      linkId: error.linkId,
    }),
  NotExecuting: (error: Errors.NotExecuting) =>
    new Problem.NotExecuting({
      detail: error.message,
      issueStatus: error.issueStatus,
    }),
  NotPaused: (error: Errors.NotPaused) =>
    new Problem.NotPaused({
      detail: error.message,
      issueStatus: error.issueStatus,
    }),
  RunEnded: (error: Errors.RunEnded) =>
    new Problem.RunEnded({
      detail: error.message,
      reason: error.reason,
    }),
  LastOwnerKey: (error: Errors.LastOwnerKey) =>
    new Problem.LastOwnerKey({
      detail: error.message,
    }),
  PreconditionFailed: (error: Errors.PreconditionFailed) =>
    new Problem.PreconditionFailed({
      detail: error.message,
      version: error.version,
    }),
  UnknownReference: (error: Errors.UnknownReference) =>
    new Problem.UnknownReference({
      detail: error.message,
      field: error.field,
      id: error.id,
    }),
  SelfLink: (error: Errors.SelfLink) => new Problem.SelfLink({ detail: error.message }),
  LimitExceeded: (error: Errors.LimitExceeded) =>
    new Problem.LimitExceeded({
      detail: error.message,
      limit: error.limit,
    }),
  PayloadTooLarge: (error: Errors.PayloadTooLarge) =>
    new Problem.PayloadTooLarge({
      detail: error.message,
      limitBytes: error.limitBytes,
    }),
  IdempotencyMismatch: (error: Errors.IdempotencyMismatch) =>
    new Problem.IdempotencyMismatch({
      detail: error.message,
    }),
  NameTaken: (error: Errors.NameTaken) =>
    new Problem.NameTaken({
      detail: error.message,
    }),
  MissingEnv: (error: Errors.MissingEnv) =>
    new Problem.MissingEnv({
      detail: error.message,
      missing: error.missing,
    }),
  UnknownEnv: (error: Errors.UnknownEnv) =>
    new Problem.UnknownEnv({
      detail:
        "Leave out the variables that `unknown` names: the catalogue's entry declares none such.",
      unknown: error.unknown,
    }),
  ForbiddenPath: (error: Errors.ForbiddenPath) =>
    new Problem.ForbiddenPath({
      detail: error.message,
      name: error.name,
    }),
  RuntimeMissing: (error: Errors.RuntimeMissing) =>
    new Problem.RuntimeMissing({
      detail: error.message,
      runtime: error.runtime,
    }),
  VerificationFailed: (error: Errors.VerificationFailed) =>
    new Problem.VerificationFailed({
      detail: error.message,
      verification: error.verification,
    }),
  AuthorizationFailed: ({ explanation, reason }: Errors.AuthorizationFailed) =>
    new Problem.AuthorizationFailed({ detail: explanation, reason }),
  ToolUnavailable: ({ reason }: Errors.ToolUnavailable) =>
    new Problem.ToolUnavailable({ detail: toolAdvice[reason], reason }),
  StorageError: (_: Errors.StorageError) =>
    new Problem.Unavailable({
      detail: "Try again after the time that `Retry-After` names: storage did not do its part.",
    }),
};

type Problems = typeof problems;

/** Every class of core's errors that a call can fail with. */
export type Refusal = Parameters<Problems[keyof Problems]>[0];

/** The problem that a refusal is rendered as. */
export type ProblemOf<E extends Refusal> = E extends Refusal
  ? ReturnType<Problems[E["_tag"]]>
  : never;

/** The problem of a refusal. Total: the compiler knows that no class is missing. */
export const toProblem = <E extends Refusal>(refusal: E): ProblemOf<E> =>
  (problems[refusal._tag] as unknown as (refusal: E) => ProblemOf<E>)(refusal);
