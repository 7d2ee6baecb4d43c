import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ServiceId } from "../Id.ts";
import { Timestamp } from "../Timestamp.ts";

export const LinkType = Schema.Literals(["Blocks", "BlockedBy", "RelatedTo", "DuplicateOf"]);
export type LinkType = typeof LinkType.Type;

export const LinkDirection = Schema.Literals(["outgoing", "incoming"]);
export type LinkDirection = typeof LinkDirection.Type;

/** A link as seen from `issueId`. */
export const IssueLink = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The link's id." }),
  issueId: ServiceId.annotateKey({ description: "The issue from which the link is seen." }),
  targetIssueId: ServiceId.annotateKey({ description: "The issue at the other end." }),
  linkType: LinkType.annotateKey({
    description:
      "`Blocks`: this issue blocks the other. `BlockedBy`: the other issue blocks this one. `RelatedTo` and `DuplicateOf` have no effect.",
  }),
  direction: LinkDirection.annotateKey({
    description:
      "`outgoing` if this issue is the source of the link, `incoming` if it is the target.",
  }),
  createdBy: Actor.annotateKey({ description: "The user, agent or key that created the link." }),
  createdAt: Timestamp.annotateKey({ description: "When the link was created." }),
}).annotate({
  identifier: "IssueLink",
  description: "A link between two issues, as seen from one of them.",
});
export interface IssueLink extends Schema.Schema.Type<typeof IssueLink> {}

export const LinkCreate = Schema.Struct({
  targetIssueId: ServiceId.annotateKey({ description: "The issue at the other end." }),
  linkType: LinkType.annotateKey({
    description:
      "`Blocks`: this issue blocks the other. `BlockedBy`: the other issue blocks this one, which then waits. `RelatedTo` and `DuplicateOf` have no effect.",
  }),
}).annotate({
  identifier: "LinkCreate",
  description: "The body of a request that links two issues.",
});
export interface LinkCreate extends Schema.Schema.Type<typeof LinkCreate> {}

/** The stored relation of a link. `BlockedBy` is `Blocks` from the other end. */
export type Relation = "Blocks" | "RelatedTo" | "DuplicateOf";

/**
 * The stored form of a link, one for both ends: the source blocks, or refers to, the target. The
 * storage assigns `seq`, its position in the order of creation.
 */
export interface LinkRow {
  readonly seq: number;
  readonly id: string;
  readonly relation: Relation;
  readonly sourceId: string;
  readonly sourceProjectId: string;
  readonly targetId: string;
  readonly targetProjectId: string;
  readonly createdBy: Actor;
  readonly createdAt: Timestamp;
}

/** The stored relation of a link of this type from `issueId` to `targetIssueId`. */
export const relationOf = (issueId: string, link: LinkCreate) =>
  link.linkType === "BlockedBy"
    ? { relation: "Blocks" as const, sourceId: link.targetIssueId, targetId: issueId }
    : { relation: link.linkType, sourceId: issueId, targetId: link.targetIssueId };

/** The link as seen from `issueId`, one of its two ends. */
export const seenFrom = (row: LinkRow, issueId: string): IssueLink => {
  const outgoing = row.sourceId === issueId;
  return {
    id: row.id,
    issueId,
    targetIssueId: outgoing ? row.targetId : row.sourceId,
    linkType: row.relation === "Blocks" && !outgoing ? "BlockedBy" : row.relation,
    direction: outgoing ? "outgoing" : "incoming",
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
};

/** The project at the other end of the link, seen from `issueId`. */
export const otherProject = (row: LinkRow, issueId: string): string =>
  row.sourceId === issueId ? row.targetProjectId : row.sourceProjectId;
