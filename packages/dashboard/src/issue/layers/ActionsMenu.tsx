import { Menu, MenuItem, MenuSeparator } from "../../parts/Menu.tsx";
import type { Action } from "../common/actions.ts";

export const ActionsMenu = ({
  actions,
  anchor,
  onClose,
}: {
  readonly actions: ReadonlyArray<Action>;
  readonly anchor: Element;
  readonly onClose: () => void;
}) => (
  <Menu anchor={anchor} align="end" label="Actions" onClose={onClose}>
    {actions
      .filter(({ isDanger }) => isDanger !== true)
      .map(({ icon, id, keys, run, title }) => (
        <MenuItem key={id} icon={icon} text={title} keys={keys} onSelect={run} />
      ))}
    <MenuSeparator />
    {actions
      .filter(({ isDanger }) => isDanger === true)
      .map(({ icon, id, run, title }) => (
        <MenuItem key={id} icon={icon} text={title} danger onSelect={run} />
      ))}
  </Menu>
);
