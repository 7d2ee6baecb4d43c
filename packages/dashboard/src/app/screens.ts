import type { IconName } from "../parts/Icon.tsx";

/** The screens of the navigation, in its order. */
export const screens = [
  { to: "/inbox", title: "Inbox", icon: "inbox", keys: "g i" },
  { to: "/work", title: "Work", icon: "board", keys: "g w" },
  { to: "/agents", title: "Agents", icon: "agents", keys: "g a" },
  { to: "/graph", title: "Graph", icon: "graph", keys: "g d" },
  { to: "/servers", title: "Servers", icon: "server", keys: "g s" },
  { to: "/tools", title: "Tools", icon: "tool", keys: "g t" },
  { to: "/keys", title: "Keys", icon: "key", keys: "g k" },
  { to: "/overview", title: "Overview", icon: "chart", keys: "g o" },
] as const satisfies ReadonlyArray<{
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
}>;
