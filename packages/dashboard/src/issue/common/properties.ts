/** What is changed from the side of the page. */
export type PropertyName = "status" | "priority" | "agent" | "person" | "labels" | "defer";
