/** The states to filter by. In a file without imports, because the route loads it with the page. */
export const toolStates = ["new", "changed", "accepted", "blocked", "invalid", "gone"] as const;
export type ToolState = (typeof toolStates)[number];
