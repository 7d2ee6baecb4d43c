import type { IconName } from "../parts/Icon.tsx";

/** The boolean filters. */
export const flags = [
  { field: "ready", value: true, text: "Ready", icon: "play" },
  { field: "ready", value: false, text: "Not ready", icon: "blocked" },
  { field: "paused", value: true, text: "Paused", icon: "pause" },
  { field: "paused", value: false, text: "Not paused", icon: "play" },
] as const satisfies ReadonlyArray<{
  readonly field: "ready" | "paused";
  readonly value: boolean;
  readonly text: string;
  readonly icon: IconName;
}>;
