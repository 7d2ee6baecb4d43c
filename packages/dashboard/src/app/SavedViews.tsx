import { Link } from "@tanstack/react-router";
import { useProjectNames } from "../data/issues/projects.ts";
import { useViews } from "../data/views.ts";
import { Icon } from "../parts/Icon.tsx";
import { searchOfView } from "../work/viewQuery.ts";
import styles from "./Shell.module.css";

/** The saved views in the navigation: the user's own views, and the views of projects. */
export const SavedViews = () => {
  const views = useViews().data ?? [];
  const projectName = useProjectNames();
  return views.length === 0 ? null : (
    <nav className={styles["views"]} aria-label="Saved views">
      {views
        .toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
        .map((view) => (
          <Link
            key={view.id}
            to="/work"
            search={searchOfView(view)}
            activeOptions={{ exact: true, includeSearch: true }}
            className={styles["link"] ?? ""}
            title={
              view.projectId === null
                ? view.name
                : `${view.name}, shared in ${projectName(view.projectId)}`
            }
          >
            <Icon name="pin" />
            <span dir="auto">{view.name}</span>
          </Link>
        ))}
    </nav>
  );
};
