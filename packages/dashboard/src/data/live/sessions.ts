import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type Data, useData } from "./data.ts";
import { pagesOf } from "./query.ts";

export type { LoginSession } from "@quartermaster/client";

/** The sessions of the user; for an Owner, of all users. Sessions emit no events. */
const sessions = ({ api }: Data) =>
  pagesOf(["sessions"], (cursor, signal) =>
    api.session.list({ limit: 500, cursor }, { signal }).page(),
  );

export const useSessions = () =>
  useInfiniteQuery({ ...sessions(useData()), refetchOnMount: "always" });

/** Ends sessions one after the other. Skips sessions that have already ended. */
export const useEndSessions = () => {
  const data = useData();
  return useMutation({
    mutationFn: async (ids: ReadonlyArray<string>) => {
      for (const sessionId of ids) {
        await data.api.session.endOther({ sessionId }).catch((error: unknown) => {
          if (!(error instanceof Error && "status" in error && error.status === 404)) throw error;
        });
      }
    },
    onSettled: () => data.queries.invalidateQueries(sessions(data)),
  });
};
