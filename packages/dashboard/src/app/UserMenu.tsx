import type { ReactNode } from "react";
import { signOut } from "../data/live/client.ts";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../parts/Menu.tsx";
import * as theme from "./theme.ts";

const themes = [
  ["system", "Like the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export const UserMenu = ({
  anchor,
  children,
  label = "Account and theme",
  onClose,
  onHelp,
}: {
  readonly anchor: Element;
  readonly label?: string;
  /** What is above the items of the account. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}) => {
  const current = theme.useTheme();
  return (
    <Menu anchor={anchor} label={label} onClose={onClose}>
      {children}
      <MenuGroup label="Theme">
        {themes.map(([value, text]) => (
          <MenuItem
            key={value}
            text={text}
            checked={current === value}
            onSelect={() => theme.set(value)}
          />
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem icon="keyboard" text="Keyboard shortcuts" keys="?" onSelect={onHelp} />
      <MenuItem icon="signOut" text="Sign out" onSelect={() => void signOut()} />
    </Menu>
  );
};
