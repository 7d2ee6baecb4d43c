import type { InboxFilter } from "../data/inbox/inbox.ts";
import { projectText, useProjects } from "../data/issues/projects.ts";
import { newProjectText, useNewProject } from "../newProject/newProject.ts";
import { Menu, MenuGroup, MenuItem } from "../parts/Menu.tsx";
import { kinds, looks } from "./kinds.ts";

const toggled = <Value,>(values: ReadonlyArray<Value> = [], value: Value) => {
  const next = values.includes(value)
    ? values.filter((other) => other !== value)
    : [...values, value];
  return next.length === 0 ? undefined : next;
};

/** The menu of the inbox filters. */
export const InboxFilterMenu = ({
  anchor,
  onClose,
  search,
  set,
}: {
  readonly anchor: Element;
  readonly search: InboxFilter;
  readonly set: (change: (before: InboxFilter) => InboxFilter) => void;
  readonly onClose: () => void;
}) => {
  const projects = useProjects().data ?? [];
  const newProject = useNewProject();
  return (
    <Menu anchor={anchor} label="Filter" onClose={onClose}>
      <MenuItem
        icon="user"
        text="Only mine"
        checked={search.mine === true}
        onSelect={() => set(({ mine }) => ({ mine: mine === true ? undefined : true }))}
      />
      <MenuGroup label="Kind">
        {kinds.map((kind) => (
          <MenuItem
            key={kind}
            icon={looks[kind].icon}
            text={looks[kind].name}
            checked={search.kind?.includes(kind) === true}
            onSelect={() => set((before) => ({ kind: toggled(before.kind, kind) }))}
          />
        ))}
      </MenuGroup>
      {projects.length === 0 ? null : (
        <MenuGroup label="Project">
          {projects.map((project) => (
            <MenuItem
              key={project.id}
              text={projectText(project)}
              checked={search.project?.includes(project.id) === true}
              onSelect={() => set((before) => ({ project: toggled(before.project, project.id) }))}
            />
          ))}
          {newProject === null ? null : (
            <MenuItem
              icon="plus"
              text={newProjectText}
              onSelect={() => newProject((id) => set(() => ({ project: [id] })))}
            />
          )}
        </MenuGroup>
      )}
    </Menu>
  );
};
