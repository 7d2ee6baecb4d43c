import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "./client.ts";
import { queryClient } from "./query.ts";

export type { LoginSession } from "@quartermaster/client";

const queryKey = ["sessions"];

/** Where the user is signed in; for an Owner, where all users are. No event reports a session. */
export const useSessions = () =>
  useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.session.list({ limit: 500, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: "always",
  });

/** Ends sessions, one after the other. A session that has already ended is skipped. */
export const useEndSessions = () =>
  useMutation({
    mutationFn: async (ids: ReadonlyArray<string>) => {
      for (const sessionId of ids) {
        await api.session.endOther({ sessionId }).catch((error: unknown) => {
          if (!(error instanceof Error && "status" in error && error.status === 404)) throw error;
        });
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
