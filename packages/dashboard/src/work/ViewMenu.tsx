import { Menu, MenuItem } from "../parts/Menu.tsx";

/** The menu of the view on the screen. */
export const ViewMenu = ({
  anchor,
  onChange,
  onClose,
  onDelete,
}: {
  readonly anchor: Element;
  readonly onChange: () => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}) => (
  <Menu anchor={anchor} label="View" onClose={onClose}>
    <MenuItem text="Rename or share the view" onSelect={onChange} />
    <MenuItem text="Delete the view" danger onSelect={onDelete} />
  </Menu>
);
