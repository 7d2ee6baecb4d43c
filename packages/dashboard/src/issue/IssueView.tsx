import { Suspense, useEffect, useRef, useState } from "react";
import { isGone, type Issue } from "../data/issues/issue.ts";
import { useChangeIssue, useIssueRows, usePauseIssue } from "../data/issues/issues.ts";
import { useNeighbors } from "../data/issues/links.ts";
import { useMay } from "../data/live/session.ts";
import { useRecents } from "../data/recent.ts";
import { Effects } from "../effects/Effects.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { ahead, lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { useTitle } from "../parts/title.ts";
import { Attachments } from "./attachments/Attachments.tsx";
import { Bar } from "./Bar.tsx";
import { actionsOf } from "./common/actions.ts";
import type { Layer } from "./layers/Layers.tsx";
import type { Picked } from "./layers/Pickers.tsx";
import { Questions } from "./questions/Questions.tsx";
import { Side } from "./side/Side.tsx";
import { Composer } from "./stream/Composer.tsx";
import { Stream } from "./stream/Stream.tsx";
import { Description } from "./text/Description.tsx";
import { Title } from "./text/Title.tsx";
import { useIssueCommands } from "./useIssueCommands.ts";
import styles from "./Issue.module.css";

const Layers = lazily(() => import("./layers/Layers.tsx"), "Layers");

/** The page of a loaded issue. `error` is the failure of the last refetch, such as a deletion. */
export const IssueView = ({
  error,
  issue,
}: {
  readonly issue: Issue;
  readonly error: Error | null;
}) => {
  const canEdit = useMay("Editor") && !isGone(error);
  const [layer, setLayer] = useState<Layer | null>(null);
  const comment = useRef<HTMLTextAreaElement>(null);
  const edit = useRef<(() => void) | null>(null);
  const more = useRef<HTMLButtonElement>(null);
  const node = useNeighbors(issue.id).data?.nodes.find(({ id }) => id === issue.id);
  const { around } = useIssueRows();
  // Computed once: the list may reorder while the issue is open.
  const [siblings] = useState(() => around(issue.id));
  useTitle(`${issue.key} ${issue.title}`);
  const fields = useChangeIssue();
  const pausing = usePauseIssue();
  const { forget, opened } = useRecents();

  // Preloads the layers, so that their keys respond without a delay.
  useEffect(() => {
    const idle = setTimeout(() => ahead(() => import("./layers/Layers.tsx")), 500);
    return () => clearTimeout(idle);
  }, []);

  useEffect(() => {
    if (isGone(error)) forget({ kind: "issue", id: issue.id });
    else opened({ kind: "issue", id: issue.id, text: issue.title });
  }, [error, forget, issue.id, issue.title, opened]);

  const pick = (picked: Picked) => setLayer({ type: "picker", picked });
  const openDialog = (name: (Layer & { type: "dialog" })["name"]) =>
    setLayer({ type: "dialog", name });
  const openMenu = () => {
    if (more.current !== null) setLayer({ type: "menu", anchor: more.current });
  };
  const actions = canEdit
    ? actionsOf(issue, {
        pause: () => pausing.mutate({ issue, command: { name: "pause" } }),
        resume: () => pausing.mutate({ issue, command: { name: "resume" } }),
        start: () => fields.mutate({ issue, change: { notBefore: null } }),
        resolve: () => fields.mutate({ issue, change: { status: "Resolved" } }),
        open: openDialog,
        move: () => pick("project"),
      })
    : [];
  useIssueCommands(
    issue,
    siblings,
    actions,
    canEdit
      ? {
          comment: () => comment.current?.focus(),
          edit: () => edit.current?.(),
          menu: openMenu,
          pick,
        }
      : null,
  );

  return (
    <div className={styles["page"]}>
      <Bar
        issue={issue}
        actions={actions}
        isReader={!canEdit && !isGone(error)}
        siblings={siblings}
        more={more}
        onMenu={openMenu}
      />
      <div className={styles["scroll"]}>
        <div className={styles["columns"]}>
          <div className={styles["top"]}>
            <ErrorNote error={error} />
            <Title issue={issue} canEdit={canEdit} />
            <Description issue={issue} canEdit={canEdit} edit={edit} />
            <Attachments issueId={issue.id} canEdit={canEdit} />
            <Questions issueId={issue.id} canEdit={canEdit} />
            <Effects issueId={issue.id} canEdit={canEdit} watch={node?.liveRun != null} />
          </div>
          <Side
            issue={issue}
            isLive={node?.liveRun != null}
            onProperty={
              canEdit ? (name) => (name === "defer" ? openDialog(name) : pick(name)) : null
            }
            onLink={canEdit ? pick : null}
          />
          <div className={styles["activity"]}>
            <Stream issueId={issue.id} isGone={isGone(error)} />
            {canEdit ? (
              <Composer issueId={issue.id} input={comment} />
            ) : isGone(error) ? null : (
              <p className={styles["faint"]}>
                You have the Viewer role and can only read. To comment or make changes you need the
                Editor role.
              </p>
            )}
          </div>
        </div>
      </div>
      <Suspense fallback={<Opening />}>
        {layer === null ? null : (
          <Layers
            layer={layer}
            issue={issue}
            node={node}
            actions={actions}
            // Keeps a dialog that a menu item opened just before the menu closes.
            onClose={() => setLayer((now) => (now === layer ? null : now))}
          />
        )}
      </Suspense>
    </div>
  );
};
