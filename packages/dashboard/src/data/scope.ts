import { useWatched, watched } from "../parts/watched.ts";
import { type Data, useStore } from "./live/data.ts";

/**
 * The project that every screen shows; null for all projects. The browser stores it for this user. An address that
 * names projects overrides it.
 */
const scopeStore = ({ base }: Data) => {
  const name = `quartermaster project ${new URL(base).pathname}`;
  const read = (): string | null => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const scope = watched(read());
  return {
    scope,
    choose: (projectId: string | null): void => {
      scope.set(projectId);
      try {
        if (projectId === null) localStorage.removeItem(name);
        else localStorage.setItem(name, projectId);
      } catch {
        // Without storage the choice lasts until the page is loaded again.
      }
    },
  };
};

export const useScope = (): string | null => useWatched(useStore(scopeStore).scope);

export const useChooseScope = () => useStore(scopeStore).choose;

/** The projects of a list: the projects of its address, otherwise the chosen project; undefined for all. */
export const useWithin = (
  projects: ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined => {
  const scope = useScope();
  return projects ?? (scope === null ? undefined : [scope]);
};
