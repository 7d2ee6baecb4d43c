import type { ReactNode } from "react";
import { useData, useStore } from "../data/live/data.ts";
import { undoStore } from "../data/live/undo.ts";
import { Menu, MenuGroup, MenuItem, MenuLink, MenuNote, MenuSeparator } from "../parts/Menu.tsx";
import { sentenceOf } from "../parts/sentence.ts";
import { useToasts } from "../parts/toast.ts";
import { useWatched } from "../parts/watched.ts";
import { useTheme } from "./theme.ts";

/** The version of the page and of the server, which are released together. The build defines it. */
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
  /** Items above the account items. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}) => {
  const { toastError } = useToasts();
  const { set, theme } = useTheme();
  const current = useWatched(theme);
  const { account, base } = useData();
  const { sendAll } = useStore(undoStore);
  return (
    <Menu anchor={anchor} label={label} onClose={onClose}>
      {children}
      <MenuGroup label="Theme">
        {themes.map(([value, text]) => (
          <MenuItem
            key={value}
            text={text}
            checked={current === value}
            onSelect={() => set(value)}
          />
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem icon="keyboard" text="Keyboard shortcuts" keys="?" onSelect={onHelp} />
      <MenuLink icon="book" text="Documentation" href={`${base}docs`} />
      <MenuLink icon="list" text="API reference" href={`${base}docs/api`} />
      <MenuSeparator />
      <MenuItem
        icon="signOut"
        text="Sign out"
        onSelect={() =>
          void sendAll()
            .then(() => account.signOut())
            .catch((error: unknown) => toastError("You are still signed in", sentenceOf(error)))
        }
      />
      <MenuNote text={`Quartermaster ${__VERSION__}`} />
    </Menu>
  );
};
