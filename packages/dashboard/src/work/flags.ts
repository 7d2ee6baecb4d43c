import type { IconName } from "../parts/Icon.tsx";

/** Filters that an issue meets or not. */
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
