import { Schema } from "effect";
import { firstOf } from "../CommonErrors.ts";
import { IssueStatus } from "./Issue.ts";

/** Refusals of the issue lifecycle and of links. */

/** A close that open dependents forbid. At most 100 are named. */
export class OpenDependents extends Schema.TaggedError<OpenDependents>()("OpenDependents", {
  dependents: Schema.Array(Schema.String),
}) {
  override get message() {
    return `Resolve or close the open dependents first, or force the close${firstOf(this.dependents)}.`;
  }
}

/** A change of status that an open blocker forbids. At most 100 are named. */
export class Blocked extends Schema.TaggedError<Blocked>()("Blocked", {
  blockers: Schema.Array(Schema.String),
}) {
  override get message() {
    return this.blockers.length === 0
      ? "Link the issue to an open blocker first: without one it has nothing to wait for."
      : `Resolve the open blockers first, or remove their links${firstOf(this.blockers)}.`;
  }
}

/** A link that would close a cycle, named from the issue round to itself. */
export class DependencyCycle extends Schema.TaggedError<DependencyCycle>()("DependencyCycle", {
  cycle: Schema.Array(Schema.String),
}) {
  override get message() {
    return "Remove a link of the cycle first: issues cannot wait for each other.";
  }
}

/** The same relation already stands. */
export class LinkExists extends Schema.TaggedError<LinkExists>()("LinkExists", {
  linkId: Schema.String,
}) {
  override get message() {
    return "Use the link that is there: the two issues already stand in this relation.";
  }
}

/** A pause of an issue that is not InProgress. */
export class NotExecuting extends Schema.TaggedError<NotExecuting>()("NotExecuting", {
  issueStatus: IssueStatus,
}) {
  override get message() {
    return `Pause an issue while it is InProgress: this one is ${this.issueStatus}.`;
  }
}

/** A resume of an issue that is not paused. */
export class NotPaused extends Schema.TaggedError<NotPaused>()("NotPaused", {
  issueStatus: IssueStatus,
}) {
  override get message() {
    return `Resume an issue that is paused: this one is ${this.issueStatus} and not paused.`;
  }
}

/** An issue linked to itself. */
export class SelfLink extends Schema.TaggedError<SelfLink>()("SelfLink", {}) {
  override get message() {
    return "Name another issue: an issue cannot be linked to itself.";
  }
}
