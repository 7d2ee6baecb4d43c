import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";

/** Starts an authorization. Resolves with the URL that the user has to open within 10 minutes. */
export const useAuthorize = () => {
  const { api } = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: (serverId: string) => api.authorization.begin({ serverId }),
  });
};

/** The time at which the server was authorized since the component mounted; null if it was not. */
export const useAuthorized = (serverId: string): string | null => {
  const { stream } = useData();
  const [at, setAt] = useState<string | null>(null);
  useEffect(
    () =>
      stream.onEvents((events) => {
        const event = events.findLast(
          ({ data, kind, subjectId }) =>
            kind === "mcp.updated" && subjectId === serverId && "authorized" in data,
        );
        if (event !== undefined) setAt(event.data["authorized"] === true ? event.createdAt : null);
      }),
    [stream, serverId],
  );
  return at;
};
