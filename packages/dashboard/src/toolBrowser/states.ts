/** Routes load it with the page, and the rest of the folder with a screen. */
export const toolStates = ["new", "changed", "accepted", "blocked", "invalid", "gone"] as const;
export type ToolState = (typeof toolStates)[number];
