import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import {
  type BriefIssue,
  type Status,
  useIssueRows,
  useMoveIssues,
} from "../data/issues/issues.ts";
import type { DialogName } from "./IssueDialog.tsx";
import type { WorkActions } from "./useWork.tsx";
import { useIssueInFocus } from "./useWorkCommands.ts";
import type { Layer } from "./WorkLayers.tsx";

/** The actions of the board and the list, and the selection. */
export const useWorkActions = (canEdit: boolean, setLayer: (layer: Layer) => void) => {
  const navigate = useNavigate();
  const { mutate: moveAll } = useMoveIssues();
  const { find } = useIssueRows();
  const issueInFocus = useIssueInFocus();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  const select = useCallback((issue: BriefIssue, on?: boolean) => {
    setSelected((before) => {
      const next = new Set(before);
      if (on ?? !before.has(issue.id)) next.add(issue.id);
      else next.delete(issue.id);
      return next;
    });
  }, []);
  const move = useCallback(
    (issues: ReadonlyArray<BriefIssue>, status: Status) => {
      const moved = issues.filter((issue) => issue.status !== status);
      if (moved.length > 0) moveAll({ issues: moved, status });
      setSelected(new Set());
    },
    [moveAll],
  );
  const issuesOf = useCallback(
    (ids: ReadonlySet<string>) => [...ids].flatMap((id) => find(id) ?? []),
    [find],
  );
  const actions = useMemo(
    (): WorkActions => ({
      selected,
      canEdit,
      select,
      move,
      open: ({ key }) =>
        void navigate({ to: "/issues/$issueId", params: { issueId: key }, search: {} }),
      openMenu: (issue, anchor) =>
        setLayer({
          type: "menu",
          issues: selected.has(issue.id) ? issuesOf(selected) : [issue],
          anchor,
        }),
    }),
    [selected, canEdit, select, move, navigate, issuesOf, setLayer],
  );

  const chosen = issuesOf(selected);
  const unselect = () => setSelected(new Set());
  const ask = (name: DialogName) => {
    const at = chosen.length > 0 ? null : issueInFocus();
    const issues = at === null ? chosen : [at.issue];
    if (issues.length > 0) setLayer({ type: "dialog", name, issues });
  };
  return { actions, ask, chosen, unselect };
};
