import { Menu, MenuItem, MenuSeparator } from "../Menu.tsx";

/** One of the servers, or all. */
export const ServerMenu = ({
  anchor,
  onClose,
  onSelect,
  servers,
  value,
}: {
  readonly anchor: Element;
  readonly servers: ReadonlyArray<string>;
  readonly value: string | undefined;
  readonly onSelect: (server: string | undefined) => void;
  readonly onClose: () => void;
}) => (
  <Menu anchor={anchor} label="Server" onClose={onClose}>
    <MenuItem
      text="All servers"
      checked={value === undefined}
      onSelect={() => onSelect(undefined)}
    />
    <MenuSeparator />
    {servers.map((server) => (
      <MenuItem
        key={server}
        icon="server"
        text={server}
        checked={server === value}
        onSelect={() => onSelect(server)}
      />
    ))}
  </Menu>
);
