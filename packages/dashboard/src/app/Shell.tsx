import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useInboxCount } from "../data/inbox/inbox.ts";
import { useData } from "../data/live/data.ts";
import { useChooseScope, useScope } from "../data/scope.ts";
import { useNewProjectRequest } from "../newProject/newProject.ts";
import { classes } from "../parts/classes.ts";
import { useKeys } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { Keys } from "../parts/Keys.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { useTabTitle } from "../parts/title.ts";
import { forgetProject } from "../work/remembered.ts";
import { ConnectionLine } from "./ConnectionLine.tsx";
import icon from "./icon.svg";
import { MoreButton } from "./MoreButton.tsx";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import { SavedViews } from "./SavedViews.tsx";
import { useScreens } from "./screens.ts";
import { useNotices } from "./useNotices.ts";
import { UserButton } from "./UserButton.tsx";
import { type Layer, useShellCommands } from "./useShellCommands.ts";
import { useUndo } from "./useUndo.ts";
import styles from "./Shell.module.css";

const Palette = lazily(() => import("./Palette.tsx"), "Palette");
const NewIssue = lazily(() => import("./NewIssue.tsx"), "NewIssue");
const ProjectPicker = lazily(() => import("../newProject/ProjectPicker.tsx"), "ProjectPicker");
const CreateProject = lazily(() => import("../newProject/CreateProject.tsx"), "CreateProject");
const KeyHelp = lazily(() => import("./KeyHelp.tsx"), "KeyHelp");

/** The number of items in the inbox, beside its link and in the title of the tab. */
const InboxCount = () => {
  const count = useInboxCount();
  const text = count === 0 ? null : count > 99 ? "99+" : String(count);
  useTabTitle(text);
  return text === null ? null : <span className={styles["count"]}>{text}</span>;
};

/** The frame around every screen: navigation, connection state, palette and shortcuts. */
export const Shell = () => {
  const { stream } = useData();
  const navigate = useNavigate();
  const [layer, setLayer] = useState<Layer | null>(null);
  const close = () => setLayer(null);
  const screens = useScreens();
  const scope = useScope();
  const choose = useChooseScope();
  const chooseProject = (projectId: string | null) => {
    choose(projectId);
    forgetProject();
    void navigate({ to: ".", search: (search) => ({ ...search, project: undefined }) });
  };

  const newProject = useNewProjectRequest();

  useUndo();
  useNotices();
  useKeys();
  useEffect(() => stream.start(), [stream]);

  useShellCommands(setLayer);

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
        <ProjectSwitcher onOpen={() => setLayer("project")} />
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
          <MoreButton
            onHelp={() => setLayer("help")}
            onProject={() => setLayer("project")}
            onSearch={() => setLayer("palette")}
          />
        </nav>
        <SavedViews />
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
        {layer === "project" ? (
          <ProjectPicker value={scope} onPick={chooseProject} onClose={close} />
        ) : null}
        {newProject.request === null ? null : (
          <CreateProject
            onClose={newProject.close}
            onCreated={({ id }) => newProject.request?.onCreated(id)}
          />
        )}
        {layer === "help" ? <KeyHelp onClose={close} /> : null}
      </Suspense>
    </div>
  );
};
