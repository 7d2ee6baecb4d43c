import { useMayEverywhere } from "../data/live/session.ts";
import { useShared } from "../parts/shared.ts";
import { useWatched, watched } from "../parts/watched.ts";

type OnCreated = (projectId: string) => void;

/** The request for the dialog of a new project; null while it is closed. */
const makeRequest = () => watched<{ readonly onCreated: OnCreated } | null>(null);

/** The request, which the shell answers with the dialog. */
export const useNewProjectRequest = () => {
  const request = useShared(makeRequest);
  return { request: useWatched(request), close: () => request.set(null) };
};

/** The text of the entry in menus and pickers. */
export const newProjectText = "New project…";

/** Opens the dialog of a new project from a menu or a picker, which closes; null for a user who may not create one. */
export const useNewProject = (): ((onCreated: OnCreated) => void) | null => {
  const request = useShared(makeRequest);
  return useMayEverywhere("Editor") ? (onCreated) => request.set({ onCreated }) : null;
};
