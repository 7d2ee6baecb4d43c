import { useState } from "react";
import { Menu, MenuItem } from "../parts/Menu.tsx";

/** The hour of a day in local time at which snoozed items return. */
const morning = 9;

const inDays = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning);

/** The choices, in local time. A week starts on Monday. */
const choices = (now: Date): ReadonlyArray<readonly [text: string, until: Date]> => [
  ["For an hour", new Date(now.getTime() + 3_600_000)],
  ["Until tomorrow", inDays(now, 1)],
  ["Until next week", inDays(now, (8 - now.getDay()) % 7 || 7)],
];

/** Picks the time until which items are hidden. They return earlier if they change. */
export const SnoozeMenu = ({
  anchor,
  onClose,
  onPick,
}: {
  readonly anchor: Element;
  readonly onPick: (until: Date) => void;
  readonly onClose: () => void;
}) => {
  const [offered] = useState(() => choices(new Date()));
  return (
    <Menu align="end" anchor={anchor} label="Snooze" onClose={onClose}>
      {offered.map(([text, until]) => (
        <MenuItem key={text} text={text} onSelect={() => onPick(until)} />
      ))}
    </Menu>
  );
};
