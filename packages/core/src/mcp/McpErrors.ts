import { Schema } from "effect";
import { StopReason } from "../agents/Run.ts";
import { list } from "../CommonErrors.ts";
import { ErrorClass, texts } from "../ErrorClass.ts";
import { Retry } from "./Outage.ts";

/** Errors of MCP servers and their tools. */

/** Another installed server has this name. */
export class NameTaken
  extends /* @__PURE__ */ ErrorClass<NameTaken>()(
    "NameTaken",
    { serverName: Schema.String },
    ({ serverName }) => `Another installed server has the name ${serverName}. Choose another name.`,
  ) {}

/** Another catalog entry has this id. */
export class EntryIdTaken
  extends /* @__PURE__ */ ErrorClass<EntryIdTaken>()(
    "EntryIdTaken",
    { entryId: Schema.String },
    ({ entryId }) => `The catalog already has an entry ${entryId}. Choose another id.`,
  ) {}

/** A catalog entry that cannot be changed or deleted. `why` continues the sentence. */
export class EntryInUse
  extends /* @__PURE__ */ ErrorClass<EntryInUse>()(
    "EntryInUse",
    { why: Schema.String },
    ({ why }) =>
      `This catalog entry cannot be changed: ${why}. Create one with another id instead.`,
  ) {}

/** Required variables without a value. */
export class MissingEnv extends ErrorClass<MissingEnv>()(
  "MissingEnv",
  {
    missing: texts("Names of the required variables that are missing or empty."),
  },
  ({ missing }) => `Required variables have no value${list(missing)}. Set a value for each.`,
) {}

/** The catalog entry does not declare these variables. */
export class UnknownEnv extends ErrorClass<UnknownEnv>()(
  "UnknownEnv",
  {
    unknown: texts("Names of the variables that the entry does not declare."),
  },
  ({ unknown }) =>
    `The catalog entry does not declare these variables${list(unknown)}. Remove them.`,
) {}

/**
 * A variable whose value contains a path in the data directory, is a folder above it or a file system of
 * the kernel, or would become an option of the program.
 */
export class ForbiddenPath
  extends /* @__PURE__ */ ErrorClass<ForbiddenPath>()(
    "ForbiddenPath",
    { variable: Schema.String },
    ({ variable }) =>
      `The path in ${variable} is not allowed. Use one that is neither inside nor above the data directory, not below /proc, /sys or /dev, and does not start with a dash.`,
  ) {}

/** The host does not have the runtime that the server needs. */
export class RuntimeMissing
  extends /* @__PURE__ */ ErrorClass<RuntimeMissing>()(
    "RuntimeMissing",
    {
      runtime: Schema.Literals(["node", "python", "pipx"]).annotate({
        description: "The runtime that the server needs.",
      }),
    },
    ({ runtime }) =>
      `The server needs ${runtime}, which this host does not have. Install it first.`,
  ) {}

/** The host does not have the sandbox that the server has to run in. */
export class SandboxMissing
  extends /* @__PURE__ */ ErrorClass<SandboxMissing>()(
    "SandboxMissing",
    {
      sandbox: Schema.String.annotate({ description: "The sandbox that the host does not have." }),
      explanation: Schema.String,
    },
    ({ explanation, sandbox }) =>
      `The sandbox ${sandbox} is not available: ${explanation} Install it on this host, or choose another sandbox.`,
  ) {}

/** The verification of the newer version failed. Nothing changed. */
export class VerificationFailed
  extends /* @__PURE__ */ ErrorClass<VerificationFailed>()(
    "VerificationFailed",
    {
      verification: Schema.Struct({
        status: Schema.Literals(["ok", "error"]),
        details: Schema.String,
        capabilities: Schema.optionalKey(Schema.Array(Schema.String)),
        tokens: Schema.NullOr(Schema.Int),
      }),
    },
    () =>
      "The verification of the newer version failed, and nothing changed. Use the current version.",
  ) {}

/** The reasons why an authorization server cannot be used. */
export const OAuthFailureReason = Schema.Literals([
  "noMetadata",
  "unsupported",
  "issuerMismatch",
  "insecure",
  "redirected",
  "unreachable",
  "badAnswer",
  "refused",
  "invalidGrant",
]);

export const AuthorizationFailedReason = Schema.Literals([
  "notAuthorizable",
  "badVariables",
  "badState",
  ...OAuthFailureReason.literals,
]);

/** A server that cannot be authorized. `explanation` is one sentence for people. */
export class AuthorizationFailed
  extends /* @__PURE__ */ ErrorClass<AuthorizationFailed>()(
    "AuthorizationFailed",
    { reason: AuthorizationFailedReason, explanation: Schema.String },
    ({ explanation }) => explanation,
  ) {}

/** The reasons that are outcomes of calls as well. */
export const unavailable = [
  "unknownTool",
  "notGranted",
  "notEnabled",
  "failing",
  "withheld",
  "timeout",
  "crashed",
  "agentPaused",
  "otherNode",
] as const;

export const ToolUnavailableReason = Schema.Literals([
  ...unavailable,
  "runEnded",
  "noRun",
  "effectUnknown",
]);

/** A tool that cannot be called now. `explanation` is one sentence for people. */
export class ToolUnavailable
  extends /* @__PURE__ */ ErrorClass<ToolUnavailable>()(
    "ToolUnavailable",
    {
      reason: ToolUnavailableReason,
      explanation: Schema.String,
      /** Advice for the agent, if it does not follow from the reason. */
      advice: Schema.optional(Schema.String),
      /** With `runEnded`: the run, and the reason why it may not call tools. */
      run: Schema.optional(Schema.Struct({ runId: Schema.String, reason: StopReason })),
      /** With `effectUnknown`: the call whose reply was lost. */
      callId: Schema.optional(Schema.String),
      /** Set for a server that is out or cannot be reached. */
      retry: Schema.optional(Retry),
    },
    ({ explanation }) => explanation,
  ) {}
