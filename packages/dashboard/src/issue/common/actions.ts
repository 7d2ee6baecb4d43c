import type { Issue } from "../../data/issues/issue.ts";
import type { IconName } from "../../parts/Icon.tsx";

export type DialogName = "close" | "delete" | "defer" | "changes";

/** An action that is available for the issue in its current state. */
export interface Action {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys?: string;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

/** The reasons for a pause after which the menu says "Retry" instead of "Resume". */
const failures: ReadonlySet<Issue["pausedBecause"]> = new Set(["failed", "tooManyAttempts"]);

/** The actions available in the issue's status, in menu order. */
export const actionsOf = (
  { notBefore, paused, pausedBecause, status }: Issue,
  can: {
    readonly pause: () => void;
    readonly resume: () => void;
    /** Removes a deferral or a retry delay. */
    readonly start: () => void;
    readonly resolve: () => void;
    readonly open: (dialog: DialogName) => void;
    /** Opens the list of projects to which the issue can move. */
    readonly move: () => void;
  },
): ReadonlyArray<Action> => {
  const isDone = status === "Resolved" || status === "Closed";
  const isReview = status === "PendingReview";
  const actions: Array<Action | false> = [
    paused && {
      id: "resume",
      title: failures.has(pausedBecause) ? "Retry" : "Resume",
      icon: "play",
      keys: "shift+p",
      run: can.resume,
    },
    notBefore !== null &&
      !paused &&
      (status === "Open" || status === "InProgress") && {
        id: "start",
        title: "Start now",
        icon: "play",
        run: can.start,
      },
    !paused &&
      status === "InProgress" && {
        id: "pause",
        title: "Pause",
        icon: "pause",
        keys: "shift+p",
        run: can.pause,
      },
    !isDone && {
      id: "resolve",
      title: isReview ? "Approve" : "Resolve",
      icon: "check",
      keys: "shift+r",
      run: can.resolve,
    },
    (isReview || isDone) && {
      id: "changes",
      title: isReview ? "Request changes" : "Reopen",
      icon: "undo",
      keys: "shift+o",
      run: () => can.open("changes"),
    },
    !isDone && {
      id: "defer",
      title: notBefore === null ? "Defer until…" : "Change the deferral…",
      icon: "clock",
      keys: "d",
      run: () => can.open("defer"),
    },
    { id: "move", title: "Move to another project…", icon: "board", run: can.move },
    status !== "Closed" && {
      id: "close",
      title: "Close…",
      icon: "close",
      keys: "shift+c",
      run: () => can.open("close"),
    },
    {
      id: "delete",
      title: "Delete…",
      icon: "trash",
      isDanger: true,
      run: () => can.open("delete"),
    },
  ];
  return actions.filter((action) => action !== false);
};
