import type { Activity } from "@quartermaster/client";
import { type StatusName, statusName } from "../../parts/StatusIcon.tsx";

/** Describes changes as the predicate of a sentence whose subject is the actor. */

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

const fieldNames: Readonly<Record<string, string>> = {
  assignedAgentId: "agent",
  assigneeUserId: "person",
  externalRef: "external reference",
  goalId: "goal",
  notBefore: "start",
};

const list = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** The ids of the people that a change names. */
export const peopleOf = ({ data }: Activity): ReadonlyArray<string> => {
  const { from, to } = record(record(record(data)["changes"])["assigneeUserId"]);
  return [from, to].filter((id) => typeof id === "string");
};

type Names = ReadonlyMap<string, { readonly name: string; readonly isMe: boolean }>;

const changeOf = (field: string, change: unknown, names: Names): string => {
  const name = fieldNames[field] ?? field;
  if (field === "projectId") return "moved it to another project";
  if (change === null) return `changed the ${name}`;
  const { from, to } = record(change);
  if (field === "paused") return to === true ? "paused it" : "resumed it";
  if (field === "labels") {
    const added = list(to).filter((label) => !list(from).includes(label));
    const removed = list(from).filter((label) => !list(to).includes(label));
    return [
      added.length === 0 ? "" : `added the label ${added.join(", ")}`,
      removed.length === 0 ? "" : `removed the label ${removed.join(", ")}`,
    ]
      .filter(Boolean)
      .join(" and ");
  }
  if (field === "assignedAgentId" && text(to) !== null) return `assigned it to ${text(to)}`;
  if (field === "assigneeUserId" && text(to) !== null) {
    const person = names.get(String(to));
    return `assigned it to ${person?.isMe === true ? "you" : (person?.name ?? text(to))}`;
  }
  if (field === "assigneeUserId") return "removed the assigned person";
  if (text(to) === null) return `removed the ${name}${text(from) === null ? "" : ` ${text(from)}`}`;
  return `set the ${name} to ${text(to)}`;
};

const causes: Readonly<Record<string, string>> = {
  linked: "because of a new link",
  unlinked: "because a link was removed",
  blockerResolved: "because its blocker was resolved",
  blockerClosed: "because its blocker was closed",
  blockerDeleted: "because its blocker was deleted",
  blockerReopened: "because its blocker was reopened",
};

const linkWords: Readonly<Record<string, readonly [linked: string, unlinked: string]>> = {
  Blocks: ["made it block", "removed its block of"],
  BlockedBy: ["added the blocker", "removed the blocker"],
  RelatedTo: ["linked the related issue", "unlinked the related issue"],
  DuplicateOf: ["linked the duplicate", "unlinked the duplicate"],
};

/** The id of the linked issue. Its title completes the sentence. */
export const otherIssueOf = ({ data, kind }: Activity): string | null =>
  kind === "linked" || kind === "unlinked" ? text(record(data)["targetIssueId"]) : null;

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const timeOf = (iso: string): string => exact.format(new Date(iso));

/** The predicate of a change, such as `created the issue` or `moved it from Open to In review`. */
export const sentenceOf = ({ data: details, kind }: Activity, names: Names): string => {
  const data = record(details);
  switch (kind) {
    case "created":
      return "created the issue";
    case "updated":
      return Object.entries(record(data["changes"]))
        .map(([field, change]) => changeOf(field, change, names))
        .filter(Boolean)
        .join(", ");
    case "statusChanged": {
      const from = statusName(data["from"] as StatusName);
      const to = statusName(data["to"] as StatusName);
      return [`moved it from ${from} to ${to}`, causes[text(data["cause"]) ?? ""] ?? ""]
        .filter(Boolean)
        .join(" ");
    }
    case "attached":
      return `attached ${text(data["fileName"]) ?? "a file"}`;
    case "detached":
      return `removed the attachment ${text(data["fileName"]) ?? ""}`.trim();
    case "linked":
      return (linkWords[text(data["linkType"]) ?? ""] ?? ["linked"])[0];
    case "unlinked":
      return (linkWords[text(data["linkType"]) ?? ""] ?? ["", "unlinked"])[1] ?? "";
    case "deferred": {
      const until = text(data["notBefore"]);
      return until === null ? "removed the deferral" : `deferred it until ${timeOf(until)}`;
    }
    case "paused":
      if (data["cause"] === "tooManyAttempts") return "paused it: too many attempts";
      if (data["cause"] === "questionExpired") return "paused it: a question expired";
      return "paused it";
    case "resumed":
      return "resumed it";
    case "asked":
      return "asked a question";
    case "answered":
      return "answered a question";
    case "questionExpired":
      return "expired a question";
    case "questionWithdrawn":
      return "withdrew a question";
    case "effectSettled":
      return data["happened"] === true
        ? "settled a call: it happened"
        : "settled a call: it did not happen";
    case "effectsReset":
      return "started over with its calls";
    case "commented":
      return "commented";
    case "commentEdited":
      return "edited a comment";
    case "commentDeleted":
      return "deleted a comment";
    case "pickedUp":
      return "started to work on it";
    case "stopped":
      return "stopped working on it";
    case "finished":
      return "finished a run";
    case "leaseExpired":
      return "ended a run whose lease expired";
  }
};

/** The outcome of a run in a few words. */
export const endOf = (end: string): { readonly text: string; readonly isBad: boolean } => {
  const texts: Readonly<Record<string, string>> = {
    resolved: "Resolved it",
    review: "Handed in for review",
    released: "Released it",
    failed: "Failed",
    failedPaused: "Failed and paused",
    failedRetried: "Failed and retried",
    leaseExpired: "Lease expired",
    paused: "Stopped: paused",
    blocked: "Stopped: blocked",
    reassigned: "Stopped: reassigned",
    closed: "Stopped: closed",
    deleted: "Stopped: deleted",
    statusChanged: "Stopped: status changed",
    agentPaused: "Stopped: agent paused",
    projectPaused: "Stopped: project paused",
    takenOver: "Taken over",
    budget: "Stopped: budget exhausted",
  };
  return { text: texts[end] ?? "Ended", isBad: end.startsWith("failed") || end === "leaseExpired" };
};
