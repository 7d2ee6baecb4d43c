import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../live/client.ts";
import { onEvents } from "../live/live.ts";
import { showsFailure } from "../live/query.ts";

/** Starts an authorization: the URL that a person opens within 10 minutes. */
export const useAuthorize = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: (serverId: string) => api.authorization.begin({ serverId }),
  });

/** When the server was authorized while the component is shown; null before. */
export const useAuthorized = (serverId: string): string | null => {
  const [at, setAt] = useState<string | null>(null);
  useEffect(
    () =>
      onEvents((events) => {
        const event = events.findLast(
          ({ data, kind, subjectId }) =>
            kind === "mcp.updated" && subjectId === serverId && "authorized" in data,
        );
        if (event !== undefined) setAt(event.data["authorized"] === true ? event.createdAt : null);
      }),
    [serverId],
  );
  return at;
};
