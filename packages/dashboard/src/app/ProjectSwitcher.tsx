import { useProjectNames } from "../data/issues/projects.ts";
import { useScope } from "../data/scope.ts";
import { Icon } from "../parts/Icon.tsx";
import styles from "./Shell.module.css";

/** The project that every screen shows, above the navigation. It opens the list of projects. */
export const ProjectSwitcher = ({ onOpen }: { readonly onOpen: () => void }) => {
  const scope = useScope();
  const projectName = useProjectNames();
  const text = scope === null ? "All projects" : projectName(scope);
  return (
    <button
      type="button"
      className={styles["switcher"]}
      aria-haspopup="dialog"
      aria-label={`Switch project, now ${text}`}
      title={scope ?? undefined}
      onClick={onOpen}
    >
      <Icon name="folder" />
      <span dir="auto">{text}</span>
      <Icon name="chevron" size={14} />
    </button>
  );
};
