import { useSyncExternalStore } from "react";
import { useData } from "./data.ts";
import type { Session } from "./sessionStore.ts";

export const useSession = (): Session => {
  const { current, subscribe } = useData().session;
  return useSyncExternalStore(subscribe, current);
};

const roles = ["Metrics", "Viewer", "Editor", "Admin", "Owner"];

/** Whether the user has at least this role and is bound to no project. */
export const useMayEverywhere = (role: "Editor" | "Admin"): boolean => {
  const now = useSession();
  const may = useMay(role);
  return may && "principal" in now && now.principal.projects === null;
};

/** Whether the user has at least this role. It only hides actions that the server would refuse. */
export const useMay = (role: "Viewer" | "Editor" | "Admin" | "Owner"): boolean => {
  const now = useSession();
  return "principal" in now && roles.indexOf(now.principal.role) >= roles.indexOf(role);
};
