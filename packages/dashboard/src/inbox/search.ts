import type { InboxFilter } from "../data/inbox/inbox.ts";
import { kinds } from "./kinds.ts";

/** The filters in the URL. Unknown values are dropped. */
export const inboxSearch = (search: Record<string, unknown>): InboxFilter => {
  const project = [search["project"]]
    .flat()
    .filter((id): id is string => typeof id === "string" && id !== "");
  const kind = kinds.filter((one) => [search["kind"]].flat().includes(one));
  return {
    project: project.length === 0 ? undefined : project,
    kind: kind.length === 0 ? undefined : kind,
  };
};
