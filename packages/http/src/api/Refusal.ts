import type { Errors } from "@quartermaster/core";
import * as Problem from "./Problem.ts";

/**
 * Core's errors as problems. By default the problem of the same name, with the error's message as
 * `detail` and its fields; here are the errors that HTTP words differently.
 */

/** What to do about a tool that cannot be called. What its server said is for Admins only. */
const toolAdvice: Record<Errors.ToolUnavailable["reason"], string> = {
  unknownTool: "Call a tool by a name in the agent's list: no tool has this name.",
  notGranted: "Ask an Admin to grant this tool to the agent.",
  notEnabled: "Ask an Admin to enable the tool's server.",
  failing: "Ask an Admin to verify the tool's server: the result says why it fails.",
  agentPaused: "Wait until an Admin ends the pause of the agent: it calls no tool until then.",
  withheld: "Ask an Admin to review and accept the tool, which has changed.",
  timeout: "Check whether the call took effect before you repeat it: no response came in time.",
  crashed: "Check whether the call took effect before you repeat it: its server went away.",
};

const worded = {
  InvalidRequest: ({ errors }: Errors.InvalidRequest) =>
    new Problem.InvalidRequest({ detail: correct(errors), errors }),
  ConfirmationRequired: (_: Errors.ConfirmationRequired) =>
    new Problem.ConfirmationRequired({
      detail: "Deleting an issue is permanent. Add `?confirm=true` to confirm it.",
    }),
  Unauthenticated: (_: Errors.Unauthenticated) =>
    new Problem.Unauthenticated({
      detail: "Send a valid API key as `Authorization: Bearer <key>`.",
    }),
  NotFound: ({ id, resource }: Errors.NotFound) =>
    new Problem.NotFound({
      detail:
        id === null
          ? "Check the path: this server has no such route."
          : `Check the id: there is no such ${resource} that you may see.`,
      resource,
      id,
    }),
  OpenDependents: ({ dependents }: Errors.OpenDependents) =>
    new Problem.OpenDependents({
      detail: "Resolve or close the open dependents first, or close with `?force=true`.",
      dependents,
    }),
  EntryIdTaken: ({ message }: Errors.EntryIdTaken) => new Problem.NameTaken({ detail: message }),
  EntryInUse: ({ message }: Errors.EntryInUse) => new Problem.InUse({ detail: message }),
  NameTaken: ({ message }: Errors.NameTaken) => new Problem.NameTaken({ detail: message }),
  ForbiddenPath: ({ message, variable }: Errors.ForbiddenPath) =>
    new Problem.ForbiddenPath({ detail: message, name: variable }),
  SandboxMissing: ({ message, sandbox }: Errors.SandboxMissing) =>
    new Problem.SandboxMissing({ detail: message, sandbox }),
  AuthorizationFailed: ({ explanation, reason }: Errors.AuthorizationFailed) =>
    new Problem.AuthorizationFailed({ detail: explanation, reason }),
  ToolUnavailable: ({ advice, reason, retry }: Errors.ToolUnavailable) =>
    new Problem.ToolUnavailable({ detail: advice ?? toolAdvice[reason], reason, ...retry }),
  StorageError: (_: Errors.StorageError) =>
    new Problem.Unavailable({
      detail: "Storage is temporarily unavailable. Retry after the delay in `Retry-After`.",
    }),
};

type Worded = typeof worded;
type AsItIs = Exclude<keyof typeof Problem & keyof typeof Errors, keyof Worded>;

/** Every error of core that a call can fail with. */
export type Refusal = InstanceType<(typeof Errors)[keyof Worded | AsItIs]>;

/** Any problem. */
export type AnyProblem = InstanceType<(typeof Problem)[keyof typeof Problem]>;

/** The problem that an error becomes. */
export type ProblemOf<E extends Refusal> = E extends { readonly _tag: infer Tag }
  ? Tag extends keyof Worded
    ? ReturnType<Worded[Tag]>
    : Tag extends AsItIs
      ? InstanceType<(typeof Problem)[Tag]>
      : never
  : never;

/** The problem of an error. A call with an error that has no problem does not compile. */
export const toProblem = <E extends Refusal>(error: E): ProblemOf<E> => {
  const word: unknown = Reflect.get(worded, error._tag);
  if (typeof word === "function") return word(error);
  const Class = Reflect.get(Problem, error._tag);
  const { _tag, ...fields } = error;
  return new Class({ ...fields, detail: error.message });
};

/** Which value to correct: the first wrong one, and how many more there are. */
export const correct = (errors: Errors.InvalidRequest["errors"]): string => {
  const [first] = errors;
  if (first === undefined) return "Correct the request and send it again.";
  const more = errors.length - 1;
  const others = more === 0 ? "" : ` and ${more} other ${more === 1 ? "value" : "values"}`;
  const what = first.path === "" ? "the request" : `\`${first.path}\``;
  const why = first.message
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
    .replace(/(?<!\.)\.$/, "");
  return `Correct ${what} (${why})${others}, and send the request again.`;
};
