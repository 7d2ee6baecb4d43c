import { useProjects } from "../data/issues/projects.ts";
import { CreateIssue } from "../work/CreateIssue.tsx";

/** The form of an issue over any screen. Its project is at first the one that changed last. */
export const NewIssue = ({ onClose }: { readonly onClose: () => void }) => {
  const { data, isPending } = useProjects();
  if (isPending) return null;
  const projects = (data ?? []).toSorted((a, b) =>
    (b.lastActivityAt ?? "").localeCompare(a.lastActivityAt ?? ""),
  );
  return (
    <CreateIssue
      project={projects[0]?.id ?? "demo"}
      projects={projects.map(({ id }) => id)}
      onClose={onClose}
    />
  );
};
