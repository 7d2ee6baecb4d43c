// Written by `npm run openapi` from the contract in packages/http/src/api.

import type * as Schemas from "./Schemas.ts";

/** The members of each type of problem beyond the standard ones, by its slug. */
export interface Problems {
  /** The server cannot be authorized. */
  readonly "authorization-failed": {
    /** Why the server cannot be authorized. */
    readonly reason:
      | "notAuthorizable"
      | "badVariables"
      | "badState"
      | "noMetadata"
      | "unsupported"
      | "issuerMismatch"
      | "insecure"
      | "redirected"
      | "unreachable"
      | "badAnswer"
      | "refused"
      | "invalidGrant";
  };
  /** An open blocker forbids the change of status. */
  readonly blocked: {
    /** Ids of open blockers that the caller may see, at most 100. */
    readonly blockers: ReadonlyArray<string>;
  };
  /** A deletion without `confirm=true`. */
  readonly "confirmation-required": {};
  /** A write by session cookie from another origin, or without the session's secret. */
  readonly csrf: {};
  /** The link would close a cycle of blockers. */
  readonly "dependency-cycle": {
    /** Ids of the issues of the cycle, from the issue back to itself; refs of a plan that has it. */
    readonly cycle: ReadonlyArray<string>;
  };
  /** Another issue of the project has the `externalRef`. */
  readonly "external-ref-taken": {
    /** Id of the issue that has the reference. */
    readonly issueId: string;
  };
  /** The role is too low, or another kind of key is needed. */
  readonly forbidden: {
    /** The lowest role that may do this; null if another kind of key is needed. */
    readonly requiredRole: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner" | null;
  };
  /** The value contains a path in the data directory, is a folder above it or in a file system of the kernel, or would be an option of the program. */
  readonly "forbidden-path": {
    /** The variable's name. */
    readonly name: string;
  };
  /** A change with an agent key while a run holds the issue that the change does not act for. */
  readonly held: {
    /** The run that holds the issue. */
    readonly runId: string;
    /** The agent of that run. */
    readonly agentId: string;
  };
  /** A call with secrets over a connection that others can read. */
  readonly "https-required": {};
  /** The key was used for another request. */
  readonly "idempotency-mismatch": {};
  /** A deletion of what is still used, or a change of what the host brings. */
  readonly "in-use": {};
  /** An unexpected error. The log has its cause under the request id. */
  readonly internal: {};
  /** Malformed JSON, or a value that is not valid. */
  readonly "invalid-request": {
    /** Every value that is not valid. */
    readonly errors: ReadonlyArray<{
      /** Where the value is, dot-separated; empty for the whole request. */
      readonly path: string;
      /** What is wrong with the value, as a sentence. */
      readonly message: string;
    }>;
  };
  /** Deleting the last Owner key that has not expired. */
  readonly "last-owner-key": {};
  /** One item too many. */
  readonly "limit-exceeded": {
    /** How many items there may be. */
    readonly limit: number;
  };
  /** The two issues are already linked by this relation. */
  readonly "link-exists": {
    /** Id of the existing link. */
    readonly linkId: string;
  };
  /** The path has other methods; see `Allow`. */
  readonly "method-not-allowed": {};
  /** Required variables are missing or empty. */
  readonly "missing-env": {
    /** Names of the required variables that are missing or empty. */
    readonly missing: ReadonlyArray<string>;
  };
  /** Another installed server has the name, or another catalog entry the id. */
  readonly "name-taken": {};
  /** A call that needs a run, by a caller that holds none. */
  readonly "no-run": {};
  /** A pause of an issue that is not InProgress. */
  readonly "not-executing": {
    /** The issue's current status. */
    readonly issueStatus:
      | "Open"
      | "InProgress"
      | "WaitingOnDependency"
      | "PendingReview"
      | "Resolved"
      | "Closed";
  };
  /** It does not exist, or is in a project that the caller may not see. */
  readonly "not-found": {
    /** The kind of resource, such as `issue`. */
    readonly resource: string;
    /** The id that was not found; null for an unknown path. */
    readonly id: string | null;
  };
  /** A resume of an issue that is not paused. */
  readonly "not-paused": {
    /** The issue's current status. */
    readonly issueStatus:
      | "Open"
      | "InProgress"
      | "WaitingOnDependency"
      | "PendingReview"
      | "Resolved"
      | "Closed";
  };
  /** Open dependents forbid the close. */
  readonly "open-dependents": {
    /** Ids of open dependents that the caller may see, at most 100. */
    readonly dependents: ReadonlyArray<string>;
  };
  /** A change of a paused issue with an agent key. */
  readonly paused: {};
  /** The body has more bytes than allowed. */
  readonly "payload-too-large": {
    /** How many bytes may be sent. */
    readonly limitBytes: number;
  };
  /** `If-Match` does not match the issue's version, or tools are not as they were shown. */
  readonly "precondition-failed": {
    /** The issue's current version; null for tools. */
    readonly version: number | null;
    /** The first 100 tools whose definition differs; null for an issue. */
    readonly names: ReadonlyArray<string> | null;
  };
  /** An answer to a question that is not open, or a question on an issue that is done. */
  readonly "question-closed": {
    /** `answered`, `expired` or `withdrawn`: the question is. `issueDone`: its issue is Resolved or Closed. */
    readonly reason: "answered" | "expired" | "withdrawn" | "issueDone";
  };
  /** Too many requests or failed authentications. See `Retry-After`. */
  readonly "rate-limited": {};
  /** A turn, a finish or a change of an issue by a run that no longer holds its issue. */
  readonly "run-ended": {
    /** The run that no longer holds its issue. */
    readonly runId: string;
    /** Why the run no longer holds its issue. */
    readonly reason:
      | "paused"
      | "blocked"
      | "reassigned"
      | "resolved"
      | "closed"
      | "deleted"
      | "statusChanged"
      | "agentPaused"
      | "projectPaused"
      | "leaseExpired"
      | "unknown";
  };
  /** The host does not have the runtime that the server needs. */
  readonly "runtime-missing": {
    /** The runtime that the server needs. */
    readonly runtime: "node" | "python" | "pipx" | "none";
  };
  /** The host does not have the sandbox that the server is to run in. */
  readonly "sandbox-missing": {
    /** The sandbox that the host does not have. */
    readonly sandbox: string;
  };
  /** An issue linked to itself. */
  readonly "self-link": {};
  /** A tool call that cannot be made. */
  readonly "tool-unavailable": {
    /** Why the tool cannot be called. */
    readonly reason:
      | "unknownTool"
      | "notGranted"
      | "notEnabled"
      | "failing"
      | "withheld"
      | "timeout"
      | "crashed"
      | "agentPaused";
    /** Since when the server cannot be reached, if it cannot. */
    readonly since?: string | undefined;
    /** Beside `since`: when the service tries the server again automatically; null if it does not, or with the next call. */
    readonly retryAt?: string | null | undefined;
  };
  /** No credentials, or wrong, expired or revoked ones. */
  readonly unauthenticated: {};
  /** Shutting down, or storage is unavailable. See `Retry-After`. */
  readonly unavailable: {};
  /** Variables that the catalog entry does not declare. */
  readonly "unknown-env": {
    /** Names of the variables that the entry does not declare. */
    readonly unknown: ReadonlyArray<string>;
  };
  /** The body names something that does not exist or may not be seen. */
  readonly "unknown-reference": {
    /** The field that has the unknown id. */
    readonly field: string;
    /** The unknown id. */
    readonly id: string;
  };
  /** The route does not accept this media type. */
  readonly "unsupported-media-type": {};
  /** The newer version does not verify. Nothing changed. */
  readonly "verification-failed": {
    /** What the verification found. */
    readonly verification: Schemas.VerifyResult;
  };
}
