import type { InboxFilter } from "../data/inbox/inbox.ts";
import { kinds } from "./kinds.ts";

export interface InboxSearch extends InboxFilter {
  /** The id of the item to show. On a narrow screen it replaces the list. */
  readonly item?: string | undefined;
}

/** The filters and the shown item in the URL. Unknown values are dropped. */
export const inboxSearch = (search: Record<string, unknown>): InboxSearch => {
  const project = [search["project"]]
    .flat()
    .filter((id): id is string => typeof id === "string" && id !== "");
  const kind = kinds.filter((one) => [search["kind"]].flat().includes(one));
  return {
    project: project.length === 0 ? undefined : project,
    kind: kind.length === 0 ? undefined : kind,
    mine: String(search["mine"]) === "true" ? true : undefined,
    item: typeof search["item"] === "string" ? search["item"] : undefined,
  };
};
