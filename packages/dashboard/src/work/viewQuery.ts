import { parseSearch, stringifySearch } from "../parts/searchText.ts";
import { type WorkSearch, workSearch } from "./search.ts";

/** The query of a saved view, and back. Parameters that the page does not know are dropped. */

export const searchOfView = ({ query }: { readonly query: string }): WorkSearch =>
  workSearch(parseSearch(query));

export const queryOf = (search: WorkSearch): string => stringifySearch({ ...search }).slice(1);

/** Whether the view is what the screen shows. */
export const isShown = (view: { readonly query: string }, search: WorkSearch): boolean =>
  queryOf(searchOfView(view)) === queryOf(workSearch({ ...search }));
