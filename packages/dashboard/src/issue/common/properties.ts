/** The properties that users can edit in the sidebar. */
export type PropertyName = "status" | "priority" | "agent" | "person" | "labels" | "defer";
