import { useAgents } from "../data/agents.ts";
import { escaped, labelsOf, priorities, statuses, useIssueRows } from "../data/issues/issues.ts";
import { projectText, useProjects } from "../data/issues/projects.ts";
import { useLabels } from "../data/live/names.ts";
import { newProjectText, useNewProject } from "../newProject/newProject.ts";
import { Icon } from "../parts/Icon.tsx";
import { Picker, type PickerOption } from "../parts/Picker.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import { flags, periods, things } from "./flags.ts";
import { searchOf } from "./remembered.ts";
import type { ValueField, WorkSearch } from "./search.ts";
import { type Change, setValues, switched, textOf } from "./values.ts";

/** The maximum number of labels, goals and people in the menu. The URL accepts any. */
const most = 100;

interface Option extends PickerOption {
  readonly change: Change;
}

/** The menu of issue filters, with a search. Choosing an active filter removes it. */
export const FilterMenu = ({
  onClose,
  search,
  set,
}: {
  readonly search: WorkSearch;
  readonly set: (change: Change) => void;
  readonly onClose: () => void;
}) => {
  const agents = useAgents().data ?? [];
  const { values } = useIssueRows();
  const active = setValues(search);
  const projects = useProjects().data ?? [];
  const newProject = useNewProject();
  const people = values(({ assigneeUserId }) =>
    assigneeUserId === null ? [] : [assigneeUserId],
  ).slice(0, most);
  const names = useLabels(people);
  // Choosing a project restores its last filters.
  const withProject = (id: string): WorkSearch => {
    const last = searchOf(id);
    return last === null ? { project: [id] } : { ...last, view: search.view, q: search.q };
  };
  const ofField = (
    group: string,
    field: ValueField,
    all: ReadonlyArray<string>,
    looks: (value: string) => Partial<PickerOption> = () => ({}),
  ): ReadonlyArray<Option> =>
    all.map((value) => ({
      id: `${group} ${value}`,
      group,
      text: textOf({ field, value }),
      checked: active.some((one) => one.field === field && one.value === value),
      change: (before) => switched(before, field, value),
      ...looks(value),
    }));
  const shownLabels = (search.label ?? []).filter((text) => labelsOf(text).length === 1);
  const labels = values(({ labels }) => labels).map(escaped);
  const options: ReadonlyArray<Option> = [
    ...projects.map((project) => {
      const { id } = project;
      const isSet = search.project?.includes(id) === true;
      const change = isSet ? { project: undefined } : withProject(id);
      return {
        id: `project ${id}`,
        group: "Project",
        text: projectText(project),
        checked: isSet,
        change,
      };
    }),
    ...(newProject === null
      ? []
      : [
          {
            id: newProjectText,
            group: "Project",
            text: newProjectText,
            icon: <Icon name="plus" />,
            change: {},
          },
        ]),
    ...flags.map(({ field, icon, text, value }) => {
      const checked = search[field] === value;
      const change = { [field]: checked ? undefined : value };
      return { id: text, group: "State", text, icon: <Icon name={icon} />, checked, change };
    }),
    ...ofField("Has", "has", Object.keys(things)),
    ...statuses.flatMap((status) =>
      ofField("Status", "status", [status], () => ({
        icon: <StatusIcon status={status} labelled />,
      })),
    ),
    ...priorities.flatMap((priority) =>
      ofField("Priority", "priority", [priority], () => ({
        icon: <PriorityIcon priority={priority} labelled />,
      })),
    ),
    ...ofField("Label", "label", [...new Set([...shownLabels, ...labels])].slice(0, most)),
    ...ofField("Person", "assignee", people, (id) => ({
      text: names.get(id) ?? id,
      icon: <Icon name="user" />,
    })),
    ...ofField(
      "Agent",
      "assignee",
      agents.map(({ id }) => id),
      () => ({ icon: <Icon name="agents" /> }),
    ),
    ...ofField(
      "Goal",
      "goal",
      values(({ goalId }) => (goalId === null ? [] : [goalId])).slice(0, most),
    ),
    ...periods.map(({ field, text, value }) => {
      const checked = search[field] === value;
      const change = { [field]: checked ? undefined : value };
      return { id: text, group: "Time", text, checked, change };
    }),
  ];
  return (
    <Picker
      title="Filter"
      options={options}
      empty="No filter matches."
      onPick={(id) => {
        if (id === newProjectText) return newProject?.((created) => set(withProject(created)));
        const option = options.find((one) => one.id === id);
        if (option !== undefined) set(option.change);
      }}
      onClose={onClose}
    />
  );
};
