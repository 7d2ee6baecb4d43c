import { Menu, MenuGroup, MenuItem } from "../parts/Menu.tsx";
import {
  columns,
  type Column,
  defaultColumns,
  groupings,
  sorts,
  type WorkSearch,
} from "./search.ts";

const sortNames = {
  created: "Newest first",
  updated: "Last changed first",
  priority: "Most urgent first",
} as const;

const groupNames = { status: "By status", priority: "By priority" } as const;

const columnNames: Readonly<Record<Column, string>> = {
  facts: "Labels and states",
  key: "Key",
  person: "Person",
  agent: "Agent",
  created: "Created",
  updated: "Last change",
  since: "Time in status",
};

/** The menu of the order, the groups and the columns of the list. */
export const DisplayMenu = ({
  anchor,
  onClose,
  search,
  set,
}: {
  readonly anchor: Element;
  readonly search: WorkSearch;
  readonly set: (change: WorkSearch) => void;
  readonly onClose: () => void;
}) => {
  const { columns: shown = defaultColumns, group, q, sort } = search;
  const toggle = (column: Column) => {
    const next = columns.filter((one) => shown.includes(one) !== (one === column));
    const isDefault = String(next) === String(defaultColumns);
    set({ columns: isDefault || next.length === 0 ? undefined : next });
  };
  return (
    <Menu anchor={anchor} label="Display" onClose={onClose}>
      <MenuGroup label="Order">
        {q === undefined ? null : (
          <MenuItem
            text="Best match first"
            checked={sort === undefined}
            onSelect={() => set({ sort: undefined })}
          />
        )}
        {sorts.map((one) => (
          <MenuItem
            key={one}
            text={sortNames[one]}
            checked={sort === one || (sort === undefined && q === undefined && one === "created")}
            onSelect={() => set({ sort: one === "created" && q === undefined ? undefined : one })}
          />
        ))}
      </MenuGroup>
      <MenuGroup label="Groups">
        <MenuItem
          text="None"
          checked={group === undefined}
          onSelect={() => set({ group: undefined })}
        />
        {groupings.map((one) => (
          <MenuItem
            key={one}
            text={groupNames[one]}
            checked={group === one}
            onSelect={() => set({ group: one })}
          />
        ))}
      </MenuGroup>
      <MenuGroup label="Columns">
        {columns.map((column) => (
          <MenuItem
            key={column}
            text={columnNames[column]}
            checked={shown.includes(column)}
            onSelect={() => toggle(column)}
          />
        ))}
      </MenuGroup>
    </Menu>
  );
};
