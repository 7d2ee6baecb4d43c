import { createContext, useContext } from "react";
import type { BriefIssue, Status } from "../data/issues/issues.ts";

/** The actions of cards and rows. The object is memoized, so that cards do not render again needlessly. */
export interface WorkActions {
  readonly selected: ReadonlySet<string>;
  readonly canEdit: boolean;
  readonly select: (issue: BriefIssue, on?: boolean) => void;
  readonly move: (issues: ReadonlyArray<BriefIssue>, to: Status) => void;
  readonly open: (issue: BriefIssue) => void;
  readonly openMenu: (issue: BriefIssue, anchor: Element) => void;
}

export const WorkContext = createContext<WorkActions | null>(null);

export const useWork = (): WorkActions => {
  const actions = useContext(WorkContext);
  if (actions === null) throw new Error("Render cards and rows inside the work screen.");
  return actions;
};
