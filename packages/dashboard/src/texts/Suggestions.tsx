import { Avatar } from "../parts/Avatar.tsx";
import { Icon } from "../parts/Icon.tsx";
import type { Mentionable } from "./mentionable.ts";
import styles from "./Texts.module.css";

/** The height of the longest list, in pixels. */
const tallest = 260;

/** The agents and people that match what is being typed. The field keeps the focus. */
export const Suggestions = ({
  active,
  field,
  found,
  id,
  onPick,
}: {
  readonly id: string;
  /** The place of the field on the screen. */
  readonly field: DOMRect;
  readonly found: ReadonlyArray<Mentionable>;
  readonly active: number;
  readonly onPick: (id: string) => void;
}) => {
  const isAbove = field.top > tallest || field.top > innerHeight - field.bottom;
  const place = {
    left: field.left,
    maxWidth: field.width,
    ...(isAbove ? { bottom: innerHeight - field.top + 4 } : { top: field.bottom + 4 }),
  };
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Agents and people"
      className={styles["suggestions"]}
      style={place}
    >
      {found.map((one, index) => (
        <li
          key={one.id}
          id={`${id}${index}`}
          role="option"
          aria-selected={index === active}
          // The field would lose the focus before a click.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(one.id);
          }}
        >
          {one.isAgent ? <Icon name="agents" size={14} /> : <Avatar id={one.name} size={16} />}
          <bdi>{one.name}</bdi>
          {one.name === one.id ? null : <span className={styles["id"]}>{one.id}</span>}
        </li>
      ))}
    </ul>
  );
};
