// Written by `npm run openapi` from the contract in packages/http/src/api.

import type * as Schemas from "./Schemas.ts";

/** The members of each type of problem beyond the standard ones, by its slug. */
export interface Problems {
  /** The server cannot be authorized. */
  readonly "authorization-failed": {
    /** The reason why the server cannot be authorized. */
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
  /** An open blocker forbids this status. */
  readonly blocked: {
    /** Ids of open blockers that the caller may see, at most 100. */
    readonly blockers: ReadonlyArray<string>;
  };
  /** The comment is a hand-in, an answer, by the service, or deleted, and stays as it is. */
  readonly "comment-fixed": {};
  /** The deletion lacks `confirm=true`. */
  readonly "confirmation-required": {};
  /** A request from another origin, or without the session's secret, tried to write with a session cookie. */
  readonly csrf: {};
  /** An attempt of the delivery is in flight. */
  readonly "delivery-pending": {};
  /** The link would create a cycle of blockers. */
  readonly "dependency-cycle": {
    /** Ids of the issues in the cycle, from the issue back to itself; for a plan, their refs. */
    readonly cycle: ReadonlyArray<string>;
  };
  /** The server may still carry the call out. */
  readonly "effect-open": {
    /** The time from which the effect can be settled as not happened. */
    readonly retryAt: string;
  };
  /** The end of the effect is known. */
  readonly "effect-settled": {
    /** The state of the effect. */
    readonly state: "sent" | "done" | "failed" | "unknown";
  };
  /** Another project has this id or prefix. */
  readonly exists: {};
  /** Another issue of the project has this `externalRef`. */
  readonly "external-ref-taken": {
    /** Id of the issue that has the reference. */
    readonly issueId: string;
  };
  /** The caller's role is too low, or the endpoint requires another kind of key. */
  readonly forbidden: {
    /** The lowest role that is allowed; null if another kind of key is required. */
    readonly requiredRole: "Metrics" | "Viewer" | "Editor" | "Admin" | "Owner" | null;
  };
  /** The value is a path inside or above the data directory or below /proc, /sys or /dev, or would be read as an option of the program. */
  readonly "forbidden-path": {
    /** The variable's name. */
    readonly name: string;
  };
  /** A run holds the issue, and the request does not act for that run. */
  readonly held: {
    /** The run that holds the issue. */
    readonly runId: string;
    /** The agent of that run. */
    readonly agentId: string;
  };
  /** The request carries secrets over an unencrypted connection. */
  readonly "https-required": {};
  /** The idempotency key was used for another request. */
  readonly "idempotency-mismatch": {};
  /** The resource is still in use, or belongs to the host and cannot be changed. */
  readonly "in-use": {};
  /** An unexpected error occurred. The log has its cause under the request id. */
  readonly internal: {};
  /** The JSON is malformed, or a value is invalid. */
  readonly "invalid-request": {
    /** Every invalid value. */
    readonly errors: ReadonlyArray<{
      /** The path of the value, dot-separated; empty for the whole request. */
      readonly path: string;
      /** The reason why the value is invalid. */
      readonly message: string;
    }>;
  };
  /** The key is the last Owner key that has not expired. */
  readonly "last-owner-key": {};
  /** The limit for items of this kind is reached. */
  readonly "limit-exceeded": {
    /** The largest number of items. */
    readonly limit: number;
  };
  /** The two issues already have this link. */
  readonly "link-exists": {
    /** Id of the existing link. */
    readonly linkId: string;
  };
  /** The entries leave a gap in the writer's log, or repeat stored entries with other texts. */
  readonly "log-gap": {
    /** The number that the writer's next new entry has to have. */
    readonly next: number;
  };
  /** The path does not support this method. `Allow` lists its methods. */
  readonly "method-not-allowed": {};
  /** Required variables are missing or empty. */
  readonly "missing-env": {
    /** Names of the required variables that are missing or empty. */
    readonly missing: ReadonlyArray<string>;
  };
  /** Another installed server has this name, or another catalog entry has this id. */
  readonly "name-taken": {};
  /** The call requires a run, and the caller holds none. */
  readonly "no-run": {
    /** The agent's live runs, which other processes hold; missing if it does not matter. */
    readonly runIds?: ReadonlyArray<string> | undefined;
  };
  /** Only an issue that is InProgress can be paused. */
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
  /** The resource does not exist, or is in a project that the caller may not see. */
  readonly "not-found": {
    /** The kind of resource, such as `issue`. */
    readonly resource: string;
    /** The id that was not found; null for an unknown path. */
    readonly id: string | null;
  };
  /** Only a paused issue can be resumed. */
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
  /** Open issues depend on this issue. */
  readonly "open-dependents": {
    /** Ids of open dependents that the caller may see, at most 100. */
    readonly dependents: ReadonlyArray<string>;
  };
  /** The issue is paused, and an agent key cannot change it. */
  readonly paused: {};
  /** The body exceeds the size limit. */
  readonly "payload-too-large": {
    /** The largest number of bytes. */
    readonly limitBytes: number;
  };
  /** `If-Match` does not match the version of the issue or comment, or tools changed after they were shown. */
  readonly "precondition-failed": {
    /** The current version of the issue or comment; null for tools. */
    readonly version: number | null;
    /** The first 100 tools whose definition differs; null for an issue or comment. */
    readonly names: ReadonlyArray<string> | null;
  };
  /** The resource is still in use, or belongs to the host and cannot be changed. */
  readonly "question-closed": {
    /** `answered`, `expired` and `withdrawn`: the status of the question. `issueDone`: its issue is Resolved or Closed. */
    readonly reason: "answered" | "expired" | "withdrawn" | "issueDone";
  };
  /** There were too many requests or failed authentications. See `Retry-After`. */
  readonly "rate-limited": {};
  /** The secret of the webhook was rotated less than 24 hours ago. */
  readonly "rotation-open": {};
  /** The run no longer holds its issue. */
  readonly "run-ended": {
    /** The run that ended or has to stop. */
    readonly runId: string;
    /** The reason why the run ended or has to stop. */
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
      | "takenOver"
      | "budget"
      | "unknown";
  };
  /** The host does not have the runtime that the server needs. */
  readonly "runtime-missing": {
    /** The runtime that the server needs. */
    readonly runtime: "node" | "python" | "pipx" | "none";
  };
  /** The host does not have the sandbox that the server has to run in. */
  readonly "sandbox-missing": {
    /** The sandbox that the host does not have. */
    readonly sandbox: string;
  };
  /** An issue cannot be linked to itself. */
  readonly "self-link": {};
  /** The tool cannot be called now. */
  readonly "tool-unavailable": {
    /** The reason why the tool cannot be called. */
    readonly reason:
      | "unknownTool"
      | "notGranted"
      | "notEnabled"
      | "failing"
      | "withheld"
      | "timeout"
      | "crashed"
      | "agentPaused"
      | "otherNode"
      | "runEnded"
      | "noRun"
      | "effectUnknown";
    /** With `runEnded`: the run that the call acted for. */
    readonly runId?: string | undefined;
    /** With `effectUnknown`: the call whose reply was lost. */
    readonly callId?: string | undefined;
    /** The time since which the server cannot be reached; missing if it can. */
    readonly since?: string | undefined;
    /** Present with `since`: the time of the next automatic attempt; null if there is none, or if the next call tries again. */
    readonly retryAt?: string | null | undefined;
  };
  /** The credentials are missing, wrong, expired or revoked. */
  readonly unauthenticated: {};
  /** The server is shutting down, or storage is unavailable. See `Retry-After`. */
  readonly unavailable: {};
  /** The catalog entry does not declare these variables. */
  readonly "unknown-env": {
    /** Names of the variables that the entry does not declare. */
    readonly unknown: ReadonlyArray<string>;
  };
  /** The body names something that does not exist or that the caller may not see. */
  readonly "unknown-reference": {
    /** The field with the unknown id. */
    readonly field: string;
    /** The unknown id. */
    readonly id: string;
  };
  /** The route does not accept this media type. */
  readonly "unsupported-media-type": {};
  /** The run has a usage report with the same key and other values. */
  readonly "usage-key": {
    /** The key. */
    readonly key: string;
  };
  /** The verification of the newer version failed. Nothing changed. */
  readonly "verification-failed": {
    /** The result of the verification. */
    readonly verification: Schemas.VerifyResult;
  };
}
