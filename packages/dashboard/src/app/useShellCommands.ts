import { useNavigate } from "@tanstack/react-router";
import { useMay } from "../data/live/session.ts";
import { useCommands } from "../parts/commands.ts";
import { useScreens } from "./screens.ts";
import { useTheme } from "./theme.ts";

/** A layer that every screen can open. */
export type Layer = "palette" | "help" | "create" | "project";

/** The commands of every screen. */
export const useShellCommands = (setLayer: (layer: Layer) => void): void => {
  const theme = useTheme();
  const navigate = useNavigate();
  const canEdit = useMay("Editor");
  const screens = useScreens();

  useCommands(
    [
      ...(["system", "light", "dark"] as const).map((name) => ({
        id: `theme ${name}`,
        title: `Theme: ${name}`,
        section: "Appearance",
        icon: "theme" as const,
        run: () => theme.set(name),
      })),
      {
        id: "palette",
        title: "Search and commands",
        section: "Everywhere",
        keys: "mod+k",
        hidden: true,
        run: () => setLayer("palette"),
      },
      ...(canEdit
        ? [
            {
              id: "create",
              title: "New issue",
              section: "Everywhere",
              icon: "plus" as const,
              keys: "c",
              run: () => setLayer("create"),
            },
          ]
        : []),
      {
        id: "project",
        title: "Choose the project of every screen",
        section: "Everywhere",
        icon: "folder",
        keys: "shift+s",
        run: () => setLayer("project"),
      },
      {
        id: "help",
        title: "Keyboard shortcuts",
        section: "Everywhere",
        icon: "keyboard",
        keys: "?",
        run: () => setLayer("help"),
      },
      ...screens.map(({ icon, keys, title, to }) => ({
        id: `go ${to}`,
        title: `Go to ${title.toLowerCase()}`,
        section: "Navigation",
        icon,
        keys,
        run: () => void navigate({ to }),
      })),
    ],
    true,
  );
};
