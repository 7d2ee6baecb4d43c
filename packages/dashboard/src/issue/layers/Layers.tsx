import { useNavigate } from "@tanstack/react-router";
import type { Issue } from "../../data/issues/issue.ts";
import type { BriefIssue } from "../../data/issues/issues.ts";
import { EndDialog } from "../../issueDialogs/EndDialog.tsx";
import type { Action, DialogName } from "../common/actions.ts";
import { ActionsMenu } from "./ActionsMenu.tsx";
import { ChangesDialog } from "./ChangesDialog.tsx";
import { DeferDialog } from "./DeferDialog.tsx";
import { type Picked, Pickers } from "./Pickers.tsx";

/** The open layer: a menu, a picker or a dialog. */
export type Layer =
  | { readonly type: "menu"; readonly anchor: Element }
  | { readonly type: "picker"; readonly picked: Picked }
  | { readonly type: "dialog"; readonly name: DialogName };

export const Layers = ({
  actions,
  issue,
  layer,
  node,
  onClose,
}: {
  readonly layer: Layer;
  readonly issue: Issue;
  readonly node: BriefIssue | undefined;
  readonly actions: ReadonlyArray<Action>;
  readonly onClose: () => void;
}) => {
  const navigate = useNavigate();
  if (layer.type === "menu") {
    return <ActionsMenu anchor={layer.anchor} actions={actions} onClose={onClose} />;
  }
  if (layer.type === "picker") {
    return <Pickers open={layer.picked} issue={issue} node={node} onClose={onClose} />;
  }
  switch (layer.name) {
    case "defer":
      return <DeferDialog issue={issue} onClose={onClose} />;
    case "changes":
      return <ChangesDialog issue={issue} onClose={onClose} />;
    default:
      return (
        <EndDialog
          name={layer.name}
          issue={issue}
          onClose={onClose}
          onDeleted={() => void navigate({ to: "/work", search: { project: [issue.projectId] } })}
        />
      );
  }
};
