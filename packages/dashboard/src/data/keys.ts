import type { ApiKey, ApiKeyCreate } from "@quartermaster/client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "./live/client.ts";
import { queryClient, showsFailure, useRefreshOn } from "./live/query.ts";

export type { ApiKey, ApiKeyCreate, ApiKeyCreated } from "@quartermaster/client";
export type Role = ApiKey["role"];

const kinds = /^key\./;
const queryKey = ["keys"];

/** API keys, newest first, page by page. No event says that a key was used, so each visit reads them again. */
export const useKeys = () => {
  useRefreshOn(kinds, queryKey);
  return useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.keys.list({ limit: 100, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: "always",
  });
};

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    queryClient.invalidateQueries({ queryKey: ["sessions"] }),
  ]);

export const useCreateKey = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (input: ApiKeyCreate) => api.keys.create(input),
    onSuccess: () => void refresh(),
    // The response has the key itself: it leaves the memory with the dialog.
    gcTime: 0,
  });

export const useRevokeKey = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (keyId: string) => api.keys.delete({ keyId }),
    onSuccess: () => void refresh(),
  });
