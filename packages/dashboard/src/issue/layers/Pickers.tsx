import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAgents } from "../../data/agents.ts";
import type { Issue } from "../../data/issues/issue.ts";
import {
  type BriefIssue,
  priorities,
  statuses,
  useChangeIssue,
  useSearchIssues,
} from "../../data/issues/issues.ts";
import { obstacle } from "../../data/issues/lifecycle.ts";
import { type IssueLink, useLink } from "../../data/issues/links.ts";
import { useLabels } from "../../data/live/names.ts";
import { useSession } from "../../data/live/session.ts";
import { MovePicker } from "../../issueDialogs/MovePicker.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { Picker, type PickerOption } from "../../parts/Picker.tsx";
import { PriorityIcon, priorityName } from "../../parts/PriorityIcon.tsx";
import { StatusIcon, statusName } from "../../parts/StatusIcon.tsx";
import { PersonAvatar } from "../common/PersonAvatar.tsx";
import type { PropertyName } from "../common/properties.ts";

export type Picked = Exclude<PropertyName, "defer"> | "project" | IssueLink["linkType"];

const linkTitles: Readonly<Record<IssueLink["linkType"], string>> = {
  BlockedBy: "Blocked by…",
  Blocks: "Blocks…",
  RelatedTo: "Related to…",
  DuplicateOf: "Duplicate of…",
};

const none = (checked: boolean): PickerOption => ({
  id: "",
  text: "None",
  icon: <Icon name="close" size={14} />,
  checked,
});

/** A picker that finds an issue by its title and links it. */
const LinkPicker = ({
  issue,
  onClose,
  type,
}: {
  readonly issue: Issue;
  readonly type: IssueLink["linkType"];
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState("");
  const link = useLink(issue.id);
  const searchIssues = useSearchIssues();
  const { data, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: ["issue search", text],
    queryFn: ({ signal }) => searchIssues(text === "" ? undefined : text, signal),
    staleTime: 5_000,
    placeholderData: (previous) => previous,
  });
  const linked = new Set(
    issue.links.filter(({ linkType }) => linkType === type).map((one) => one.targetIssueId),
  );
  const optionsOf = (found: ReadonlyArray<BriefIssue>) =>
    found
      .filter(({ id }) => id !== issue.id)
      .map(({ id, status, title }) => ({
        id,
        text: title,
        icon: <StatusIcon status={status} />,
        why: linked.has(id) ? "Already linked" : null,
      }));
  const firstFound = async () => {
    const found = await refetch({ cancelRefetch: false });
    return optionsOf(found.data ?? [])[0];
  };
  return (
    <Picker
      title={linkTitles[type]}
      options={optionsOf(data ?? [])}
      empty="No issues match."
      firstFound={isPending || isPlaceholderData ? firstFound : undefined}
      onQuery={setText}
      onPick={(targetIssueId) => link.mutate({ targetIssueId, linkType: type })}
      onClose={onClose}
    />
  );
};

const PriorityPicker = ({
  issue,
  onClose,
  set,
}: {
  readonly issue: Issue;
  readonly set: (change: Pick<Issue, "priority">) => void;
  readonly onClose: () => void;
}) => (
  <Picker
    title="Set the priority…"
    options={priorities.map((priority) => ({
      id: priority,
      text: priorityName(priority),
      icon: <PriorityIcon priority={priority} labelled />,
      checked: priority === issue.priority,
    }))}
    onPick={(id) => {
      const priority = priorities.find((one) => one === id);
      if (priority !== undefined) set({ priority });
    }}
    onClose={onClose}
  />
);

/** The pickers that change a property or add a link. */
export const Pickers = ({
  issue,
  node,
  onClose,
  open,
}: {
  readonly open: Picked;
  readonly issue: Issue;
  readonly node: BriefIssue | undefined;
  readonly onClose: () => void;
}): ReactNode => {
  const { mutate } = useChangeIssue();
  const agents = useAgents().data ?? [];
  const session = useSession();
  const me = "principal" in session ? session.principal.id : null;
  const people = [...new Set([me, issue.assigneeUserId])].filter((id) => id !== null);
  const labels = useLabels(people);
  const set = (change: Parameters<typeof mutate>[0]["change"]) => mutate({ issue, change });
  switch (open) {
    case "status": {
      const facts = {
        status: issue.status,
        blockedByCount: node?.blockedByCount ?? 0,
        blocksCount: node?.blocksCount ?? 0,
      };
      return (
        <Picker
          title="Move to…"
          options={statuses.map((status) => ({
            id: status,
            text: statusName(status),
            icon: <StatusIcon status={status} labelled />,
            checked: status === issue.status,
            why: status === issue.status ? null : obstacle(facts, status),
          }))}
          onPick={(id) => {
            const status = statuses.find((one) => one === id);
            if (status !== undefined && status !== issue.status) set({ status });
          }}
          onClose={onClose}
        />
      );
    }
    case "priority":
      return <PriorityPicker issue={issue} set={set} onClose={onClose} />;
    case "agent":
      return (
        <Picker
          title="Assign an agent…"
          free="Assign the new agent"
          options={[
            none(issue.assignedAgentId === null),
            ...agents.map(({ id }) => ({
              id,
              text: id,
              icon: <Icon name="agents" size={14} />,
              checked: id === issue.assignedAgentId,
            })),
          ]}
          onPick={(id) => set({ assignedAgentId: id === "" ? null : id })}
          onClose={onClose}
        />
      );
    case "person": {
      return (
        <Picker
          title="Assign a person…"
          free="Assign to"
          options={[
            none(issue.assigneeUserId === null),
            ...people.map((id) => ({
              id,
              text: labels.get(id) ?? id,
              icon: <PersonAvatar id={id} size={16} />,
              checked: id === issue.assigneeUserId,
            })),
          ]}
          onPick={(id) => set({ assigneeUserId: id === "" ? null : id })}
          onClose={onClose}
        />
      );
    }
    case "project":
      return (
        <MovePicker
          current={issue.projectId}
          onPick={(projectId) => set({ projectId })}
          onClose={onClose}
        />
      );
    case "labels":
      return (
        <Picker
          title="Add or remove labels…"
          free="Add the label"
          isMultiple
          empty="Type a label."
          options={issue.labels.map((label) => ({ id: label, text: label, checked: true }))}
          onPick={(label) =>
            set({
              labels: issue.labels.includes(label)
                ? issue.labels.filter((one) => one !== label)
                : [...issue.labels, label].toSorted(),
            })
          }
          onClose={onClose}
        />
      );
    default:
      return <LinkPicker issue={issue} type={open} onClose={onClose} />;
  }
};
