import type { SavedView, SavedViewCreate } from "@quartermaster/client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData } from "./live/data.ts";
import { showsFailure } from "./live/query.ts";

export type { SavedView } from "@quartermaster/client";

/** The first 500 views. Only shared views emit events, so each visit and each return to the page refetches. */
const views = ({ api }: Data) =>
  queryOptions({
    queryKey: ["views"],
    queryFn: async ({ signal }) => (await api.views.list({ limit: 500 }, { signal }).page()).items,
  });

export const useViews = () =>
  useQuery({ ...views(useData()), refetchOnMount: "always", refetchOnWindowFocus: "always" });

const useViewChange = <Input>(change: (data: Data, input: Input) => Promise<unknown>) => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (input: Input) => change(data, input),
    onSuccess: () => data.queries.invalidateQueries(views(data)),
  });
};

/** Saves a view; with an id, changes that one. The calling dialog shows a failure. */
export const useSaveView = () =>
  useViewChange(
    ({ api }, { viewId, ...input }: SavedViewCreate & { readonly viewId: string | null }) =>
      viewId === null ? api.views.create(input) : api.views.update({ viewId, ...input }),
  );

/** Deletes a view. The calling dialog shows a failure. */
export const useDeleteView = () =>
  useViewChange(({ api }, { id }: Pick<SavedView, "id">) => api.views.delete({ viewId: id }));
