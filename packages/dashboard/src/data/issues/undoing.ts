import { type Issue, isProblem, type IssueUpdate } from "@quartermaster/client";
import type { Data } from "../live/data.ts";
import { nameOf } from "../live/names.ts";

/** The fields whose change is taken back by the opposite change. */
const fields = ["labels", "assignedAgentId", "assigneeUserId", "projectId"] as const;

/** A saved change of such fields. */
export interface Made {
  /** The issue that the change led to. */
  readonly issue: Issue;
  /** The values before the change. */
  readonly before: IssueUpdate;
}

/** The values of the changed fields before a change; null if the change has others, or if a value is unknown. */
export const beforeOf = (seen: Partial<Issue>, change: object): IssueUpdate | null => {
  const names = Object.keys(change);
  const isMeant = names.every(
    (name) => fields.some((field) => field === name) && seen[name as keyof Issue] !== undefined,
  );
  return isMeant
    ? Object.fromEntries(names.map((name) => [name, seen[name as keyof Issue]]))
    : null;
};

/** The change in words, such as `Assigned SHOP-12 to nova`. */
export const titleOf = (made: ReadonlyArray<Made>): string => {
  const [first, ...others] = made;
  if (first === undefined) return "";
  const { before, issue } = first;
  const subject = others.length === 0 ? issue.key : `${made.length} issues`;
  if ("projectId" in before) return `Moved ${subject} to ${issue.projectId}`;
  if ("labels" in before) return `Labeled ${subject}`;
  const agent = "assignedAgentId" in before ? issue.assignedAgentId : issue.assigneeUserId;
  return agent === null ? `Unassigned ${subject}` : `Assigned ${subject}`;
};

/** Returns who changed the issue since the user's change, and what they did. */
export const reasonOf = async (data: Data, { issue }: Made, error: unknown): Promise<Error> => {
  if (!isProblem(error, "precondition-failed")) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const { sentenceOf } = await import("./activityWords.ts");
  const { items } = await data.api.issues
    .activity({ issueId: issue.id, order: "desc", limit: 20 })
    .page();
  const acts = items.filter(
    ({ createdAt, kind }) => createdAt > issue.updatedAt && kind !== "commented",
  );
  // A change of the status often belongs to an act that says more, such as a pick-up.
  const act = acts.find(({ kind }) => kind !== "statusChanged") ?? acts[0] ?? items[0];
  if (act === undefined) return new Error(`${issue.key} changed in the meantime.`);
  const people = new Map([[act.actor.id, await nameOf(data, act.actor.id)]]);
  const name = people.get(act.actor.id);
  const who = name?.isMe === true ? "You" : (name?.name ?? act.actor.id);
  return new Error(`${issue.key} stays as it is: ${who} ${sentenceOf(act, people)}.`);
};
