import { Schema } from "effect";
import { list } from "../CommonErrors.ts";
import { ErrorClass, texts } from "../ErrorClass.ts";
import { Retry } from "./Outage.ts";

/** Errors of MCP servers and their tools. */

/** Another installed server has the name. */
export class NameTaken extends ErrorClass<NameTaken>()(
  "NameTaken",
  { serverName: Schema.String },
  ({ serverName }) =>
    `Choose another name: an installed server already has the name ${serverName}.`,
) {}

/** A catalog entry has the id. */
export class EntryIdTaken extends ErrorClass<EntryIdTaken>()(
  "EntryIdTaken",
  { entryId: Schema.String },
  ({ entryId }) => `Choose another id: the catalog already has an entry ${entryId}.`,
) {}

/** A catalog entry that cannot be changed or deleted. `why` continues the sentence. */
export class EntryInUse extends ErrorClass<EntryInUse>()(
  "EntryInUse",
  { why: Schema.String },
  ({ why }) => `Leave this catalog entry, or create one with another id: ${why}.`,
) {}

/** Required variables without a value. */
export class MissingEnv extends ErrorClass<MissingEnv>()(
  "MissingEnv",
  {
    missing: texts("Names of the required variables that are missing or empty."),
  },
  ({ missing }) => `Set a value for each required variable${list(missing)}.`,
) {}

/** Variables that the catalog entry does not declare. */
export class UnknownEnv extends ErrorClass<UnknownEnv>()(
  "UnknownEnv",
  {
    unknown: texts("Names of the variables that the entry does not declare."),
  },
  ({ unknown }) => `Remove the variables that the catalog entry does not declare${list(unknown)}.`,
) {}

/**
 * A variable whose value contains a path in the data directory, is a folder above it or a file system of
 * the kernel, or would become an option of the program.
 */
export class ForbiddenPath extends ErrorClass<ForbiddenPath>()(
  "ForbiddenPath",
  { variable: Schema.String },
  ({ variable }) =>
    `Set ${variable} to a path outside the data directory and not above it, outside /proc, /sys and /dev, and without a dash at its start.`,
) {}

/** The host does not have the runtime that the server needs. */
export class RuntimeMissing extends ErrorClass<RuntimeMissing>()(
  "RuntimeMissing",
  {
    runtime: Schema.Literals(["node", "python", "pipx"]).annotate({
      description: "The runtime that the server needs.",
    }),
  },
  ({ runtime }) => `Install ${runtime} on this host first: the server needs it.`,
) {}

/** The host does not have the sandbox that the server is to run in. */
export class SandboxMissing extends ErrorClass<SandboxMissing>()(
  "SandboxMissing",
  {
    sandbox: Schema.String.annotate({ description: "The sandbox that the host does not have." }),
    explanation: Schema.String,
  },
  ({ explanation, sandbox }) =>
    `Install ${sandbox} on this host, or choose another sandbox: ${explanation}`,
) {}

/** The newer version does not verify. Nothing changed. */
export class VerificationFailed extends ErrorClass<VerificationFailed>()(
  "VerificationFailed",
  {
    verification: Schema.Struct({
      status: Schema.Literals(["ok", "error"]),
      details: Schema.String,
      capabilities: Schema.optionalKey(Schema.Array(Schema.String)),
      tokens: Schema.NullOr(Schema.Int),
    }),
  },
  () => "Stay with the current version: the newer one does not verify, and nothing changed.",
) {}

/** Why an authorization server cannot be used. */
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
export class AuthorizationFailed extends ErrorClass<AuthorizationFailed>()(
  "AuthorizationFailed",
  { reason: AuthorizationFailedReason, explanation: Schema.String },
  ({ explanation }) => explanation,
) {}

export const ToolUnavailableReason = Schema.Literals([
  "unknownTool",
  "notGranted",
  "notEnabled",
  "failing",
  "withheld",
  "timeout",
  "crashed",
  "agentPaused",
]);

/** A tool call that cannot be made. `explanation` is one sentence for people. */
export class ToolUnavailable extends ErrorClass<ToolUnavailable>()(
  "ToolUnavailable",
  {
    reason: ToolUnavailableReason,
    explanation: Schema.String,
    /** What the agent should do, where that does not follow from the reason. */
    advice: Schema.optional(Schema.String),
    /** For a server that is out or cannot be reached. */
    retry: Schema.optional(Retry),
  },
  ({ explanation }) => explanation,
) {}
