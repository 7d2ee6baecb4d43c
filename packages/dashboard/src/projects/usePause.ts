import { type Project, usePauseProject } from "../data/issues/projects.ts";
import { useMay } from "../data/live/session.ts";
import { useToasts } from "../parts/toast.ts";

type Pausable = Pick<Project, "id" | "name" | "paused">;

/** Returns a function that pauses or resumes a project and confirms it in a toast; null if the user may not. */
export const usePause = (): ((project: Pausable) => void) | null => {
  const { toast } = useToasts();
  const { mutate } = usePauseProject();
  const may = useMay("Editor");
  if (!may) return null;
  return ({ id, name, paused }) =>
    mutate(
      { projectId: id, paused: !paused },
      {
        onSuccess: () =>
          paused
            ? toast(`${name ?? id} resumed`, "Agents get its issues again.")
            : toast(
                `${name ?? id} paused`,
                "Its live runs stop at their next turn. Until you resume it, no agent gets its issues.",
              ),
      },
    );
};
