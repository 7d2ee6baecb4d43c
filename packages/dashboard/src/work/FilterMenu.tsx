import { useAgents } from "../data/agents.ts";
import { priorities, statuses, useIssueRows } from "../data/issues/issues.ts";
import { useLabels } from "../data/live/names.ts";
import { Menu, MenuGroup, MenuItem } from "../parts/Menu.tsx";
import { PriorityIcon } from "../parts/PriorityIcon.tsx";
import { StatusIcon, statusName } from "../parts/StatusIcon.tsx";
import { flags } from "./flags.ts";
import { searchOf } from "./remembered.ts";
import type { WorkSearch } from "./search.ts";

/** The maximum number of labels and agents in the menu. The URL accepts any. */
const most = 30;

const toggled = (values: ReadonlyArray<string> = [], value: string) => {
  const next = values.includes(value)
    ? values.filter((other) => other !== value)
    : [...values, value];
  return next.length === 0 ? undefined : next;
};

/** The menu of issue filters. Choosing an active filter removes it. */
export const FilterMenu = ({
  anchor,
  onClose,
  projects,
  search,
  set,
}: {
  readonly anchor: Element;
  readonly projects: ReadonlyArray<string>;
  readonly search: WorkSearch;
  readonly set: (change: WorkSearch) => void;
  readonly onClose: () => void;
}) => {
  const agents = useAgents().data ?? [];
  const { values } = useIssueRows();
  const found = values(({ labels }) => labels).slice(0, most);
  const labels = [...new Set([...(search.label ?? []), ...found])];
  const people = values(({ assigneeUserId }) =>
    assigneeUserId === null ? [] : [assigneeUserId],
  ).slice(0, most);
  const names = useLabels(people);
  // Choosing a project restores its last filters.
  const withProject = (id: string): WorkSearch => {
    const last = searchOf(id);
    return last === null ? { project: [id] } : { ...last, view: search.view, q: search.q };
  };
  return (
    <Menu anchor={anchor} label="Filter" onClose={onClose}>
      {projects.length === 0 ? null : (
        <MenuGroup label="Project">
          {projects.map((id) => {
            const isSet = search.project?.includes(id) === true;
            return (
              <MenuItem
                key={id}
                text={id}
                checked={isSet}
                onSelect={() => set(isSet ? { project: undefined } : withProject(id))}
              />
            );
          })}
        </MenuGroup>
      )}
      <MenuGroup label="State">
        {flags.map(({ field, icon, text, value }) => (
          <MenuItem
            key={text}
            icon={icon}
            text={text}
            checked={search[field] === value}
            onSelect={() => set({ [field]: search[field] === value ? undefined : value })}
          />
        ))}
      </MenuGroup>
      <MenuGroup label="Status">
        {statuses.map((status) => (
          <MenuItem
            key={status}
            icon={<StatusIcon status={status} labelled />}
            text={statusName(status)}
            checked={search.status === status}
            onSelect={() => set({ status: search.status === status ? undefined : status })}
          />
        ))}
      </MenuGroup>
      <MenuGroup label="Priority">
        {priorities.map((priority) => (
          <MenuItem
            key={priority}
            icon={<PriorityIcon priority={priority} labelled />}
            text={priority}
            checked={search.priority === priority}
            onSelect={() => set({ priority: search.priority === priority ? undefined : priority })}
          />
        ))}
      </MenuGroup>
      {labels.length === 0 ? null : (
        <MenuGroup label="Label">
          {labels.map((label) => (
            <MenuItem
              key={label}
              text={label}
              checked={search.label?.includes(label) === true}
              onSelect={() => set({ label: toggled(search.label, label) })}
            />
          ))}
        </MenuGroup>
      )}
      {people.length === 0 ? null : (
        <MenuGroup label="Person">
          {people.map((id) => (
            <MenuItem
              key={id}
              icon="user"
              text={names.get(id) ?? id}
              checked={search.assignee === id}
              onSelect={() => set({ assignee: search.assignee === id ? undefined : id })}
            />
          ))}
        </MenuGroup>
      )}
      {agents.length === 0 ? null : (
        <MenuGroup label="Agent">
          {agents.slice(0, most).map(({ id }) => (
            <MenuItem
              key={id}
              icon="agents"
              text={id}
              checked={search.assignee === id}
              onSelect={() => set({ assignee: search.assignee === id ? undefined : id })}
            />
          ))}
        </MenuGroup>
      )}
    </Menu>
  );
};
