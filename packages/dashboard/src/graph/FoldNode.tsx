import type { Node, NodeProps } from "@xyflow/react";
import type { Fold } from "./fold.ts";
import styles from "./GraphNode.module.css";

export type FoldedNode = Node<
  { readonly fold: Fold; readonly title: string; readonly unfold: (parent: string) => void },
  "fold"
>;

/** The leaves of an issue as one node, which a click unfolds. */
export const FoldNode = ({ data: { fold, title, unfold } }: NodeProps<FoldedNode>) => (
  <button
    type="button"
    className={styles["fold"]}
    title={`Show ${fold.count} issues that wait for ${title}`}
    onClick={() => unfold(fold.parent)}
  >
    +{fold.count}
  </button>
);
