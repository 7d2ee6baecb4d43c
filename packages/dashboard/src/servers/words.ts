import type { InstalledServer } from "../data/servers/servers.ts";

/** The place where the server runs, in words. */
export const transportOf = ({ transport }: Pick<InstalledServer, "transport">): string =>
  transport === "stdio" ? "Program on the host" : `Remote server (${transport})`;

/** The number of tools at the last successful verification; null before the first. */
export const toolCount = ({ lastVerification }: InstalledServer): number | null =>
  lastVerification?.capabilities?.length ?? null;

export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

/** The names of the categories for people. */
export const categoryNames = {
  database: "Databases",
  saas: "Services",
  search: "Search",
  cloud: "Cloud",
  dev: "Development",
  productivity: "Productivity",
} as const;

/** The address of a page, if it is one that a browser may open. */
export const safeUrl = (url: string | null | undefined): string | null =>
  url != null && /^https?:\/\//i.test(url) ? url : null;

/** The state of an installed server. */
export const stateNames = { enabled: "Enabled", disabled: "Disabled", error: "Error" } as const;
