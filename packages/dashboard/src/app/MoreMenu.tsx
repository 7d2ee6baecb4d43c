import { useNavigate } from "@tanstack/react-router";
import { MenuItem, MenuSeparator } from "../parts/Menu.tsx";
import { screens } from "./screens.ts";
import { UserMenu } from "./UserMenu.tsx";

/** The menu of a narrow screen: the screens that do not fit into the bar, the search and the account. */
export const MoreMenu = ({
  anchor,
  onClose,
  onHelp,
  onSearch,
}: {
  readonly anchor: Element;
  readonly onClose: () => void;
  readonly onHelp: () => void;
  readonly onSearch: () => void;
}) => {
  const navigate = useNavigate();
  return (
    <UserMenu anchor={anchor} label="More" onClose={onClose} onHelp={onHelp}>
      <MenuItem icon="search" text="Search and commands" onSelect={onSearch} />
      {screens
        .filter(({ inBar }) => !inBar)
        .map(({ icon, title, to }) => (
          <MenuItem key={to} icon={icon} text={title} onSelect={() => void navigate({ to })} />
        ))}
      <MenuSeparator />
    </UserMenu>
  );
};
