import type { ReactNode } from "react";
import { base, signOut } from "../data/live/client.ts";
import { Menu, MenuGroup, MenuItem, MenuLink, MenuNote, MenuSeparator } from "../parts/Menu.tsx";
import { sentenceOf } from "../parts/sentence.ts";
import { toastError } from "../parts/toast.ts";
import * as theme from "./theme.ts";

/** The version of the page, which is the server's: they are released together. The build sets it. */
declare const __VERSION__: string;

const themes = [
  ["system", "System"],
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
  /** The part of the menu above the items of the account. */
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
      <MenuLink icon="book" text="Documentation" href={`${base}docs`} />
      <MenuSeparator />
      <MenuItem
        icon="signOut"
        text="Sign out"
        onSelect={() =>
          void signOut().catch((error: unknown) =>
            toastError("You are still signed in", sentenceOf(error)),
          )
        }
      />
      <MenuNote text={`Quartermaster ${__VERSION__}`} />
    </Menu>
  );
};
