import { useNavigate } from "@tanstack/react-router";
import { useViews } from "../data/views.ts";
import { MenuItem, MenuSeparator } from "../parts/Menu.tsx";
import { searchOfView } from "../work/viewQuery.ts";
import { useScreens } from "./screens.ts";
import { UserMenu } from "./UserMenu.tsx";

/** The menu of a narrow screen: the screens that do not fit into the bar, the search and the account. */
export const MoreMenu = ({
  anchor,
  onClose,
  onHelp,
  onProject,
  onSearch,
}: {
  readonly anchor: Element;
  readonly onClose: () => void;
  readonly onHelp: () => void;
  readonly onProject: () => void;
  readonly onSearch: () => void;
}) => {
  const navigate = useNavigate();
  const screens = useScreens();
  const views = useViews().data ?? [];
  return (
    <UserMenu anchor={anchor} label="More" onClose={onClose} onHelp={onHelp}>
      <MenuItem icon="search" text="Search and commands" onSelect={onSearch} />
      <MenuItem icon="folder" text="Choose a project" onSelect={onProject} />
      {screens
        .filter(({ inBar }) => !inBar)
        .map(({ icon, title, to }) => (
          <MenuItem key={to} icon={icon} text={title} onSelect={() => void navigate({ to })} />
        ))}
      {views.map((view) => (
        <MenuItem
          key={view.id}
          icon="pin"
          text={view.name}
          onSelect={() => void navigate({ to: "/work", search: searchOfView(view) })}
        />
      ))}
      <MenuSeparator />
    </UserMenu>
  );
};
