import { useMayEverywhere } from "../data/live/session.ts";
import type { IconName } from "../parts/Icon.tsx";

/**
 * The screens in the order of the navigation. On a narrow screen the bar has room for some; "More" lists
 * the others.
 */
export const screens = [
  { to: "/inbox", title: "Inbox", icon: "inbox", keys: "g i", inBar: true },
  { to: "/work", title: "Work", icon: "board", keys: "g w", inBar: true },
  { to: "/agents", title: "Agents", icon: "agents", keys: "g a", inBar: true },
  { to: "/runs", title: "Runs", icon: "play", keys: "g r", inBar: false },
  { to: "/projects", title: "Projects", icon: "folder", keys: "g p", inBar: false },
  { to: "/graph", title: "Graph", icon: "graph", keys: "g d", inBar: false },
  { to: "/servers", title: "Servers", icon: "server", keys: "g s", inBar: true },
  { to: "/tools", title: "Tools", icon: "tool", keys: "g t", inBar: false },
  { to: "/keys", title: "Keys", icon: "key", keys: "g k", inBar: false },
  { to: "/webhooks", title: "Webhooks", icon: "bell", keys: "g h", inBar: false },
  { to: "/audit", title: "Audit log", icon: "list", keys: "g l", inBar: false },
  { to: "/overview", title: "Overview", icon: "chart", keys: "g o", inBar: true },
] as const satisfies ReadonlyArray<{
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly inBar: boolean;
}>;

/** The screens that the user may see. */
export const useScreens = () => {
  const mayGovern = useMayEverywhere("Admin");
  return screens.filter(({ to }) => (to !== "/audit" && to !== "/webhooks") || mayGovern);
};
