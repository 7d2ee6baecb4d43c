/** Categories of the catalog. Routes load them with the page. */
export const categories = ["database", "saas", "search", "cloud", "dev", "productivity"] as const;

export type Category = (typeof categories)[number];
