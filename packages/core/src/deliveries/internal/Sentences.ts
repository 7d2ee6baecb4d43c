import type { Actor } from "../../Actor.ts";
import type { Event } from "../../events/Event.ts";

/** One sentence about an event, for a chat. */

interface Issue {
  readonly key: string;
  readonly title: string;
}

/**
 * Text that a chat shows as it is. Slack reads `&`, `<` and `>` as markup; a name after `@` notifies people, and
 * titles come from anyone who creates issues.
 */
const plain = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/@(?=\w)/gu, "@\u200b")
    .replaceAll(/\s+/gu, " ")
    .trim();

const nameOf = ({ id, type }: Actor): string =>
  type === "System" ? "Quartermaster" : type === "Agent" ? `Agent ${id}` : id;

const pauses: Readonly<Record<string, string>> = {
  failed: "its agent finished it as failed",
  tooManyAttempts: "too many runs died or failed",
  questionExpired: "a question expired",
};

/** Sentences by kind. `{}` is the issue, `@` the actor. */
const sentences: Readonly<Record<string, string>> = {
  "issue.created": "@ created {}.",
  "issue.updated": "@ changed {}.",
  "issue.commented": "@ commented on {}.",
  "issue.attached": "@ attached a file to {}.",
  "issue.pickedUp": "@ started {}.",
  "issue.resumed": "@ resumed {}.",
  "issue.asked": "@ asked a question about {}.",
  "issue.answered": "@ answered a question about {}.",
  "issue.questionExpired": "A question about {} expired.",
  "issue.leaseExpired": "The run of {} expired.",
  "issue.deleted": "@ deleted {}.",
};

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const templateOf = ({ data, kind }: Event): string | null => {
  switch (kind) {
    case "issue.statusChanged":
      return data["to"] === "PendingReview"
        ? "{} waits for a review."
        : `{} is ${textOf(data["to"]) ?? "changed"}.`;
    case "issue.paused": {
      const why = pauses[textOf(data["cause"]) ?? ""];
      return why === undefined ? "@ paused {}." : `{} is paused: ${why}.`;
    }
    case "issue.finished":
      return `@ finished {} as ${textOf(data["outcome"]) ?? "done"}.`;
    case "issue.effectEnded":
      return data["state"] === "unknown"
        ? "The reply of a call for {} was lost, and waits for a decision."
        : "A call for {} ended.";
    default:
      return sentences[kind] ?? null;
  }
};

/** The sentence about an event without an issue. */
const aboutService = (event: Event): string => {
  const { actor, data, kind, subjectId } = event;
  const name = plain(textOf(data["name"]) ?? subjectId);
  switch (kind) {
    case "mcp.failed": {
      const reason = plain(textOf(data["reason"]) ?? "unknown reason");
      return `The MCP server ${name} failed: ${reason.replace(/\.?$/u, ".")}`;
    }
    case "mcp.toolsChanged":
      return `The MCP server ${name} has changed tools, which are withheld.`;
    case "webhook.failing":
      return `The webhook ${name} is failing.`;
    default:
      return `${kind} of ${name} by ${plain(nameOf(actor))}.`;
  }
};

export const of = (event: Event, issue: Issue | null): string => {
  const template = templateOf(event);
  const key = issue?.key ?? event.issueKey;
  if (key === null) {
    return template === null
      ? aboutService(event)
      : template
          .replace("{}", plain(textOf(event.data["title"]) ?? event.subjectId))
          .replace("@", plain(nameOf(event.actor)));
  }
  const title = issue?.title ?? textOf(event.data["title"]);
  const subject = title === null ? key : `${key} (${plain(title)})`;
  return (template ?? `{}: ${event.kind} by @.`)
    .replace("@", () => plain(nameOf(event.actor)))
    .replace("{}", () => subject);
};

/** The sentence of `webhook.test`. */
export const ofTest = "Quartermaster sent a test.";
