import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useInboxCount } from "../data/inbox/inbox.ts";
import { useData } from "../data/live/data.ts";
import { useMay } from "../data/live/session.ts";
import { classes } from "../parts/classes.ts";
import { useCommands, useKeys } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { Keys } from "../parts/Keys.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { ConnectionLine } from "./ConnectionLine.tsx";
import icon from "./icon.svg";
import { MoreButton } from "./MoreButton.tsx";
import { screens } from "./screens.ts";
import { useTheme } from "./theme.ts";
import { UserButton } from "./UserButton.tsx";
import styles from "./Shell.module.css";

const Palette = lazily(() => import("./Palette.tsx"), "Palette");
const NewIssue = lazily(() => import("./NewIssue.tsx"), "NewIssue");
const KeyHelp = lazily(() => import("./KeyHelp.tsx"), "KeyHelp");

const InboxCount = () => {
  const count = useInboxCount();
  return count === 0 ? null : <span className={styles["count"]}>{count > 99 ? "99+" : count}</span>;
};

/** The frame around every screen: navigation, connection state, palette and shortcuts. */
export const Shell = () => {
  const { stream } = useData();
  const theme = useTheme();
  const navigate = useNavigate();
  const [layer, setLayer] = useState<"palette" | "help" | "create" | null>(null);
  const close = () => setLayer(null);
  const canEdit = useMay("Editor");

  useKeys();
  useEffect(() => stream.start(), [stream]);

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

  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#main">
        Skip to content
      </a>
      <header className={styles["side"]}>
        <div className={styles["brand"]}>
          <img src={icon} alt="" width={20} height={20} />
          Quartermaster
        </div>
        <button type="button" className={styles["search"]} onClick={() => setLayer("palette")}>
          <Icon name="search" />
          <span>Search</span>
          <Keys keys="mod+k" />
        </button>
        <nav className={styles["nav"]} aria-label="Screens">
          {screens.map(({ icon, inBar, title, to }) => (
            <Link
              key={to}
              to={to}
              className={classes(styles["link"], !inBar && styles["beyondBar"])}
            >
              <Icon name={icon} />
              <span>{title}</span>
              {to === "/inbox" ? <InboxCount /> : null}
            </Link>
          ))}
          <MoreButton onHelp={() => setLayer("help")} onSearch={() => setLayer("palette")} />
        </nav>
        <div className={styles["foot"]}>
          <UserButton onHelp={() => setLayer("help")} />
        </div>
      </header>
      <ConnectionLine />
      <main className={styles["main"]} id="main" tabIndex={-1}>
        <Suspense
          fallback={
            <div className={styles["loading"]}>
              <Skeleton width={160} height={18} />
              <Skeleton />
              <Skeleton width="70%" />
            </div>
          }
        >
          <Outlet />
        </Suspense>
      </main>
      <Suspense fallback={<Opening />}>
        {layer === "palette" ? <Palette onClose={close} /> : null}
        {layer === "create" ? <NewIssue onClose={close} /> : null}
        {layer === "help" ? <KeyHelp onClose={close} /> : null}
      </Suspense>
    </div>
  );
};
