import { useCallback } from "react";
import { useData } from "./live/data.ts";

export type { Finding } from "@quartermaster/client";

/** Finds issues, projects, agents and servers, best first. */
export const useSearch = () => {
  const { api } = useData();
  return useCallback((q: string, signal: AbortSignal) => api.search.find({ q }, { signal }), [api]);
};
