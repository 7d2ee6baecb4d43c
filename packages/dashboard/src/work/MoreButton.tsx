import type { BriefIssue } from "../data/issues/issues.ts";
import { Icon } from "../parts/Icon.tsx";
import { useWork } from "./useWork.tsx";
import styles from "./Card.module.css";

/** The button for an issue's menu. Its keyboard shortcut is `m`. */
export const MoreButton = ({ issue }: { readonly issue: BriefIssue }) => {
  const { openMenu } = useWork();
  return (
    <button
      type="button"
      className={styles["more"]}
      data-more
      tabIndex={-1}
      aria-label={`Change ${issue.title}`}
      aria-haspopup="menu"
      onClick={(event) => openMenu(issue, event.currentTarget)}
    >
      <Icon name="more" />
    </button>
  );
};
