import type { InstalledServer } from "../data/servers/servers.ts";

/** The transport of the server in words. */
export const transportOf = ({ transport }: Pick<InstalledServer, "transport">): string =>
  transport === "stdio" ? "Program on the host" : `Remote server (${transport})`;

/** The number of tools at the last successful verification; null if there was none. */
export const toolCount = ({ lastVerification }: InstalledServer): number | null =>
  lastVerification?.capabilities?.length ?? null;

export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

/** The display names of the categories. */
export const categoryNames = {
  database: "Databases",
  saas: "Services",
  search: "Search",
  cloud: "Cloud",
  dev: "Development",
  productivity: "Productivity",
} as const;

/** The URL if it is HTTP or HTTPS; otherwise null. Prevents `javascript:` links. */
export const safeUrl = (url: string | null | undefined): string | null =>
  url != null && /^https?:\/\//i.test(url) ? url : null;

/** The display names of the states. */
export const stateNames = { enabled: "Enabled", disabled: "Disabled", error: "Error" } as const;
