import { Link } from "@tanstack/react-router";
import { useAnswers, useDismiss } from "../data/inbox/answers.ts";
import type { InboxGroup } from "../data/inbox/groups.ts";
import { keyOf } from "../data/inbox/identity.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useMay } from "../data/live/session.ts";
import { forgetNote } from "../effects/draft.ts";
import { Button } from "../parts/Button.tsx";
import { classes } from "../parts/classes.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Answer } from "./Answer.tsx";
import { Content } from "./Content.tsx";
import { looks } from "./kinds.ts";
import { pathOf } from "./places.ts";
import { RetryAll } from "./RetryAll.tsx";
import styles from "./Item.module.css";
import tones from "./Tone.module.css";

/** The whole item: the request, the result, the files, and the answer. */
export const Item = ({
  group,
  isOver,
  item,
  onAssign,
  onBack,
  onSnooze,
}: {
  readonly item: InboxItem;
  /** The failures of the same cause. */
  readonly group: InboxGroup | undefined;
  /** Whether the item is no longer in the inbox. */
  readonly isOver: boolean;
  readonly onAssign: () => void;
  /** Leads back to the list, on a narrow screen. */
  readonly onBack: () => void;
  readonly onSnooze: (anchor: Element) => void;
}) => {
  const dismiss = useDismiss();
  const error = useAnswers().get(keyOf(item))?.error ?? null;
  const canEdit = useMay("Editor");
  const { agentId, blocks, issueId, issueKey, kind, priority, projectId, since, title } = item;
  const { icon, name, tone } = looks[kind];
  const path = pathOf(item);
  return (
    <article
      className={styles["item"]}
      data-item={keyOf(item)}
      tabIndex={-1}
      aria-label={`${name}: ${title}`}
    >
      <header className={styles["head"]}>
        <div className={styles["facts"]}>
          <span className={styles["back"]}>
            <IconButton icon="chevron" label="Back to the list" onClick={onBack} />
          </span>
          <span className={classes(styles["kind"], tones[tone])}>
            <Icon name={icon} size={14} />
            {name}
          </span>
          {issueId === null ? null : <PriorityIcon priority={priority} size={12} />}
          {issueKey === null ? null : <span title={projectId ?? ""}>{issueKey}</span>}
          {agentId === null || issueId === null ? null : <bdi>{agentId}</bdi>}
          {blocks === null || blocks === 0 ? null : (
            <span>Blocks {blocks === 100 ? "100 or more" : blocks}</span>
          )}
          <RelativeTime iso={since} prefix="Since" />
          {canEdit && !isOver ? (
            <span className={styles["tools"]}>
              {issueId === null ? null : (
                <Button small variant="quiet" title="Assign an agent (I)" onClick={onAssign}>
                  Assign…
                </Button>
              )}
              <Button
                small
                variant="quiet"
                data-snooze
                aria-haspopup="menu"
                title="Snooze (S)"
                onClick={(event) => onSnooze(event.currentTarget)}
              >
                Snooze
              </Button>
            </span>
          ) : null}
        </div>
        <h2 className={styles["title"]} dir="auto">
          {path === null ? title : <Link to={path}>{title}</Link>}
        </h2>
      </header>
      {/* Scrollable, so it has to be reachable by keyboard. */}
      <div className={styles["scroll"]} tabIndex={0} role="group" aria-label="Details">
        {isOver ? (
          <p className={styles["note"]}>
            This item no longer needs an answer. Your text stays here until you dismiss it.
          </p>
        ) : null}
        <Content item={item} />
      </div>
      <footer className={styles["answer"]}>
        <Answer item={item} />
        {group === undefined || !canEdit ? null : (
          <div className={styles["buttons"]}>
            <RetryAll group={group} hasKey />
            <span className={styles["note"]}>Their errors have the same first line.</span>
          </div>
        )}
        <ErrorNote error={error} />
        {isOver ? (
          <div className={styles["buttons"]}>
            <Button
              small
              onClick={() => {
                dismiss(item);
                if (item.callId !== null) forgetNote(item.callId);
              }}
            >
              Dismiss
            </Button>
          </div>
        ) : null}
      </footer>
    </article>
  );
};
