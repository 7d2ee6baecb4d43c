import { Suspense, useEffect } from "react";
import { type BriefIssue, useIssueRows } from "../data/issues/issues.ts";
import { ahead, lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import type { DialogName } from "./IssueDialog.tsx";

const CreateIssue = lazily(() => import("./CreateIssue.tsx"), "CreateIssue");
const IssueDialog = lazily(() => import("./IssueDialog.tsx"), "IssueDialog");
const IssueMenu = lazily(() => import("./IssueMenu.tsx"), "IssueMenu");

/** The open layer: a menu or a dialog. */
export type Layer =
  | { readonly type: "create" }
  | {
      readonly type: "menu";
      readonly issues: ReadonlyArray<BriefIssue>;
      readonly anchor: Element;
    }
  | {
      readonly type: "dialog";
      readonly name: DialogName;
      readonly issues: ReadonlyArray<BriefIssue>;
    };

const Opened = ({
  layer,
  onClose,
  onDialog,
  onDone,
  project,
  projects,
}: {
  readonly layer: Layer;
  readonly project: string;
  readonly projects: ReadonlyArray<string>;
  readonly onClose: () => void;
  readonly onDialog: (name: DialogName, issues: ReadonlyArray<BriefIssue>) => void;
  readonly onDone: () => void;
}) => {
  const { find } = useIssueRows();
  switch (layer.type) {
    case "create":
      return <CreateIssue project={project} projects={projects} onClose={onClose} />;
    case "dialog":
      return (
        <IssueDialog name={layer.name} issues={layer.issues} onClose={onClose} onDone={onDone} />
      );
    case "menu": {
      const issues = layer.issues.flatMap(({ id }) => find(id) ?? []);
      return (
        <IssueMenu
          anchor={layer.anchor}
          issues={issues}
          onClose={onClose}
          onDialog={(name) => onDialog(name, issues)}
        />
      );
    }
  }
};

export const WorkLayers = ({
  layer,
  onClose,
  ...others
}: Omit<Parameters<typeof Opened>[0], "layer" | "onClose"> & {
  readonly layer: Layer | null;
  readonly onClose: (layer: Layer | null) => void;
}) => {
  // Preloads the layers, so that their keys respond without a delay.
  useEffect(() => {
    const idle = setTimeout(() => {
      ahead(
        () => import("./CreateIssue.tsx"),
        () => import("./IssueDialog.tsx"),
        () => import("./IssueMenu.tsx"),
      );
    }, 500);
    return () => clearTimeout(idle);
  }, []);
  return (
    <Suspense fallback={<Opening />}>
      {layer === null ? null : <Opened layer={layer} onClose={() => onClose(layer)} {...others} />}
    </Suspense>
  );
};
