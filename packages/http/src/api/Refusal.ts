import type { Errors } from "@quartermaster/core";
import * as Problem from "./Problem.ts";

/**
 * Maps core's errors to problems. By default an error becomes the problem of the same name, with
 * its message as `detail` and its fields. This module contains the exceptions.
 */

/** Advice about a tool that cannot be called. Only Admins see the text of its server. */
const toolAdvice: Record<Errors.ToolUnavailable["reason"], string> = {
  unknownTool: "No tool has this name. Call a tool from the agent's list.",
  notGranted: "The agent may not use this tool. Ask an Admin to grant it.",
  notEnabled: "The tool's server is disabled. Ask an Admin to enable it.",
  failing: "The tool's server is failing. Ask an Admin to verify it; the result has the reason.",
  agentPaused: "The agent is paused and cannot call tools. Wait until an Admin resumes it.",
  withheld: "The tool changed and is withheld. Ask an Admin to review and accept it.",
  otherNode:
    "The tool's server runs on another node, which this node does not reach. Repeat the call later.",
  timeout:
    "The tool did not respond in time. Check whether the call took effect before you repeat it.",
  crashed:
    "The tool's server stopped during the call. Check whether the call took effect before you repeat it.",
  runEnded: "The run of the call has ended or has to stop. Stop working on its issue.",
  effectUnknown:
    "An equal call was sent and its reply was lost. Look whether it happened, then settle it.",
  noRun: "The agent may call tools only for a live run. Pick up an issue first.",
};

const worded = {
  InvalidRequest: ({ errors }: Errors.InvalidRequest) =>
    new Problem.InvalidRequest({ detail: correct(errors), errors }),
  ConfirmationRequired: (_: Errors.ConfirmationRequired) =>
    new Problem.ConfirmationRequired({
      detail: "A deletion is permanent. Set `confirm` to true.",
    }),
  Unauthenticated: (_: Errors.Unauthenticated) =>
    new Problem.Unauthenticated({
      detail: "The request has no valid API key. Send one as `Authorization: Bearer <key>`.",
    }),
  NotFound: ({ id, resource }: Errors.NotFound) =>
    new Problem.NotFound({
      detail:
        id === null
          ? "This server has no such route. Check the path."
          : `The ${resource} does not exist, or you may not see it. Check the id.`,
      resource,
      id,
    }),
  Forbidden: ({ message, requiredRole }: Errors.Forbidden) =>
    new Problem.Forbidden({ detail: message, requiredRole }),
  OpenDependents: ({ dependents }: Errors.OpenDependents) =>
    new Problem.OpenDependents({
      detail:
        "Open issues depend on this issue. Resolve or close them first, or close it with `?force=true`.",
      dependents,
    }),
  EntryIdTaken: ({ message }: Errors.EntryIdTaken) => new Problem.NameTaken({ detail: message }),
  EntryInUse: ({ message }: Errors.EntryInUse) => new Problem.InUse({ detail: message }),
  ProjectInUse: ({ message }: Errors.ProjectInUse) => new Problem.InUse({ detail: message }),
  NameTaken: ({ message }: Errors.NameTaken) => new Problem.NameTaken({ detail: message }),
  ForbiddenPath: ({ message, variable }: Errors.ForbiddenPath) =>
    new Problem.ForbiddenPath({ detail: message, name: variable }),
  SandboxMissing: ({ message, sandbox }: Errors.SandboxMissing) =>
    new Problem.SandboxMissing({ detail: message, sandbox }),
  AuthorizationFailed: ({ explanation, reason }: Errors.AuthorizationFailed) =>
    new Problem.AuthorizationFailed({ detail: explanation, reason }),
  ToolUnavailable: ({ advice, callId, reason, retry, run }: Errors.ToolUnavailable) =>
    new Problem.ToolUnavailable({
      detail: advice ?? toolAdvice[reason],
      reason,
      ...(run && { runId: run.runId }),
      ...(callId !== undefined && { callId }),
      ...retry,
    }),
  StorageError: (_: Errors.StorageError) =>
    new Problem.Unavailable({
      detail: "Storage is temporarily unavailable. Retry after the delay in `Retry-After`.",
    }),
};

type Worded = typeof worded;
type AsItIs = Exclude<keyof typeof Problem & keyof typeof Errors, keyof Worded>;

/** Every core error that a call can fail with. */
export type Refusal = InstanceType<(typeof Errors)[keyof Worded | AsItIs]>;

/** Any problem. */
export type AnyProblem = InstanceType<(typeof Problem)[keyof typeof Problem]>;

/** The problem type of an error. */
export type ProblemOf<E extends Refusal> = E extends { readonly _tag: infer Tag }
  ? Tag extends keyof Worded
    ? ReturnType<Worded[Tag]>
    : Tag extends AsItIs
      ? InstanceType<(typeof Problem)[Tag]>
      : never
  : never;

/** Converts an error to its problem. An error without a problem is a compile error. */
export const toProblem = <E extends Refusal>(error: E): ProblemOf<E> => {
  const word: unknown = Reflect.get(worded, error._tag);
  if (typeof word === "function") return word(error);
  const Class = Reflect.get(Problem, error._tag);
  const { _tag, ...fields } = error;
  return new Class({ ...fields, detail: error.message });
};

/** Describes the first invalid value and the number of the others. */
export const correct = (errors: Errors.InvalidRequest["errors"]): string => {
  const [first] = errors;
  if (first === undefined) return "The request is invalid. Correct it and send it again.";
  const more = errors.length - 1;
  const others =
    ["", " Another value is also invalid."][more] ?? ` ${more} other values are also invalid.`;
  const name = first.path === "" ? "request" : `\`${first.path}\``;
  const why = first.message
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
    .replace(/(?<!\.)\.$/, "");
  return `Invalid ${name} (${why}).${others} Correct ${more === 0 ? "it" : "them"} and send the request again.`;
};
