import { projectText, useProjects } from "../data/issues/projects.ts";
import { newProjectText, useNewProject } from "../newProject/newProject.ts";
import { Icon } from "../parts/Icon.tsx";
import { Picker } from "../parts/Picker.tsx";

/** A picker that moves issues to another project. `current` is the project that all of them are in; null for several. */
export const MovePicker = ({
  current,
  onClose,
  onPick,
}: {
  readonly current: string | null;
  readonly onPick: (projectId: string) => void;
  readonly onClose: () => void;
}) => {
  const newProject = useNewProject();
  const projects = (useProjects().data ?? []).map((project) => ({
    id: project.id,
    text: projectText(project),
    icon: <Icon name="board" size={14} />,
    checked: project.id === current,
  }));
  const creation = {
    id: newProjectText,
    text: newProjectText,
    icon: <Icon name="plus" size={14} />,
  };
  return (
    <Picker
      title="Move to…"
      options={newProject === null ? projects : [...projects, creation]}
      empty="No project matches."
      onPick={(id) => {
        if (id === newProjectText) return newProject?.(onPick);
        if (id !== current) onPick(id);
      }}
      onClose={onClose}
    />
  );
};
