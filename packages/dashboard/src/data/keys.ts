import type { ApiKey, ApiKeyCreate } from "@quartermaster/client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type Data, useData } from "./live/data.ts";
import { pagesOf, showsFailure } from "./live/query.ts";

export type { ApiKey, ApiKeyCreate, ApiKeyCreated } from "@quartermaster/client";
export type Role = ApiKey["role"];

/** The API keys, newest first, page by page. The use of a key emits no event, so each visit refetches. */
const keys = ({ api }: Data) =>
  pagesOf(["keys"], (cursor, signal) => api.keys.list({ limit: 100, cursor }, { signal }).page());

export const useKeys = () => useInfiniteQuery({ ...keys(useData()), refetchOnMount: "always" });

const refresh = (data: Data) =>
  Promise.all([
    data.queries.invalidateQueries(keys(data)),
    data.queries.invalidateQueries({ queryKey: ["sessions"] }),
  ]);

export const useCreateKey = () => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (input: ApiKeyCreate) => data.api.keys.create(input),
    onSuccess: () => void refresh(data),
    // Drops the response, which contains the secret, as soon as the dialog closes.
    gcTime: 0,
  });
};

export const useRevokeKey = () => {
  const data = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (keyId: string) => data.api.keys.delete({ keyId }),
    onSuccess: () => void refresh(data),
  });
};
