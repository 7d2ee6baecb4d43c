import { useLocation } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { screens } from "./screens.ts";
import styles from "./Shell.module.css";

const MoreMenu = lazily(() => import("./MoreMenu.tsx"), "MoreMenu");

/** The last entry of the navigation bar on a narrow screen. It opens `MoreMenu`. */
export const MoreButton = ({
  onHelp,
  onProject,
  onSearch,
}: {
  readonly onHelp: () => void;
  readonly onProject: () => void;
  readonly onSearch: () => void;
}) => {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const { pathname } = useLocation();
  const isHere = screens.some(({ inBar, to }) => !inBar && pathname.startsWith(to));
  return (
    <>
      <button
        type="button"
        className={`${styles["link"]} ${styles["more"]}`}
        data-status={isHere ? "active" : undefined}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" />
        <span>More</span>
      </button>
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : (
          <MoreMenu
            anchor={anchor}
            onClose={() => setAnchor(null)}
            onHelp={onHelp}
            onProject={onProject}
            onSearch={onSearch}
          />
        )}
      </Suspense>
    </>
  );
};
