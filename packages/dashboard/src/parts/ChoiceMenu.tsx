import type { IconName } from "./Icon.tsx";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "./Menu.tsx";

export interface Choice {
  /** The name of the choice, such as `Project`. */
  readonly label: string;
  readonly choices: ReadonlyArray<string>;
  readonly value: string | undefined;
  /** The label of the option that clears the choice. Without it a choice cannot be cleared. */
  readonly all?: string;
  readonly icon?: IconName;
  readonly onSelect: (value: string | undefined) => void;
  /** An entry below the choices. */
  readonly action?: { readonly text: string; readonly onSelect: () => void } | undefined;
}

export const ChoiceMenu = ({
  action,
  all,
  anchor,
  choices,
  icon,
  label,
  onClose,
  onSelect,
  value,
}: Choice & { readonly anchor: Element; readonly onClose: () => void }) => (
  <Menu anchor={anchor} label={label} onClose={onClose}>
    {all === undefined ? null : (
      <>
        <MenuItem text={all} checked={value === undefined} onSelect={() => onSelect(undefined)} />
        <MenuSeparator />
      </>
    )}
    <MenuGroup label={label}>
      {choices.map((choice) => (
        <MenuItem
          key={choice}
          {...(icon === undefined ? {} : { icon })}
          text={choice}
          checked={choice === value}
          onSelect={() => onSelect(choice)}
        />
      ))}
    </MenuGroup>
    {action === undefined ? null : (
      <>
        <MenuSeparator />
        <MenuItem icon="plus" text={action.text} onSelect={action.onSelect} />
      </>
    )}
  </Menu>
);
