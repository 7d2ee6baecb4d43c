import type { IconName } from "../parts/Icon.tsx";

/** The boolean filters. */
export const flags = [
  { field: "ready", value: true, text: "Ready", icon: "play" },
  { field: "ready", value: false, text: "Not ready", icon: "blocked" },
  { field: "paused", value: true, text: "Paused", icon: "pause" },
  { field: "paused", value: false, text: "Not paused", icon: "play" },
  { field: "silentAgent", value: true, text: "Silent agent", icon: "agents" },
] as const satisfies ReadonlyArray<{
  readonly field: "ready" | "paused" | "silentAgent";
  readonly value: boolean;
  readonly text: string;
  readonly icon: IconName;
}>;

/** The filters of times that the menu offers. The URL takes any time. */
export const periods = [
  { field: "createdAfter", value: "24h", text: "Created in the last 24 hours" },
  { field: "createdAfter", value: "7d", text: "Created in the last 7 days" },
  { field: "updatedSince", value: "24h", text: "Changed in the last 24 hours" },
  { field: "updatedSince", value: "7d", text: "Changed in the last 7 days" },
  { field: "updatedBefore", value: "7d", text: "Not changed for 7 days" },
  { field: "updatedBefore", value: "30d", text: "Not changed for 30 days" },
] as const;

/** The names of what issues may have. */
export const things = {
  question: "Open question",
  files: "Files",
  failure: "Failed",
} as const;
