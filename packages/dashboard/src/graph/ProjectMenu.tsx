import { useProjects } from "../data/projects.ts";
import { Menu, MenuGroup, MenuItem } from "../parts/Menu.tsx";

/** Chooses the project whose graph is shown. */
export const ProjectMenu = ({
  anchor,
  current,
  onClose,
  onSelect,
}: {
  readonly anchor: Element;
  readonly current: string | undefined;
  readonly onClose: () => void;
  readonly onSelect: (project: string) => void;
}) => (
  <Menu anchor={anchor} label="Project" onClose={onClose}>
    <MenuGroup label="Project">
      {(useProjects().data ?? []).map(({ id }) => (
        <MenuItem key={id} text={id} checked={id === current} onSelect={() => onSelect(id)} />
      ))}
    </MenuGroup>
  </Menu>
);
