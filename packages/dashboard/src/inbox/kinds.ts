import type { InboxKind } from "../data/inbox/inbox.ts";
import type { IconName } from "../parts/Icon.tsx";

interface Look {
  readonly name: string;
  readonly icon: IconName;
  readonly tone: "accent" | "danger" | "warning" | "info";
}

/** The display names of the kinds of items, in the order of the filter. */
export const looks: Readonly<Record<InboxKind, Look>> = {
  question: { name: "Question", icon: "question", tone: "accent" },
  review: { name: "Review", icon: "check", tone: "info" },
  mentioned: { name: "Mention", icon: "mention", tone: "accent" },
  failed: { name: "Failed", icon: "warning", tone: "danger" },
  tooManyAttempts: { name: "Too many attempts", icon: "warning", tone: "danger" },
  effectUnknown: { name: "Unknown call", icon: "warning", tone: "danger" },
  blockedChain: { name: "Blocked chain", icon: "blocked", tone: "warning" },
  agentSilent: { name: "Silent agent", icon: "agents", tone: "warning" },
  runnerHalted: { name: "Halted runner", icon: "warning", tone: "danger" },
  serverError: { name: "Server in error", icon: "server", tone: "danger" },
  webhookFailing: { name: "Failing webhook", icon: "warning", tone: "danger" },
  toolsChanged: { name: "Changed tools", icon: "server", tone: "accent" },
};

export const kinds = Object.keys(looks) as ReadonlyArray<InboxKind>;
