import { useState } from "react";
import { projectText, useProjects } from "../data/issues/projects.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { Icon } from "../parts/Icon.tsx";
import { Picker } from "../parts/Picker.tsx";
import { CreateProject } from "./CreateProject.tsx";

/** Ids of projects contain neither of these characters. */
const all = "*";
const creation = "+";

/** A list of the projects, with entries for all of them and for a new one. */
export const ProjectPicker = ({
  onClose,
  onPick,
  value,
}: {
  readonly value: string | null;
  /** Called with null for all projects. */
  readonly onPick: (projectId: string | null) => void;
  readonly onClose: () => void;
}) => {
  const projects = useProjects().data ?? [];
  const mayCreate = useMayEverywhere("Editor");
  const [isCreating, setCreating] = useState(false);
  if (isCreating) return <CreateProject onClose={onClose} onCreated={({ id }) => onPick(id)} />;
  const options = [
    { id: all, text: "All projects", checked: value === null },
    ...projects.map((project) => ({
      id: project.id,
      text: projectText(project),
      checked: project.id === value,
    })),
    ...(mayCreate
      ? [{ id: creation, text: "New project…", icon: <Icon name="plus" size={14} /> }]
      : []),
  ];
  return (
    <Picker
      title="Choose a project…"
      options={options}
      // Stays open for the dialog of a new project.
      isMultiple
      onPick={(id) => {
        if (id === creation) return setCreating(true);
        onPick(id === all ? null : id);
        onClose();
      }}
      onClose={onClose}
    />
  );
};
