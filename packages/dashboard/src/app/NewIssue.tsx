import { useProjects } from "../data/issues/projects.ts";
import { useScope } from "../data/scope.ts";
import { Opening } from "../parts/Opening.tsx";
import { CreateIssue } from "../work/CreateIssue.tsx";

/**
 * The dialog that creates an issue, available on every screen. It preselects the most recently changed
 * project.
 */
export const NewIssue = ({ onClose }: { readonly onClose: () => void }) => {
  const { data, isPending } = useProjects();
  const scope = useScope();
  if (isPending) return <Opening />;
  const projects = (data ?? []).toSorted((a, b) =>
    (b.lastActivityAt ?? "").localeCompare(a.lastActivityAt ?? ""),
  );
  return (
    <CreateIssue
      project={scope ?? projects[0]?.id ?? "demo"}
      projects={projects.map(({ id }) => id)}
      onClose={onClose}
    />
  );
};
