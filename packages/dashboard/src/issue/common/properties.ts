/** The properties that the side of the page can change. */
export type PropertyName = "status" | "priority" | "agent" | "person" | "labels" | "defer";
