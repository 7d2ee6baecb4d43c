/** The catalog categories. In a file without imports, because the route loads it with the page. */
export const categories = ["database", "saas", "search", "cloud", "dev", "productivity"] as const;

export type Category = (typeof categories)[number];
