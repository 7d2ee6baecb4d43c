import { useBulkDecisions } from "../data/inbox/bulk.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { AssignPicker } from "./AssignPicker.tsx";
import { SnoozeMenu } from "./SnoozeMenu.tsx";

/** The open layer, and the items that it is about. */
export type Layer =
  | { readonly type: "assign"; readonly items: ReadonlyArray<InboxItem> }
  | {
      readonly type: "snooze";
      readonly items: ReadonlyArray<InboxItem>;
      readonly anchor: Element;
    };

export const Layers = ({
  layer,
  onClose,
  run,
}: {
  readonly layer: Layer;
  readonly onClose: () => void;
  /** Makes a decision, which ends the selection. */
  readonly run: (decide: () => Promise<unknown>) => void;
}) => {
  const { assign, snooze } = useBulkDecisions();
  const { items } = layer;
  const [first, ...others] = items;
  return layer.type === "assign" ? (
    <AssignPicker
      current={others.length === 0 ? (first?.agentId ?? null) : null}
      onPick={(agentId) => run(() => assign(items, agentId))}
      onClose={onClose}
    />
  ) : (
    <SnoozeMenu
      anchor={layer.anchor}
      onPick={(until) => run(() => snooze(items, until))}
      onClose={onClose}
    />
  );
};
